"""The names of a statement from a plug-in that only one of its blocks can use."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Constant
from rulewright.language.schema_shapes import Member, Steps, required
from rulewright.language.statement import CheckedStep
from rulewright.language.types import BOOLEAN, INTEGER
from rulewright.lsp.features.line_map import LineMap
from rulewright.lsp.features.typing_context import ITEM
from rulewright.lsp.features.visible_names import find_visible_slots
from rulewright.source.files.unsaved_texts import build_file_key
from tests.ir.test_sample_statements import Sample, add_statements, read

RULES = """
kinds: {player: {fields: {score: int}}}
procedures:
  main:
    given: {who: player}
    steps:
      - id: a
        sample_guide: who
        first:
          - {id: b, set: {who.score: hint}}
        second:
          - {id: c, set: {who.score: 1}}
      - {id: d, set: {who.score: 2}}
"""


class Guide(Sample):
    """Declares the name `hint` for its first block, and runs one of its two blocks."""

    name = "sample_guide"
    more: ClassVar[dict[str, Member]] = {"first": required(Steps("Steps.")), "second": required(Steps("Steps."))}

    def check(self, node: Any, check: Any) -> CheckedStep:
        slot, scope = check.add_variable("hint", INTEGER, node.span)
        blocks = check.block(node.get("first"), scope), check.block(node.get("second"))
        return CheckedStep(slot, blocks=blocks)

    def run(self, step: Step, run: Any) -> None:
        """Run nothing: the test only checks."""

    def lower(self, step: Step, lower: Any) -> None:
        lower.bind(Constant(INTEGER, 3), slot=step.action)
        first, second = step.blocks
        lower.branch(Constant(BOOLEAN, True), lambda: lower.block(first), lambda: lower.block(second))


@pytest.mark.parametrize(("key", "name", "expected"), [("first", "b", True), ("second", "c", False), ("", "d", False)])
def test_a_name_is_offered_only_in_the_block_that_knows_it(
    monkeypatch: pytest.MonkeyPatch, key: str, name: str, expected: bool
) -> None:
    add_statements(monkeypatch, Guide)
    main = read(RULES).procedures["main"]
    (step,) = (each for each in main.iterate_steps() if each.id == name)
    way = ("procedures", "main", "steps", ITEM, *((key, ITEM) if key else ()))
    file = build_file_key(step.span.file)
    visible = find_visible_slots(main, way, file, step.span.line, LineMap(RULES, RULES))
    assert ("hint" in {main.names[slot] for slot in visible.slots}) == expected
