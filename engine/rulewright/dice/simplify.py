"""The condensed form of a roll: the shortest sum that rolls the same."""

from __future__ import annotations

from rulewright.dice.ast import (
    Absolute,
    Comparison,
    Constant,
    Either,
    Maximum,
    Minimum,
    Multiplied,
    Named,
    Negation,
    Product,
    Quotient,
    Roll,
    Sum,
    multiply_roll,
    negate,
    total_of,
)


def condense(roll: Roll) -> Roll:
    """Return `roll` with equal dice joined, constants added up at the end, signs and factors taken into sums.

    The distribution stays the same. The order in which dice are rolled may not. Dice that are multiplied stay separate:
    `(2 * 1d6) + 1d6` is condensed already. Dice that are kept, counted or grouped stay as they are.

    >>> from rulewright.dice.parser.notation import parse
    >>> condense(parse("2d6 +6 + 1d6 +3 + 1d6 + 1d6")) == parse("5d6 +9")
    True
    """
    match roll:
        case Sum(terms):
            return total_of(condense(term) for term in terms)
        case Negation(term):
            return _negate(condense(term))
        case Product(factor, inner):
            return _scale(factor, condense(inner))
        case Maximum(rolls):
            return Maximum(tuple(condense(each) for each in rolls))
        case Minimum(rolls):
            return Minimum(tuple(condense(each) for each in rolls))
        case Comparison(operator, left, right):
            return Comparison(operator, condense(left), condense(right))
        case Absolute(inner):
            return Absolute(condense(inner))
        case Multiplied(rolls):
            return Multiplied(tuple(condense(each) for each in rolls))
        case Quotient(left, right, rounding):
            return Quotient(condense(left), condense(right), rounding)
        case Either(condition, then, otherwise):
            return Either(condense(condition), condense(then), condense(otherwise))
        case Named(names, source, body) if len(names) == 1:
            return Named(names, condense(source), condense(body))
    return roll


def _negate(roll: Roll) -> Roll:
    return total_of(map(negate, roll.terms)) if isinstance(roll, Sum) else negate(roll)


def _scale(factor: int, roll: Roll) -> Roll:
    """Return `factor` times `roll`, with the constant of a sum multiplied on its own: 2 * (2d6 +3) is (2 * 2d6) +6."""
    if not isinstance(roll, Sum):
        return multiply_roll(factor, roll)
    constants = sum(term.value for term in roll.terms if isinstance(term, Constant))
    others = [term for term in roll.terms if not isinstance(term, Constant)]
    # The dice stay together under one factor, which is easier to read.
    rolled = total_of(others)
    return total_of((multiply_roll(factor, rolled), Constant(factor * constants)))
