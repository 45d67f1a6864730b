"""Rolls for property tests, canonical as the parser and the builders make them."""

from __future__ import annotations

from hypothesis import strategies as st

from rulewright.dice.tree import (
    COMPARISONS,
    Comparison,
    Constant,
    Die,
    Keep,
    Maximum,
    Minimum,
    Pool,
    Roll,
    die,
    negate,
    scale,
    sum_of,
)

NAMED = {
    "dP": Die(range(10, 101, 10), "dP"),
    "dFate": Die((-1, 0, 1), "dFate"),
    "dOdd": Die((5, 1, 1, 2), "dOdd"),
    "dSure": Die((4, 4), "dSure"),
}

dice = st.one_of(st.sampled_from([1, 2, 3, 4, 6, 8, 10, 12, 20]).map(die), st.sampled_from(list(NAMED.values())))


def rolls(*, most_dice: int = 4, depth: int = 3) -> st.SearchStrategy[Roll]:
    """Trees up to `depth` levels, with pools of at most `most_dice` dice."""
    pools = st.builds(Pool, st.integers(1, most_dice), dice)
    kept = pools.flatmap(lambda pool: st.builds(Keep, st.just(pool), st.integers(1, pool.count), st.booleans()))
    tree: st.SearchStrategy[Roll] = st.one_of(pools, pools, kept, st.builds(Constant, st.integers(-20, 20)))
    for _ in range(depth - 1):
        tree = st.one_of(tree, _above(tree))
    return tree


def _above(inner: st.SearchStrategy[Roll]) -> st.SearchStrategy[Roll]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        several.map(sum_of),
        several.map(sum_of),
        inner.map(negate),
        st.builds(scale, st.integers(-4, 5), inner),
        several.map(lambda parts: Maximum(tuple(parts))),
        several.map(lambda parts: Minimum(tuple(parts))),
        st.builds(Comparison, st.sampled_from(COMPARISONS), inner, inner),
    )
