"""The minimum and maximum of a roll with odds that are too large, if they follow from its tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright.dice.ast import Negation, Product, Roll, Sum
from rulewright.dice.sampling.samplers import SamplerParts, compile_roll
from rulewright.dice.static_bounds import Ends, reach


def find_extremes(roll: Roll, seen: Iterable[int] = ()) -> tuple[Ends, bool]:
    """Return bounds of `roll`, and whether it is known to reach both.

    >>> from rulewright.dice.parser.notation import parse
    >>> find_extremes(parse("1d1000 as x: 1d1000 as y: x * y"))
    ((1, 1000000), True)

    `seen` are some of its results. The bounds follow from the tree. Both are reached if the roll reaches them with all
    dice at their minimum or maximum, or in `seen`. Raises `DiceError` if such dice make a divisor 0.
    """
    low, high = reach(roll)
    outcomes = {*seen, *_extremes(roll)}
    return (low, high), low in outcomes and high in outcomes


def _extremes(roll: Roll) -> tuple[int, int]:
    """Return two reachable values of `roll`: its minimum and maximum if it is monotonic in its dice.

    Raises `DiceError` for a divisor that is 0 if all dice show their least or all their greatest face.
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
    """Return sampler parts with dice that all show their least face (`end` 0) or their greatest (1)."""

    def always(value: Any) -> Callable[[Any], Any]:
        return lambda context: value

    return SamplerParts(
        lambda rolled: always(reach(rolled)[end]),
        lambda pool: always((reach(pool)[end] // pool.count,) * pool.count),
        False,
    )
