"""The minimum, maximum, mean and variance of a roll, without listing its outcomes if possible.

Sums, signs, factors, pools and groups have closed forms of any size. Kept dice, maxima, minima and comparisons have
closed bounds, but their mean and variance come from the exact distribution. So do the bounds of `==` and `!=`, and
all values of other rolls. Only then do `limits` apply.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from rulewright.dice.ast import (
    Absolute,
    Comparison,
    Constant,
    Die,
    Group,
    Keep,
    Maximum,
    Minimum,
    Negation,
    Pool,
    Product,
    Roll,
    Sum,
)
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.limits import DEFAULT, DiceLimits

# The equivalent comparison after the two sides are swapped.
_SWAPPED = {"<": ">", "<=": ">="}


def compute_minimum(roll: Roll, *, limits: DiceLimits = DEFAULT) -> int:
    """Return the least value of `roll`."""
    return _compute_bounds(roll, limits)[0]


def compute_maximum(roll: Roll, *, limits: DiceLimits = DEFAULT) -> int:
    """Return the greatest value of `roll`."""
    return _compute_bounds(roll, limits)[1]


@lru_cache(maxsize=1024)  # a game keeps asking for the bounds of the same few rolls
def _compute_bounds(roll: Roll, limits: DiceLimits) -> tuple[int, int]:
    """Return the least and the greatest value of a roll. Cached.

    Raises `DiceError` for a roll whose odds are needed for this and are beyond `limits`.
    """
    match roll:
        case Constant(value):
            return value, value
        case Pool(count, die):
            low, high = _compute_die_bounds(die)
            return count * low, count * high
        case Keep(pool, number):
            low, high = _compute_die_bounds(pool.die)
            return number * low, number * high
        case Sum(terms):
            lows, highs = zip(*[_compute_bounds(term, limits) for term in terms], strict=True)
            return sum(lows), sum(highs)
        case Negation(term):
            low, high = _compute_bounds(term, limits)
            return -high, -low
        case Product(factor, inner):
            low, high = _compute_bounds(inner, limits)
            return min(factor * low, factor * high), max(factor * low, factor * high)
        case Maximum(rolls):
            lows, highs = zip(*[_compute_bounds(each, limits) for each in rolls], strict=True)
            return max(lows), max(highs)
        case Minimum(rolls):
            lows, highs = zip(*[_compute_bounds(each, limits) for each in rolls], strict=True)
            return min(lows), min(highs)
        case Comparison():
            return _compute_comparison_bounds(roll, limits)
        case Absolute(inner):
            low, high = _compute_bounds(inner, limits)
            if low >= 0 or high <= 0:
                return min(abs(low), abs(high)), max(abs(low), abs(high))
        case Group(members):
            ends = [(times, _compute_bounds(each, limits)) for times, each in members]
            return sum(times * low for times, (low, _) in ends), sum(times * high for times, (_, high) in ends)
    outcomes = compute_distribution(roll, limits=limits).outcomes
    return outcomes[0], outcomes[-1]


def _compute_comparison_bounds(roll: Comparison, limits: DiceLimits) -> tuple[int, int]:
    """Return the least and the greatest value of a comparison, each 0 or 1.

    Only `==` and `!=` need odds, for which it raises `DiceError` beyond `limits`.
    """
    if roll.operator in ("==", "!="):
        outcomes = compute_distribution(roll, limits=limits).outcomes
        return outcomes[0], outcomes[-1]
    left, right = _compute_bounds(roll.left, limits), _compute_bounds(roll.right, limits)
    if roll.operator in _SWAPPED:
        left, right = right, left
    if _SWAPPED.get(roll.operator, roll.operator) == ">":
        return int(left[0] > right[1]), int(left[1] > right[0])
    return int(left[0] >= right[1]), int(left[1] >= right[0])


def compute_mean(roll: Roll, *, limits: DiceLimits = DEFAULT) -> Fraction:
    """Return the expected value of `roll`.

    Sums need no odds. Raises `DiceError` for other rolls that are beyond `limits`, or have no odds.
    """
    match roll:
        case Constant(value):
            return Fraction(value)
        case Pool(count, die):
            return count * _compute_die_mean(die)
        case Sum(terms):
            return sum((compute_mean(term, limits=limits) for term in terms), Fraction(0))
        case Negation(term):
            return -compute_mean(term, limits=limits)
        case Product(factor, inner):
            return factor * compute_mean(inner, limits=limits)
        case Group(members):
            return sum((times * compute_mean(each, limits=limits) for times, each in members), Fraction(0))
    return compute_distribution(roll, limits=limits).mean


def compute_variance(roll: Roll, *, limits: DiceLimits = DEFAULT) -> Fraction:
    """Return the variance of `roll`.

    The variances of independent parts are added, and a factor counts squared. Raises `DiceError` for other rolls that
    are beyond `limits`, or have no odds.
    """
    match roll:
        case Constant():
            return Fraction(0)
        case Pool(count, die):
            return count * _compute_die_variance(die)
        case Sum(terms):
            return sum((compute_variance(term, limits=limits) for term in terms), Fraction(0))
        case Negation(term):
            return compute_variance(term, limits=limits)
        case Product(factor, inner):
            return factor * factor * compute_variance(inner, limits=limits)
        case Group(members):
            return sum((times * compute_variance(each, limits=limits) for times, each in members), Fraction(0))
    return compute_distribution(roll, limits=limits).variance


def _compute_die_bounds(die: Die) -> tuple[int, int]:
    faces = die.faces
    return (faces[0], faces[-1]) if isinstance(faces, range) else (min(faces), max(faces))


def _compute_die_mean(die: Die) -> Fraction:
    faces = die.faces
    if isinstance(faces, range) and die.weights is None:
        return Fraction(faces[0] + faces[-1], 2)
    return Fraction(sum(face * ways for face, ways in die.count_ways().items()), die.ways)


def _compute_die_variance(die: Die) -> Fraction:
    faces = die.faces
    if isinstance(faces, range) and die.weights is None:
        # The variance of n values one apart is (n^2 - 1) / 12.
        return faces.step**2 * Fraction(len(faces) ** 2 - 1, 12)
    return (
        Fraction(sum(face * face * ways for face, ways in die.count_ways().items()), die.ways)
        - _compute_die_mean(die) ** 2
    )
