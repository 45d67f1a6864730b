"""Bounds on the value and the number of dice of a roll, from its tree alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rulewright.dice.ast import (
    Absolute,
    Comparison,
    Constant,
    Count,
    Either,
    Group,
    Keep,
    Matching,
    Maximum,
    Minimum,
    Multiplied,
    Named,
    Negation,
    Pool,
    Product,
    Quotient,
    Roll,
    Several,
    Sum,
    Trim,
    Variable,
    list_parts,
    split_trimmed,
)

Ends = tuple[int, int]
"""A lower and an upper bound."""

_NONE: Mapping[str, Ends] = MappingProxyType({})


def reach(roll: Roll, names: Mapping[str, Ends] = _NONE) -> Ends:
    """Return bounds of `roll`, which need not be tight. Raises `TypeError` for anything but a roll.

    `names` has the bounds of its free names. A name without bounds counts as 0.
    """
    match roll:
        case Constant(value):
            return value, value
        case Variable(name):
            return names.get(name, (0, 0))
        case Pool(count, die):
            return count * min(die.faces), count * max(die.faces)
        case Keep(pool, number):
            return number * min(pool.die.faces), number * max(pool.die.faces)
        case Sum(terms):
            return _sum_ends([reach(term, names) for term in terms])
        case Negation(inner):
            low, high = reach(inner, names)
            return -high, -low
        case Product(factor, inner):
            return _products([(factor, factor), reach(inner, names)])
        case Multiplied(rolls):
            return _products([reach(each, names) for each in rolls])
        case Maximum(rolls) | Minimum(rolls):
            chosen = max if isinstance(roll, Maximum) else min
            lows, highs = zip(*[reach(each, names) for each in rolls], strict=True)
            return chosen(lows), chosen(highs)
        case Absolute(inner):
            return 0, max(map(abs, reach(inner, names)))
        case Quotient(left):
            # Dividing by a whole number never increases an absolute value.
            most = max(map(abs, reach(left, names)))
            return -most, most
        case Either(_, then, otherwise):
            (low, high), (other_low, other_high) = reach(then, names), reach(otherwise, names)
            return min(low, other_low), max(high, other_high)
        case Named(_, _, body):
            return reach(body, {**names, **bound_names(roll, names)})
        case Several(count, inner):
            return _products([(0, max(reach(count, names)[1], 0)), reach(inner, names)])
        case Group(members):
            return _sum_ends([_products([(times, times), reach(inner, names)]) for times, inner in members])
        case Trim(pool, low, high):
            saved = pool.count - low - high
            least, greatest = _one_of(pool, names)
            return saved * least, saved * greatest
        case Count(counted):
            pool, low, high = split_trimmed(counted)
            return 0, pool.count - low - high
        case Matching(_, pool):
            return 0, pool.count
        case Comparison():
            return 0, 1
    raise TypeError(f"{type(roll).__name__} is not a roll")


def bound_names(roll: Named, names: Mapping[str, Ends]) -> dict[str, Ends]:
    """Return bounds of each name that `roll` binds."""
    if len(roll.names) == 1:
        return {roll.names[0]: reach(roll.source, names)}
    pool, _, _ = split_trimmed(roll.source)  # type: ignore[arg-type]
    return dict.fromkeys(roll.names, _one_of(pool, names))


def _one_of(pool: Pool | Group, names: Mapping[str, Ends]) -> Ends:
    """Return bounds of each single result of a pool."""
    if isinstance(pool, Pool):
        return min(pool.die.faces), max(pool.die.faces)
    ends = [reach(inner, names) for _, inner in pool.members]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _sum_ends(ends: list[Ends]) -> Ends:
    return sum(low for low, _ in ends), sum(high for _, high in ends)


def _products(ends: list[Ends]) -> Ends:
    """Return the bounds of a product from those of its factors."""
    low, high = ends[0]
    for other_low, other_high in ends[1:]:
        corners = (low * other_low, low * other_high, high * other_low, high * other_high)
        low, high = min(corners), max(corners)
    return low, high


def count_dice(roll: Roll, names: Mapping[str, Ends] = _NONE) -> int:
    """Return an upper bound of the number of dice that `roll` rolls. `names` has the bounds of its free names.

    A repeated part without dice counts as a die.
    """
    match roll:
        case Pool(count):
            return count
        case Several(count, inner):
            return count_dice(count, names) + max(reach(count, names)[1], 0) * max(count_dice(inner, names), 1)
        case Group(members):
            return sum(times * max(count_dice(inner, names), 1) for times, inner in members)
        case Either(condition, then, otherwise):
            return count_dice(condition, names) + max(count_dice(then, names), count_dice(otherwise, names))
        case Named(_, source, body):
            return count_dice(source, names) + count_dice(body, {**names, **bound_names(roll, names)})
    return sum(count_dice(each, names) for each in list_parts(roll))


def is_rolled(roll: Roll) -> bool:
    """Return whether `roll` rolls how many dice there are, somewhere in it."""
    return isinstance(roll, Several) or any(is_rolled(each) for each in list_parts(roll))
