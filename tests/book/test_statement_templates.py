"""Templates of statements: a mistake is named with its line, and what they get is right for statements of plug-ins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from jinja2 import ChoiceLoader, FileSystemLoader

from rulewright.book.parts.step_sentences import StepWriter, check_templates
from rulewright.book.parts.template_loader import get_environment
from rulewright.book.style.text_style import Style
from rulewright.cli.main import main
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Local, Typed
from rulewright.language.schema_shapes import Member, Steps, optional
from rulewright.language.statement import CheckedStep
from rulewright.language.types import PLAYER
from rulewright.ruleset.prose.book_language import ENGLISH
from tests.ir.test_sample_statements import PLAYERS, Sample, add_statements, read

BROKEN = "{# What is gained. #}\nGain {{ say.within(action.amuonts) }}.\n"
COMMANDS = [("check", "pig/classic"), ("book", "build", "--output"), ("diff", "pig/classic", "cookbook/medals")]


VISIT = (
    "{% if when %}If {{ when }}, visit{% else %}Visit{% endif %} {{ loop() }}{{ opens(blocks[0]) if blocks else '.' }}"
)


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The list, and the slot and the name of its element."""

    source: Typed
    slot: int
    name: str


class Visit(Sample):
    """Loops over all players, has the last of them as its result, and may have nested steps."""

    name = "sample_visit"
    more: ClassVar[dict[str, Member]] = {"steps": optional(Steps("The steps."))}

    def check(self, node: Any, check: Any) -> CheckedStep:
        slot, scope = check.add_variable("visitor", PLAYER, node.span)
        blocks = (check.block(node.get("steps"), scope),) if "steps" in node else ()
        return CheckedStep(Action(PLAYERS, slot, "visitor"), binds=PLAYER, blocks=blocks, resumes=True)

    def lower(self, step: Step, lower: Any) -> None:
        def visit() -> None:
            lower.bind(Local(PLAYER, step.action.slot, "visitor"))
            for block in step.blocks:
                lower.block(block)

        lower.emit_each(PLAYERS, step.action.slot, visit, entities=True)


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace a template by one that names a member that does not exist."""
    yield from add_template(tmp_path, monkeypatch, "gain", BROKEN)


@pytest.fixture
def visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add a statement with its template."""
    add_statements(monkeypatch, Visit)
    yield from add_template(tmp_path, monkeypatch, Visit.name, VISIT)


def add_template(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> Iterator[None]:
    """Use `text` as the template of a statement until the generator is closed."""
    template = folder / "statements" / f"{name}.j2"
    template.parent.mkdir()
    template.write_text(text, encoding="utf-8")
    environment = get_environment(ENGLISH)
    assert environment.loader is not None
    assert environment.cache is not None
    monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    monkeypatch.setattr(environment, "loader", ChoiceLoader([FileSystemLoader(folder), environment.loader]))
    yield
    environment.cache.clear()


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_the_template_and_its_line_are_named(
    command: tuple[str, ...], checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = [str(tmp_path / "book")] if command[0] == "book" else []
    folders = ["--rules", str(checkout / "rules" / "pig")]
    folders += ["--rules", str(checkout / "site" / "docs" / "cookbook")] if command[0] == "diff" else []
    assert main([*command, *output, *folders]) == 1
    printed = capsys.readouterr()
    error = printed.err + printed.out
    failed = "error[part-failed]: the template `statements/gain.j2` of `gain` failed on line 2 (UndefinedError: "
    assert error.count(failed) == error.count("failed on line") == 1
    assert "has no attribute 'amuonts'" in error
    assert "MkDocs" not in error


@pytest.mark.usefixtures("visit")
@pytest.mark.parametrize(
    ("steps", "end"),
    [("", "."), (", steps: [{id: b, gain: {who: visitor, score: 1}}]", " (the visitor): the visitor gains 1 score.")],
)
def test_a_condition_is_said_once_and_the_element_of_a_loop_has_its_own_name(steps: str, end: str) -> None:
    """Also in a template that writes the condition, of a step with a result, with nested steps and without."""
    source = f"""
kinds: {{player: {{fields: {{score: count}}}}}}
procedures:
  main:
    given: {{who: player}}
    steps:
      - {{id: last, sample_visit: who, when: who.score > 3{steps}}}
      - {{id: c, gain: {{who: last, score: 1}}, when: last}}
"""
    ruleset = read(source)
    sentence = StepWriter(ruleset.procedures["main"], Style(ruleset)).step("last")
    assert sentence == f"If the who’s score is more than 3, visit each player in turn{end}"


@pytest.mark.usefixtures("visit")
def test_a_template_that_leaves_out_nested_steps_is_named(tmp_path: Path) -> None:
    (tmp_path / "statements" / f"{Visit.name}.j2").write_text("Visit {{ loop() }}.\n", encoding="utf-8")
    source = """
kinds: {player: {fields: {score: count}}}
procedures:
  main:
    given: {who: player}
    steps:
      - {id: last, sample_visit: who, steps: [{id: b, gain: {who: visitor, score: 1}}]}
"""
    (diagnostic,) = check_templates(read(source))
    assert diagnostic.code.id == "part-failed"
    assert "the template `statements/sample_visit.j2` of `sample_visit` failed" in diagnostic.message
    assert "the sentence leaves out the nested steps `blocks[0]`" in diagnostic.message
