"""The text of a roll, in the notation of the games: `2d6 +6`, `(5 * 1d6) +3`."""

from __future__ import annotations

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

SYMBOL = "🎲"
"""The picture that may stand before a roll."""


def text(roll: Roll, *, symbol: bool = False) -> str:
    """`roll` in notation, after a 🎲 where `symbol` is set.

    Parsing the text of a roll gives the roll again, if it was built by the parser or the functions of
    `rulewright.dice.tree`.

    >>> from rulewright.dice.tree import Constant, Pool, Sum, die
    >>> text(Sum((Pool(2, die(6)), Constant(6))), symbol=True)
    '🎲 2d6 +6'
    """
    return f"{SYMBOL} {_text(roll)}" if symbol else _text(roll)


def _text(roll: Roll) -> str:
    match roll:
        case Constant(value):
            return str(value)
        case Pool(count, die):
            return f"{count}{die.name}"
        case Keep(pool, number, highest):
            return f"{_text(pool)}{'kh' if highest else 'kl'}{number}"
        case Sum(terms):
            return _term(terms[0]) + "".join(map(_signed, terms[1:]))
        case Negation(term):
            return "-" + _operand(term)
        case Product(factor, inner):
            return f"{factor} * {_operand(inner)}"
        case Maximum(rolls):
            return f"max({', '.join(map(_text, rolls))})"
        case Minimum(rolls):
            return f"min({', '.join(map(_text, rolls))})"
        case Comparison(operator, left, right):
            return f"{_side(left)} {operator} {_side(right)}"
    raise TypeError(f"{type(roll).__name__} is no roll")


def _signed(roll: Roll) -> str:
    """A later term of a sum, with its sign: a bonus hugs its number (` +6`), a roll does not (` + 1d6`)."""
    if isinstance(roll, Constant):
        return f" +{roll.value}" if roll.value >= 0 else f" -{-roll.value}"
    if isinstance(roll, Negation):
        return f" - {_operand(roll.term)}"
    return f" + {_term(roll)}"


def _term(roll: Roll) -> str:
    """A term of a sum. A product has parentheses, so that nobody multiplies the bonus behind it."""
    return f"({_text(roll)})" if isinstance(roll, Sum | Product | Comparison) else _text(roll)


def _operand(roll: Roll) -> str:
    """What a sign or a factor applies to."""
    return f"({_text(roll)})" if isinstance(roll, Sum | Product | Negation | Comparison) else _text(roll)


def _side(roll: Roll) -> str:
    return f"({_text(roll)})" if isinstance(roll, Comparison) else _text(roll)
