"""Definitions of drawn formulas: no part of a sentence is lost."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from rulewright.book.parts.formula_sentences import describe_formula
from rulewright.language.declarations import Scope
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.types import ByPlayer
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span
from tests.book.reading.draw import Draw
from tests.book.reading.orchard import NAMES, orchard
from tests.book.test_read_back import Marked
from tests.breadth import times

FORMULAS = times(300, 2_000)
STEPS = "[{id: noted, set: {raining: not raining}}]"
PARAMETERS = {
    "rival": "player",
    "oak": "tree",
    "guest": "optional player",
    "grove": "list of tree",
    "n": "int",
    "m": "int",
    "girth": "sizes",
    "tender": "bid",
}

EMPTY = re.compile(
    r"^\W*\.|\s[.,;\])]|\s:|\[\s*[;\]]|;\s*[;\]]|\s\s"
    r"|\b(?:is|are|if|where|of|by|than|plus|minus|and|or)\s*(?:[.,;]|:(?! \[)|$)"
)
"""A part without words: a mark after a space or another mark, or a word that something must follow."""


def is_valid(expression: str, ruleset: Ruleset) -> bool:
    scope = Scope(ruleset.declarations)
    for name, kind in NAMES.items():
        if not isinstance(kind, ByPlayer):
            scope = scope.with_variable(name, kind)
    diagnostics = Diagnostics()
    check_expression(Scalar(expression, expression, Span.for_file("test")), scope, diagnostics)
    return not diagnostics.errors


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ruleset, dict[str, str]]:
    """Return the orchard with many formulas, half of them a number on a condition, and the expressions by their ids."""
    folder, random = tmp_path_factory.mktemp("definitions"), Random(3)
    bare, draw = orchard(folder, STEPS), Draw(random)
    written: dict[str, str] = {}
    while len(written) < FORMULAS:
        expression = draw.any(random.randint(1, 4))
        if random.random() < 0.5:
            number, other, condition = (part(random.randint(1, 3), {}) for part in (draw.int, draw.int, draw.bool))
            expression = f"({number}) if {condition} else ({other})"
        if len(expression) < 200 and is_valid(expression, bare):
            written[f"drawn{len(written)}"] = expression
    formulas = {
        name: {"given": {p: kind for p, kind in PARAMETERS.items() if re.search(rf"\b{p}\b", text)}, "is": text}
        for name, text in written.items()
    }
    file = folder / "orchard" / "small" / "orchard.yaml"
    text = file.read_text(encoding="utf-8")
    lines = "".join(f"  {name}: {json.dumps(formula)}\n" for name, formula in formulas.items())
    file.write_text(text.replace("formulas:\n", f"formulas:\n{lines}", 1), encoding="utf-8")
    return load_ruleset("orchard/small", rules=[folder]), written


def test_no_part_of_a_definition_is_empty(drawn: tuple[Ruleset, dict[str, str]]) -> None:
    ruleset, written = drawn
    style = Marked(ruleset)
    for name, expression in written.items():
        definition = describe_formula(name, style)[2]
        assert not EMPTY.search(definition), f"a part of {definition!r} is empty, which says {expression}"
