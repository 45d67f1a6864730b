"""The laws of types: what may stand where, and what two values have in common."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.language.types import (
    BOOLEAN,
    DICE,
    INTEGER,
    NOTHING,
    PLAYER,
    RATIO,
    TEXT,
    UNKNOWN,
    Choice,
    Entity,
    ListOf,
    Optional,
    Record,
    Row,
    Type,
    is_assignable,
    join,
    make_optional,
    present,
)

CHOICES = st.sets(st.sampled_from("abc"), min_size=1).map(lambda ids: Choice(tuple(sorted(ids))))
PLAIN = st.sampled_from([INTEGER, BOOLEAN, TEXT, DICE, RATIO, Row("r"), Row("q"), Entity("a"), Entity("b")]) | CHOICES
KNOWN = st.recursive(PLAIN | st.just(NOTHING), lambda inner: inner.map(make_optional) | inner.map(ListOf), max_leaves=3)
ANY = st.recursive(KNOWN | st.just(UNKNOWN), lambda inner: inner.map(make_optional) | inner.map(ListOf), max_leaves=3)


def agree(left: Type | None, right: Type | None) -> bool:
    """Return whether two types take the same values."""
    if left is None or right is None:
        return left is right
    return is_assignable(left, right) and is_assignable(right, left)


@given(ANY)
def test_every_type_accepts_itself(kind: Type) -> None:
    assert is_assignable(kind, kind)
    assert agree(join(kind, kind), kind)


@given(KNOWN, KNOWN, KNOWN)
def test_what_fits_into_what_fits_fits(a: Type, b: Type, c: Type) -> None:
    if is_assignable(a, b) and is_assignable(b, c):
        assert is_assignable(a, c)


@given(ANY, ANY)
def test_what_two_types_join_to_takes_both(a: Type, b: Type) -> None:
    joined = join(a, b)
    if joined is not None:
        assert is_assignable(joined, a)
        assert is_assignable(joined, b)


@given(ANY, ANY)
def test_the_order_of_joining_makes_no_difference(a: Type, b: Type) -> None:
    assert agree(join(a, b), join(b, a))


@given(KNOWN, KNOWN, KNOWN)
def test_the_grouping_of_joining_makes_no_difference(a: Type, b: Type, c: Type) -> None:
    left, right = join(a, b), join(b, c)
    if left is not None and right is not None:
        assert agree(join(left, c), join(a, right))


@given(KNOWN, KNOWN)
def test_what_accepts_another_is_what_they_join_to(a: Type, b: Type) -> None:
    if is_assignable(a, b):
        assert agree(join(a, b), a)


@given(KNOWN, KNOWN, KNOWN)
def test_a_join_is_the_narrowest(a: Type, b: Type, wide: Type) -> None:
    if is_assignable(wide, a) and is_assignable(wide, b):
        joined = join(a, b)
        assert joined is not None
        assert is_assignable(wide, joined)


@given(ANY)
def test_what_is_unknown_takes_nothing_away(kind: Type) -> None:
    assert join(UNKNOWN, kind) == kind == join(kind, UNKNOWN)
    assert join(ListOf(UNKNOWN), ListOf(kind)) == ListOf(kind)


@given(ANY)
def test_what_may_be_missing_is_never_doubly_so(kind: Type) -> None:
    assert make_optional(make_optional(kind)) == make_optional(kind)
    assert not isinstance(present(make_optional(kind)), Optional)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (INTEGER, "a number"),
        (BOOLEAN, "yes or no"),
        (DICE, "dice"),
        (Optional(Entity("tree")), "a tree, or none"),
        (ListOf(Row("sizes")), "a list (a row of sizes)"),
        (ListOf(UNKNOWN), "a list"),
        (Choice(("a", "b")), "one of a, b"),
        (NOTHING, "none"),
    ],
)
def test_a_type_is_said_in_words(kind: Type, words: str) -> None:
    assert str(kind) == words


def test_a_result_of_several_parts_is_described_by_them() -> None:
    """It may be that of a procedure or of a step, so neither is said."""
    assert str(Record({"winner": PLAYER, "price": INTEGER})) == "a result with `winner` and `price`"
