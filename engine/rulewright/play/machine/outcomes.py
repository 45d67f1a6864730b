"""The outcomes of a chance, each with its exact probability."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rulewright.dice.distribution import distribution
from rulewright.dice.tree import Roll


@lru_cache(maxsize=1024)
def outcomes(source: Any) -> tuple[tuple[Any, Fraction], ...]:
    """The totals of a roll, or the cards of a deck, in order. Raises `DiceError` where a roll is beyond the limits."""
    if isinstance(source, Roll):
        found = distribution(source)
        return tuple((total, found.probability(total)) for total in found.outcomes)
    if isinstance(source, int):
        return ((source, Fraction(1)),)
    counts = Counter(source)
    return tuple((card, Fraction(count, len(source))) for card, count in counts.items())


@lru_cache(maxsize=4096)
def chances(source: Any) -> tuple[tuple[Any, ...], tuple[float, ...]]:
    """The outcomes and their probabilities as floating-point numbers, for samplers that want speed over exactness."""
    found = outcomes(source)
    return tuple(outcome for outcome, _ in found), tuple(float(chance) for _, chance in found)
