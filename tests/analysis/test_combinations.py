"""Which settings are played: all of them, or few that bring any two choices together."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from rulewright.analysis.simulation.fuzz import combine_all, combine_pairwise, to_play

CHOICES = st.lists(st.integers(1, 5), min_size=0, max_size=6).map(
    lambda sizes: {f"o{place}": tuple(f"c{n}" for n in range(size)) for place, size in enumerate(sizes)}
)


def pairs(rows: list[dict[str, str]]) -> set[frozenset[tuple[str, str]]]:
    return {frozenset(pair) for row in rows for pair in combinations(row.items(), 2)}


@given(CHOICES)
def test_a_covering_set_brings_together_what_all_combinations_do(choices: dict[str, tuple[str, ...]]) -> None:
    whole, few = combine_all(choices), combine_pairwise(choices)
    assert all(row in whole for row in few)
    assert pairs(few) == pairs(whole)
    assert len({tuple(row.items()) for row in few}) == len(few) <= len(whole)
    # No fewer could do than the two options with the most choices have pairs.
    largest = sorted(map(len, choices.values()))[-2:]
    assert len(few) >= (largest[0] * largest[1] if len(largest) == 2 else len(whole))


def test_a_covering_set_is_small() -> None:
    ten = {f"o{n}": ("a", "b", "c", "d") for n in range(10)}
    assert len(combine_pairwise(ten)) <= 40  # of 1,048,576; at least 16


@given(CHOICES, st.integers(0, 60), st.data())
def test_those_that_must_end_have_what_is_pinned(
    choices: dict[str, tuple[str, ...]], most: int, data: st.DataObject
) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(choices)), unique=True)) if choices else []
    pinned = {name: data.draw(st.sampled_from(choices[name])) for name in names}
    ending, others, whole = to_play(choices, pinned, most=most)
    assert all(row[name] == pinned[name] for row in ending for name in pinned)
    assert all(any(row[name] != pinned[name] for name in pinned) for row in others)
    both = [*ending, *others]
    assert whole == (len(combine_all(choices)) <= most)
    assert pairs(both) == pairs(combine_all(choices))
    if whole:
        assert sorted(map(sorted, (row.items() for row in both))) == sorted(
            map(sorted, (row.items() for row in combine_all(choices)))
        )
