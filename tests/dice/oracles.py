"""Answers found another way than the program finds them: by listing every outcome, and by icepool."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from math import ceil, floor, prod, trunc
from typing import Any

import icepool  # type: ignore[import-untyped]

from rulewright.dice.ast import (
    Absolute,
    Comparison,
    Constant,
    Count,
    Die,
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
    """Return the faces of every die of `roll`, in the order they are rolled.

    For a roll that always rolls the same dice.
    """
    match roll:
        case Pool(count, die):
            return [tuple(die.faces)] * count
        case Group(members):
            return [die for times, each in members for die in dice_of(each) * times]
    return [die for each in list_parts(roll) for die in dice_of(each)]


class Missing(Exception):  # noqa: N818 - it is no error
    """A die that the script does not say the face of."""

    def __init__(self, die: Die) -> None:
        self.die = die


class Falls:
    """Faces in order; a die beyond them is `Missing`."""

    def __init__(self, faces: Iterable[int]) -> None:
        self.faces = iter(faces)

    def next(self, die: Die) -> int:
        for face in self.faces:
            return face
        raise Missing(die)


Names = dict[str, int]


def results(roll: Roll, falls: Falls, names: Names) -> list[int]:
    """Return the results side by side of dice together, those that are kept."""
    match roll:
        case Pool(count, die):
            return [falls.next(die) for _ in range(count)]
        case Keep(pool, number, highest):
            shown = sorted(results(pool, falls, names))
            return shown[-number:] if highest else shown[:number]
        case Trim(pool, low, high):
            shown = sorted(results(pool, falls, names))
            return shown[low : len(shown) - high]
        case Group(members):
            return [value(each, falls, names) for times, each in members for _ in range(times)]
    raise AssertionError(roll)


def value(roll: Roll, falls: Falls | Iterator[int], names: Names | None = None) -> int:
    """Return what `roll` comes to when its dice fall so."""
    names = names or {}
    if not isinstance(falls, Falls):
        falls = Falls(falls)

    def of(inner: Roll) -> int:
        return value(inner, falls, names)

    match roll:
        case Constant(number):
            return number
        case Variable(name):
            return names[name]
        case Pool() | Keep() | Trim() | Group():
            return sum(results(roll, falls, names))
        case Sum(terms):
            return sum([of(term) for term in terms])
        case Negation(term):
            return -of(term)
        case Product(factor, inner):
            return factor * of(inner)
        case Multiplied(rolls):
            return prod([of(each) for each in rolls])
        case Quotient(left, right, rounding):
            over = of(left)
            return rounded(Fraction(over, of(right)), rounding)
        case Absolute(inner):
            return abs(of(inner))
        case Maximum(rolls):
            return max([of(each) for each in rolls])
        case Minimum(rolls):
            return min([of(each) for each in rolls])
        case Comparison(symbol, left, right):
            first = of(left)
            return int(OPERATORS[symbol](first, of(right)))
        case Either(condition, then, otherwise):
            return of(then) if of(condition) else of(otherwise)
        case Named([name], source, body):
            return value(body, falls, {**names, name: of(source)})
        case Named(several, source, body):
            shown = sorted(results(source, falls, names), reverse=True)
            return value(body, falls, {**names, **dict(zip(several, shown, strict=True))})
        case Several(count, inner):
            return sum([of(inner) for _ in range(of(count))])
        case Count(pool, symbol, threshold):
            return len([each for each in results(pool, falls, names) if OPERATORS[symbol](each, of(threshold))])
        case Matching(what, pool, number):
            return matched(what, results(pool, falls, names), number)
    raise AssertionError(roll)


def matched(what: str, shown: list[int], number: int) -> int:
    """Return what equal results come to."""
    often = [shown.count(each) for each in set(shown)]
    if what == "alike":
        return max(often)
    if what == "sets":
        return len([count for count in often if count >= number])
    if what == "different":
        return len(often)
    return max(
        length for start in shown for length in range(1, len(shown) + 1) if {*range(start, start + length)} <= {*shown}
    )


def rounded(share: Fraction, rounding: str) -> int:
    """Return a fraction as a whole number."""
    if rounding == "nearest":
        whole = floor(abs(share) + Fraction(1, 2))
        return whole if share >= 0 else -whole
    return {"down": floor, "up": ceil, "truncate": trunc}[rounding](share)


def ways_to_fall(roll: Roll, most: int = 10**9) -> Iterator[tuple[list[int], int, Fraction]]:
    """Yield every way the dice of `roll` can fall: their faces, the value, the chance. AssertionError beyond `most`."""
    waiting: list[tuple[list[int], Fraction]] = [([], Fraction(1))]
    seen = 0
    while waiting:
        shown, chance = waiting.pop()
        seen += 1
        assert seen <= most
        try:
            yield shown, value(roll, Falls(shown)), chance
        except Missing as missing:
            die = missing.die
            weights = die.weights or [1] * len(die.faces)
            for face, weight in zip(die.faces, weights, strict=True):
                waiting.append(([*shown, face], chance * Fraction(weight, sum(weights))))


def brute_force(roll: Roll) -> dict[int, Fraction]:
    """Return the distribution of `roll` from every way its dice can fall."""
    chances: dict[int, Fraction] = {}
    for _, total, chance in ways_to_fall(roll):
        chances[total] = chances.get(total, Fraction(0)) + chance
    return chances


def by_icepool(roll: Roll) -> dict[int, Fraction]:
    """Return the distribution of `roll` as icepool has it."""
    die = _icepool(roll)
    return {int(outcome): Fraction(count, die.denominator()) for outcome, count in die.items() if count}


def _icepool_die(die: Die) -> Any:
    return icepool.Die(list(die.faces), times=die.weights or 1)


def _icepool(roll: Roll) -> Any:
    match roll:
        case Constant(number):
            return icepool.Die([number])
        case Pool(count, die):
            return count @ _icepool_die(die)
        case Keep(pool, number, highest):
            dice = _icepool_die(pool.die).pool(pool.count)
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
        case Multiplied(rolls):
            return reduce(operator.mul, [_icepool(each) for each in rolls])
        case Quotient(left, right, rounding):
            return icepool.map(lambda a, b: rounded(Fraction(a, b), rounding), _icepool(left), _icepool(right))
        case Absolute(inner):
            return abs(_icepool(inner))
        case Either(condition, then, otherwise):
            return (_icepool(condition) != 0).if_else(_icepool(then), _icepool(otherwise))
        case Several(count, inner):
            return _icepool(count).map(lambda number: max(number, 0)) @ _icepool(inner)
        case Group(members):
            return sum((times @ _icepool(each) for times, each in members), icepool.Die([0]))
        case Trim(pool, low, high):
            return _icepool_pool(pool)[low : pool.count - high].sum()
        case Count(Pool(number, die), symbol, Constant(threshold)):
            return number @ _icepool_die(die).map(lambda face: int(OPERATORS[symbol](face, threshold)))
    raise AssertionError(roll)


def _icepool_pool(pool: Pool | Group) -> Any:
    if isinstance(pool, Pool):
        return _icepool_die(pool.die).pool(pool.count)
    return icepool.Pool([_icepool(each) for times, each in pool.members for _ in range(times)])
