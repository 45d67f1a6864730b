"""A generated sentence means what the rule means: read back, it comes to the same in every state."""

from __future__ import annotations

import os
from random import Random

import pytest

from rulewright.book.english.expression_english import English
from rulewright.book.style.text_style import Style
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import Boolean, Entity, ListOf, RecordOf, Row, present
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span
from tests.book.reading.draw import Draw
from tests.book.reading.meaning import value
from tests.book.reading.orchard import State, orchard, scope
from tests.book.reading.reader import Segment
from tests.breadth import times

SEEDS = int(os.environ.get("READ_BACK_SEEDS", times(1, 4)))
"""More of them try more sentences; each seed is 5,000 pairs of an expression and a state."""
PAIRS, STATES = 5_000, 10


class Marked(Style):
    """Plain text that shows what is a name and what a value, as the book's letters do."""

    def name(self, text: str) -> str:
        return f"*{text}*"

    def value(self, text: str) -> str:
        return f"‹{text}›"


@pytest.fixture(scope="module")
def ruleset(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return orchard(tmp_path_factory.mktemp("orchard"))


def typed(expression: str, ruleset: Ruleset) -> Typed | None:
    diagnostics = Diagnostics()
    node = check_expression(Scalar(expression, expression, Span.for_file("test")), scope(ruleset), diagnostics)
    return None if diagnostics.errors else node


def kind_of(node: Typed) -> str:
    """Return the type of a value, as the reader calls it."""
    match present(node.type):
        case Entity(kind=kind):
            return kind
        case RecordOf(name=name):
            return name
        case Row():
            return "size"
        case ListOf(inner=inner):
            return f"list {inner.kind if isinstance(inner, Entity) else 'int'}"
        case Boolean():
            return "bool"
    return "int"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_is_said_is_what_is_meant(seed: int, ruleset: Ruleset) -> None:
    random = Random(seed)
    draw, english, pairs = Draw(random), English(Marked(ruleset)), 0
    while pairs < PAIRS:
        expression = draw.any(random.randint(1, 4))
        node = typed(expression, ruleset)
        if node is None or len(expression) > 400:
            continue
        phrase = english.value(node)
        readings = [meaning for kind, meaning in Segment.of(phrase).values() if kind == kind_of(node)]
        assert readings, f"nobody can read {phrase!r}, which says {expression}"
        for _ in range(STATES):
            state = State(random)
            right = Evaluate(ruleset.declarations, state).value(node, (), state.names)
            for reading in readings:
                read = value(reading, state)
                assert read == right, f"{phrase!r} can be read as {reading}: {read}, where {expression} is {right}"
            pairs += 1
    assert pairs >= PAIRS
