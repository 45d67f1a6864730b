"""Placing entries: against every order there is."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from rulewright.ruleset.layers.ordering import Placement, place
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span

KEYS = "abcdef"


@st.composite
def draw_placements(draw: st.DrawFn) -> tuple[list[str], list[Placement]]:
    order = draw(st.permutations(KEYS[: draw(st.integers(2, 6))]))
    moved = draw(st.lists(st.sampled_from(order), unique=True, min_size=1, max_size=4))
    placements = []
    for number, key in enumerate(moved):
        words = draw(st.lists(st.sampled_from(["before", "after"]), min_size=1, unique=True))
        anchors = {word: draw(st.sampled_from([other for other in order if other != key])) for word in words}
        span = Span("rules.yaml", number + 1, 1, number + 1, 2)
        placements.append(Placement(key, {word: Scalar(to, to, span) for word, to in anchors.items()}, span))
    return list(order), placements


def holds(order: list[str], placements: list[Placement], candidate: tuple[str, ...] | list[str]) -> bool:
    """Return whether every wish is met, and what is not moved keeps its order."""
    at = {key: place for place, key in enumerate(candidate)}
    moved = {placement.key for placement in placements}
    rest = [key for key in order if key not in moved]
    return sorted(rest, key=at.__getitem__) == rest and all(
        at[placement.key] < at[to.text] if word == "before" else at[placement.key] > at[to.text]
        for placement in placements
        for word, to in placement.anchors.items()
    )


@given(draw_placements())
def test_an_order_is_found_exactly_where_there_is_one(case: tuple[list[str], list[Placement]]) -> None:
    order, placements = case
    diagnostics = Diagnostics()
    placed = place(order, placements, diagnostics)
    assert sorted(placed) == sorted(order)
    possible = any(holds(order, placements, candidate) for candidate in permutations(order))
    assert (len(diagnostics) == 0) == possible
    if possible:
        assert holds(order, placements, placed)
    else:
        [fault] = diagnostics
        assert fault.code.id == "contradictory-order"
        assert fault.related


@given(draw_placements())
def test_an_entry_with_one_wish_stands_right_beside_what_it_names(case: tuple[list[str], list[Placement]]) -> None:
    order, placements = case
    first = Placement(placements[0].key, dict([next(iter(placements[0].anchors.items()))]), placements[0].span)
    placed = place(order, [first], Diagnostics())
    (word, to), *_ = first.anchors.items()
    assert placed.index(first.key) - placed.index(to.text) == (1 if word == "after" else -1)


@given(st.permutations("abcd"), st.sampled_from(["before", "after"]))
def test_several_beside_one_keep_the_order_written(written: list[str], word: str) -> None:
    span = Span.for_file("rules.yaml")
    placements = [Placement(key, {word: Scalar("x", "x", span)}, span) for key in written]
    placed = place(["x", "y", *"abcd"], placements, Diagnostics())
    assert placed == (["x", *written, "y"] if word == "after" else [*written, "x", "y"])


def test_many_entries_take_no_time() -> None:
    span = Span.for_file("rules.yaml")
    order = [f"k{number}" for number in range(20_000)]
    placements = [Placement(f"k{n}", {"after": Scalar(f"k{n + 5_000}", "", span)}, span) for n in range(200)]
    placements[0] = Placement("k0", {"after": Scalar("k19999", "", span), "before": Scalar("k300", "", span)}, span)
    diagnostics = Diagnostics()
    assert len(place(order, placements, diagnostics)) == 20_000
    assert len(diagnostics) == 1
