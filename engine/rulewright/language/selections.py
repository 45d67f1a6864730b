"""What there is to choose or draw from: subsets of lists, numbers, the cards that are left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations
from math import comb
from typing import Any

MOST_OPTIONS = 100_000
"""Options one decision may have: beyond it, listing them would stop the game rather than the player."""


def subsets(items: tuple[Any, ...], low: int, high: int) -> tuple[tuple[Any, ...], ...]:
    """Every choice of `low` to `high` of `items`, fewest first, each in the order of `items`."""
    sizes = range(max(low, 0), min(high, len(items)) + 1)
    # The ways are counted one size after the other: for many items, the whole sum would have thousands of digits.
    ways = 0
    for size in sizes:
        ways += comb(len(items), size)
        if ways > MOST_OPTIONS:
            raise OverflowError(f"there are more than {MOST_OPTIONS:,} ways to choose from {len(items)}")
    return tuple(chain.from_iterable(combinations(items, size) for size in sizes))


def numbers(low: int, high: int) -> tuple[int, ...]:
    """Every number from `low` to `high`."""
    if high - low >= MOST_OPTIONS:
        raise OverflowError(f"there are more than {MOST_OPTIONS:,} numbers to choose from")
    return tuple(range(low, high + 1))


def without(cards: Sequence[str], held: Sequence[str]) -> tuple[str, ...]:
    """The cards that are left when those held elsewhere are taken out, one copy for each that is held."""
    taken = Counter(held)
    left = []
    for card in cards:
        if taken[card]:
            taken[card] -= 1
        else:
            left.append(card)
    return tuple(left)
