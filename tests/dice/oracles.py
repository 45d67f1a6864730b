"""Answers found another way than the program finds them: by listing every outcome, and by icepool."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import icepool  # type: ignore[import-untyped]

from rulewright.dice.tree import (
    Comparison,
    Constant,
    Keep,
    Maximum,
    Minimum,
    Negation,
    Pool,
    Product,
    Roll,
    Sum,
)

OPERATORS = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}


def dice_of(roll: Roll) -> list[tuple[int, ...]]:
    """The faces of every die of `roll`, in the order they are rolled."""
    match roll:
        case Pool(count, die):
            return [tuple(die.faces)] * count
        case Keep(pool):
            return dice_of(pool)
        case Sum(rolls) | Maximum(rolls) | Minimum(rolls):
            return [die for each in rolls for die in dice_of(each)]
        case Negation(inner) | Product(_, inner):
            return dice_of(inner)
        case Comparison(_, left, right):
            return dice_of(left) + dice_of(right)
    return []


def value(roll: Roll, faces: Iterator[int]) -> int:
    """What `roll` comes to when its dice show `faces`."""
    match roll:
        case Constant(number):
            return number
        case Pool(count):
            return sum(next(faces) for _ in range(count))
        case Keep(pool, number, highest):
            shown = sorted(next(faces) for _ in range(pool.count))
            return sum(shown[-number:] if highest else shown[:number])
        case Sum(terms):
            return sum([value(term, faces) for term in terms])
        case Negation(term):
            return -value(term, faces)
        case Product(factor, inner):
            return factor * value(inner, faces)
        case Maximum(rolls):
            return max([value(each, faces) for each in rolls])
        case Minimum(rolls):
            return min([value(each, faces) for each in rolls])
        case Comparison(symbol, left, right):
            first = value(left, faces)
            return int(OPERATORS[symbol](first, value(right, faces)))
    raise AssertionError(roll)


def brute_force(roll: Roll) -> dict[int, Fraction]:
    """The distribution of `roll` from every way its dice can fall."""
    counts = Counter(value(roll, iter(faces)) for faces in product(*dice_of(roll)))
    return {outcome: Fraction(count, counts.total()) for outcome, count in counts.items()}


def by_icepool(roll: Roll) -> dict[int, Fraction]:
    """The distribution of `roll` as icepool has it."""
    die = _icepool(roll)
    return {int(outcome): Fraction(count, die.denominator()) for outcome, count in die.items() if count}


def _icepool(roll: Roll) -> Any:
    match roll:
        case Constant(number):
            return icepool.Die([number])
        case Pool(count, die):
            return count @ icepool.Die(list(die.faces))
        case Keep(pool, number, highest):
            dice = icepool.Die(list(pool.die.faces)).pool(pool.count)
            return (dice.highest(number) if highest else dice.lowest(number)).sum()
        case Sum(terms):
            total = icepool.Die([0])
            for term in terms:
                total += _icepool(term)
            return total
        case Negation(term):
            return -_icepool(term)
        case Product(factor, inner):
            return _icepool(inner) * factor
        case Maximum(rolls):
            return icepool.highest(*[_icepool(each) for each in rolls])
        case Minimum(rolls):
            return icepool.lowest(*[_icepool(each) for each in rolls])
        case Comparison(symbol, left, right):
            return OPERATORS[symbol](_icepool(left), _icepool(right)).map({False: 0, True: 1})
    raise AssertionError(roll)
