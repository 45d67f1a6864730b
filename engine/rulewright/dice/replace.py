"""A roll with values in place of its names, and everything reckoned that has no dice left."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from math import prod

from rulewright.dice.errors import DiceError
from rulewright.dice.rounding import divide
from rulewright.dice.tree import (
    Absolute,
    Comparison,
    Constant,
    Count,
    Either,
    Group,
    Maximum,
    Minimum,
    Multiplied,
    Named,
    Negation,
    Product,
    Quotient,
    Roll,
    Several,
    Sum,
    Trim,
    Variable,
    negate,
    parts,
    scale,
    sum_of,
)

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
"""What the operators of a comparison do."""


def replaced(roll: Roll, values: Mapping[str, int]) -> Roll:
    """`roll` where the names of `values` have them. Equal ways to go on become equal rolls.

    >>> from rulewright.dice.parse import parse
    >>> whole = parse("1d20 as x: 2 * 1d8 if x == 20 else 1d8")
    >>> replaced(whole.body, {"x": 20}) == parse("2 * 1d8")
    True
    """
    match roll:
        case Variable(name):
            return Constant(values[name]) if name in values else roll
        case Sum(terms):
            return _sum([replaced(term, values) for term in terms])
        case Negation(inner):
            return negate(replaced(inner, values))
        case Product(factor, inner):
            return scale(factor, replaced(inner, values))
        case Maximum(rolls) | Minimum(rolls):
            return _extreme(type(roll), [replaced(each, values) for each in rolls])
        case Comparison(symbol, left, right):
            return _comparison(symbol, replaced(left, values), replaced(right, values))
        case Absolute(inner):
            inside = replaced(inner, values)
            return Constant(abs(inside.value)) if isinstance(inside, Constant) else Absolute(inside)
        case Multiplied(rolls):
            return _multiplied([replaced(each, values) for each in rolls])
        case Quotient(left, right, rounding):
            return _quotient(replaced(left, values), replaced(right, values), rounding)
        case Either(condition, then, otherwise):
            settled = replaced(condition, values)
            if isinstance(settled, Constant):
                return replaced(then if settled.value else otherwise, values)
            return Either(settled, replaced(then, values), replaced(otherwise, values))
        case Named(names, source, body):
            rolled = replaced(source, values)
            inner_values = {name: value for name, value in values.items() if name not in names}
            if isinstance(rolled, Constant) and len(names) == 1:
                return replaced(body, {**inner_values, names[0]: rolled.value})
            return Named(names, rolled, replaced(body, inner_values))
        case Several(count, inner):
            return several(replaced(count, values), replaced(inner, values))
        case Group(members):
            return Group(tuple((times, replaced(inner, values)) for times, inner in members))
        case Trim(pool, low, high):
            inside = replaced(pool, values)
            assert isinstance(inside, type(pool))
            return Trim(inside, low, high)
        case Count(pool, symbol, threshold):
            inside = replaced(pool, values)
            assert isinstance(inside, type(pool))
            return Count(inside, symbol, replaced(threshold, values))
    return roll


def free_names(roll: Roll) -> frozenset[str]:
    """The names in `roll` that are given to nothing in it."""
    if isinstance(roll, Variable):
        return frozenset((roll.name,))
    if isinstance(roll, Named):
        return free_names(roll.source) | (free_names(roll.body) - frozenset(roll.names))
    return frozenset().union(*map(free_names, parts(roll)))


def several(count: Roll, roll: Roll) -> Roll:
    """`roll` as many times as `count` says, summed."""
    if not isinstance(count, Constant):
        return Several(count, roll)
    if count.value < 1 or isinstance(roll, Constant):
        return Constant(max(count.value, 0) * roll.value if isinstance(roll, Constant) else 0)
    return Group(((count.value, roll),)) if count.value > 1 else roll


def _sum(terms: list[Roll]) -> Roll:
    if all(isinstance(term, Constant) for term in terms):
        return Constant(sum(term.value for term in terms if isinstance(term, Constant)))
    return sum_of(terms)


def _extreme(kind: type[Roll], rolls: list[Roll]) -> Roll:
    known = [each.value for each in rolls if isinstance(each, Constant)]
    if len(known) == len(rolls):
        return Constant(max(known) if kind is Maximum else min(known))
    return kind(tuple(rolls))  # type: ignore[call-arg]


def _comparison(symbol: str, left: Roll, right: Roll) -> Roll:
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(int(OPERATORS[symbol](left.value, right.value)))
    return Comparison(symbol, left, right)


def _multiplied(rolls: list[Roll]) -> Roll:
    factor = prod(each.value for each in rolls if isinstance(each, Constant))
    others = tuple(each for each in rolls if not isinstance(each, Constant))
    if not others:
        return Constant(factor)
    if factor == 0:
        return Multiplied((Constant(0), *others))  # what is multiplied by 0 is rolled all the same
    return scale(factor, others[0] if len(others) == 1 else Multiplied(others))


def _quotient(left: Roll, right: Roll, rounding: str) -> Roll:
    if isinstance(right, Constant) and right.value == 0:
        raise DiceError("dice-count", "nothing can be divided by 0, which this divisor can come to")
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(divide(left.value, right.value, rounding))
    return Quotient(left, right, rounding)
