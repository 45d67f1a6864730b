"""The least and the greatest value of a roll whose odds are too large, where they can be known without odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright.dice.ast import Negation, Product, Roll, Sum
from rulewright.dice.sampling.samplers import SamplerParts, compile_roll
from rulewright.dice.static_bounds import Ends, reach


def find_extremes(roll: Roll, seen: Iterable[int] = ()) -> tuple[Ends, bool]:
    """Return between which values `roll` lies, and whether it is known to come to both.

    `seen` are some that it came to.

    What it cannot leave is known of its tree; it comes to both ends where it does so with all dice at their least, or
    at their greatest, or did so in `seen`.

    >>> from rulewright.dice.parser.notation import parse
    >>> find_extremes(parse("1d1000 as x: 1d1000 as y: x * y"))
    ((1, 1000000), True)
    """
    low, high = reach(roll)
    came = {*seen, *_extremes(roll)}
    return (low, high), low in came and high in came


def _extremes(roll: Roll) -> tuple[int, int]:
    """Return two values that `roll` comes to.

    Where larger dice make it larger, or smaller, its least and its greatest.
    """
    match roll:
        case Sum(terms):
            lows, highs = zip(*map(_extremes, terms), strict=True)
            return sum(lows), sum(highs)
        case Negation(inner):
            low, high = _extremes(inner)
            return -high, -low
        case Product(factor, inner):
            first, last = (factor * value for value in _extremes(inner))
            return min(first, last), max(first, last)
    first, last = (compile_roll(roll, _all_at(end))(None) for end in (0, 1))
    return min(first, last), max(first, last)


def _all_at(end: int) -> SamplerParts:
    """Return dice that all show their least face (0) or their greatest (1)."""

    def always(value: Any) -> Callable[[Any], Any]:
        return lambda context: value

    return SamplerParts(
        lambda rolled: always(reach(rolled)[end]),
        lambda pool: always((reach(pool)[end] // pool.count,) * pool.count),
        False,
    )
