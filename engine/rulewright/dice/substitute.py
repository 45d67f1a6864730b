"""Replacement of names by values in a roll, with all parts computed that have no dice left."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping
from math import prod

from rulewright.dice.ast import (
    Absolute,
    Comparison,
    Constant,
    Count,
    Either,
    Group,
    Matching,
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
    list_parts,
    multiply_roll,
    negate,
    sum_of,
)
from rulewright.dice.dice_error import DiceError
from rulewright.dice.rounding import divide

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
"""The functions of the comparison operators."""


def _run(values: list[int], number: int) -> int:
    """Return the length of the longest run of consecutive values. `number` is not used."""
    there = set(values)
    longest = 0
    for value in there:
        if value - 1 not in there:
            end = value
            while end in there:
                end += 1
            longest = max(longest, end - value)
    return longest


MATCHING: dict[str, Callable[[list[int], int], int]] = {
    "alike": lambda values, number: max(Counter(values).values()),
    "sets": lambda values, number: sum(count >= number for count in Counter(values).values()),
    "different": lambda values, number: len(set(values)),
    "run": _run,
}
"""The functions of `Matching` by kind, from the results and its `number`."""


def substitute(roll: Roll, values: Mapping[str, int], *, settle: bool = False) -> Roll:
    """Return `roll` with the values of names inserted. Equal continuations become equal rolls.

    >>> from rulewright.dice.parser.notation import parse
    >>> whole = parse("1d20 as x: 2 * 1d8 if x == 20 else 1d8")
    >>> substitute(whole.body, {"x": 20}) == parse("2 * 1d8")
    True

    Parts without dice are computed, which raises `DiceError` for a division by 0. With `settle`, groups of known
    results are computed as well. Only odds may do that, because sampling draws dice in the order of the tree.
    """

    def of(inner: Roll) -> Roll:
        return substitute(inner, values, settle=settle)

    match roll:
        case Variable(name):
            return Constant(values[name]) if name in values else roll
        case Sum(terms):
            return _sum([of(term) for term in terms])
        case Negation(inner):
            return negate(of(inner))
        case Product(factor, inner):
            return multiply_roll(factor, of(inner))
        case Maximum(rolls) | Minimum(rolls):
            return _extreme(type(roll), [of(each) for each in rolls])
        case Comparison(symbol, left, right):
            return _comparison(symbol, of(left), of(right))
        case Absolute(inner):
            inside = of(inner)
            return Constant(abs(inside.value)) if isinstance(inside, Constant) else Absolute(inside)
        case Multiplied(rolls):
            return _multiply([of(each) for each in rolls])
        case Quotient(left, right, rounding):
            return _quotient(of(left), of(right), rounding)
        case Either(condition, then, otherwise):
            settled = of(condition)
            if isinstance(settled, Constant):
                return of(then if settled.value else otherwise)
            return Either(settled, of(then), of(otherwise))
        case Named(names, source, body):
            rolled = of(source) if len(names) == 1 else _together(source, of)
            inner_values = {name: value for name, value in values.items() if name not in names}
            if isinstance(rolled, Constant) and len(names) == 1:
                return substitute(body, {**inner_values, names[0]: rolled.value}, settle=settle)
            return Named(names, rolled, substitute(body, inner_values, settle=settle))
        case Several(count, inner):
            return repeat_roll(of(count), of(inner))
        case Group() | Trim():
            together = _together(roll, of)
            known = _find_known(together) if settle else None
            return together if known is None else Constant(sum(known))
        case Count(pool, symbol, threshold):
            together, least = _together(pool, of), of(threshold)
            known = _find_known(together) if settle else None
            if known is None or not isinstance(least, Constant):
                return Count(together, symbol, least)  # type: ignore[arg-type]
            return Constant(sum(OPERATORS[symbol](value, least.value) for value in known))
        case Matching(what, pool, number):
            together = _together(pool, of)
            known = _find_known(together) if settle else None
            if known is None:
                return Matching(what, together, number)  # type: ignore[arg-type]
            return Constant(MATCHING[what](known, number))
    return roll


def _together(roll: Roll, of: Callable[[Roll], Roll]) -> Roll:
    """Return a group with `of` applied to each result. It remains a group even if all results are known."""
    match roll:
        case Group(members):
            return Group(tuple((times, of(inner)) for times, inner in members))
        case Trim(pool, low, high):
            return Trim(_together(pool, of), low, high)  # type: ignore[arg-type]
    return roll


def _find_known(roll: Roll) -> list[int] | None:
    """Return the results of a group after dropping, in ascending order, or None unless all are constants."""
    group, low, high = (roll.pool, roll.low, roll.high) if isinstance(roll, Trim) else (roll, 0, 0)
    members = group.members if isinstance(group, Group) else ((1, group),)
    results = sorted(inner.value for times, inner in members for _ in range(times) if isinstance(inner, Constant))
    whole = isinstance(group, Group) and len(results) == group.count
    return results[low : len(results) - high] if whole else None


def free_names(roll: Roll) -> frozenset[str]:
    """Return the names that `roll` uses but does not bind."""
    if isinstance(roll, Variable):
        return frozenset((roll.name,))
    if isinstance(roll, Named):
        return free_names(roll.source) | (free_names(roll.body) - frozenset(roll.names))
    return frozenset().union(*map(free_names, list_parts(roll)))


def repeat_roll(count: Roll, roll: Roll) -> Roll:
    """Return the sum of `count` separate rolls of `roll`: a `Group`, or a `Several` if `count` is rolled itself.

    A single roll is returned itself. A constant count below 1 gives 0.
    """
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


def _multiply(rolls: list[Roll]) -> Roll:
    """Return the product with its numbers multiplied.

    A roll that is multiplied by 0 stays, because it is still rolled.
    """
    factor = prod(each.value for each in rolls if isinstance(each, Constant))
    others = tuple(each for each in rolls if not isinstance(each, Constant))
    if not others:
        return Constant(factor)
    if factor == 0:
        return Multiplied((Constant(0), *others))  # a roll multiplied by 0 is still rolled
    return multiply_roll(factor, others[0] if len(others) == 1 else Multiplied(others))


def _quotient(left: Roll, right: Roll, rounding: str) -> Roll:
    """Return the quotient, or its value if it has no dice. Raises `DiceError` if the divisor is the number 0."""
    if isinstance(right, Constant) and right.value == 0:
        raise DiceError("dice-count", "division by 0: this divisor can be 0")
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(divide(left.value, right.value, rounding))
    return Quotient(left, right, rounding)
