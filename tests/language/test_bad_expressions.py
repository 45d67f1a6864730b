"""A bad expression is explained once, at its place, and what the message proposes works."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.language import language_diagnostics
from rulewright.language.expressions.expression_error import ExpressionError
from rulewright.language.expressions.expression_parser import LONGEST, parse_expression, parse_type
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.formats import text
from tests.language.bad_expressions import BAD, FAULTS
from tests.language.garden import probe
from tests.language.inline import checked
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "expressions"


@cache
def faults(source: str) -> list[Diagnostic]:
    return list(checked(source)[1])


@pytest.mark.parametrize("name", BAD)
def test_a_bad_expression_is_explained(name: str) -> None:
    diagnostics = faults(probe(BAD[name]))
    assert_golden(f"{name}.txt", text.render(diagnostics), folder=FOLDER)
    assert len(diagnostics) == FAULTS.get(name, 1)


def mended(source: str, fault: Diagnostic) -> str | None:
    """Return the source with what the suggestion says put in the place of the fault, if it says what to put there."""
    match = re.fullmatch(r"(?:did you mean|write) `([^`]+)`\??", fault.suggestion or "")
    if match is None:
        return None
    lines = source.split("\n")
    line = lines[fault.span.line - 1]
    lines[fault.span.line - 1] = line[: fault.span.column - 1] + match.group(1) + line[fault.span.end_column - 1 :]
    return "\n".join(lines)


@cache
def proposed(name: str) -> str | None:
    """Return the bad expression's rules with what its only message says to write, if it says what."""
    source = probe(BAD[name])
    diagnostics = faults(source)
    return mended(source, diagnostics[0]) if len(diagnostics) == 1 else None


def test_many_messages_say_what_to_write() -> None:
    assert len([name for name in BAD if proposed(name) is not None]) >= 25


@pytest.mark.parametrize("name", BAD)
def test_what_is_proposed_works(name: str) -> None:
    better = proposed(name)
    if better is None:
        return
    (fault,) = faults(probe(BAD[name]))
    if (
        fault.code is language_diagnostics.DICE_NOTATION
    ):  # the caret is at the letters that are wrong, the proposal is of the whole
        better = probe(str(fault.suggestion).split("`")[1])
    assert [f.message for f in faults(better) if f.code is fault.code] == []


def read(written: str) -> tuple[int, int, str | None]:
    """Return where the expression begins and ends, or where its fault does, and the message."""
    try:
        tree = parse_expression(written)
    except ExpressionError as error:
        return error.start, error.end, error.message
    return tree.start, tree.end, None


WORDS = st.sampled_from(
    [
        *("n", "t", "maybe", "sizes", "small", "1", "0", "2d6", "1dP", "sum", "max", "first", "mean", "each", "twice"),
        *("trees", "(", ")", "[", "]", ",", ".", "+", "-", "*", "/", "%", "==", "<", ">=", "and", "or", "not", "in"),
        *("if", "else", "for", "by", "none", "true", "options", "🎲", "=", "!", "é", "\n", " "),
    ]
)


@given(st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=40))
def test_whatever_is_written_is_read_or_explained(written: str) -> None:
    start, end, explained = read(written)
    assert 0 <= start < end <= max(len(written), 1)
    assert explained is None or explained


@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_whatever_is_written_is_typed_or_explained(written: str) -> None:
    source = probe(written.replace("\n", " "))
    line = source.count("\n", 0, source.index("is: '")) + 1
    for fault in faults(source):
        if fault.code is not language_diagnostics.RECURSION:
            assert fault.span.line >= line - 3


@pytest.mark.parametrize(
    "written",
    [
        "(" * 5_000,
        "[" * 5_000,
        "(" * 900 + "n" + ")" * 900,
        "-" * 1_999 + "1",
        "not " * 499 + "sure",
        "n" + ".a" * 999,
        "sizes" + "[n]" * 600,
        "n" + " + n" * 499,
        "n" + " or n" * 399,
        "1 if sure else " * 130 + "2",
        "sum(" * 490 + "n",
        "n + " * 25_000,
        "n" * 100_000,
        "1" * 100_000,
        "9" * 1_999,
        "first(x for x in " * 110,
        "maybe or (" * 199,
        "maybe or (" * 29 + "t" + ")" * 29,
    ],
    ids=lambda written: f"{written[:12]}×{len(written)}",
)
def test_the_long_and_the_deep_are_no_harm(written: str) -> None:
    assert all(fault.message for fault in faults(probe(written)))


@pytest.mark.parametrize(
    "written", ["optional " * 200 + "int", "list of " * 240 + "int", "optional " * 31 + "int", "one of ["]
)
def test_long_types_are_no_harm(written: str) -> None:
    with pytest.raises(ExpressionError, match=r"nested deeper|is incomplete|characters"):
        parse_type(written)


def test_an_expression_may_be_as_long_as_is_said() -> None:
    listed = "[" + ", ".join(["1"] * 600) + "]"
    assert len(listed) < LONGEST
    assert faults(probe(f"sum({listed})")) == []
