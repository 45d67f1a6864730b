"""A roll as plain data, for programs in other languages that roll the same dice: nested lists, ready for JSON.

Every node but a constant is a list that begins with its name:

| node | data |
|---|---|
| constant | the number itself |
| pool | `["pool", count, name, first, last, step]`; uneven faces: `["pool", count, name, [face, …]]`, and behind \
them `[weight, …]` where they are not equally likely |
| keep | `["keep", pool, number, "highest"]`, or `"lowest"` |
| sum, maximum, minimum | `["sum", roll, …]`, `["maximum", roll, …]`, `["minimum", roll, …]` |
| negation | `["negation", roll]` |
| product | `["product", factor, roll]` |
| comparison | `["comparison", operator, left, right]` |
| absolute | `["absolute", roll]` |
| multiplied | `["multiplied", roll, …]` |
| quotient | `["quotient", rounding, left, right]` |
| either | `["either", condition, then, otherwise]` |
| named, variable | `["named", [name, …], source, body]`, `["variable", name]` |
| several | `["several", count, roll]` |
| group | `["group", [times, roll], …]` |
| trim | `["trim", pool, low, high]` |
| count | `["count", pool, operator, threshold]` |
| matching | `["matching", what, pool, number]` |

A number that other languages would round, beyond 2**53 either way, is the text of its digits.
"""

from __future__ import annotations

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
)

Data = int | str | list["Data"]

_LARGEST = 2**53 - 1
"""The largest integer up to which every integer is exact in a JSON number read as a 64-bit float."""


def to_data(roll: Roll) -> Data:
    """Return `roll` as plain data. Numbers that JSON cannot represent exactly become text.

    Raises `TypeError` for anything but a roll.

    >>> from rulewright.dice.parser.notation import parse
    >>> to_data(parse("4d6kh3 +2"))
    ['sum', ['keep', ['pool', 4, 'd6', 1, 6, 1], 3, 'highest'], 2]
    """
    match roll:
        case Constant(value):
            return number(value)
        case Pool(count, die):
            faces = die.faces
            if die.weights is not None:
                return [
                    "pool",
                    count,
                    die.name,
                    [number(face) for face in faces],
                    [number(ways) for ways in die.weights],
                ]
            if isinstance(faces, range):
                return ["pool", count, die.name, number(faces[0]), number(faces[-1]), number(faces.step)]
            return ["pool", count, die.name, [number(face) for face in faces]]
        case Keep(pool, keep, highest):
            return ["keep", to_data(pool), keep, "highest" if highest else "lowest"]
        case Sum(terms):
            return ["sum", *map(to_data, terms)]
        case Negation(term):
            return ["negation", to_data(term)]
        case Product(factor, inner):
            return ["product", number(factor), to_data(inner)]
        case Maximum(rolls):
            return ["maximum", *map(to_data, rolls)]
        case Minimum(rolls):
            return ["minimum", *map(to_data, rolls)]
        case Comparison(operator, left, right):
            return ["comparison", operator, to_data(left), to_data(right)]
        case Absolute(inner):
            return ["absolute", to_data(inner)]
        case Multiplied(rolls):
            return ["multiplied", *map(to_data, rolls)]
        case Quotient(left, right, rounding):
            return ["quotient", rounding, to_data(left), to_data(right)]
        case Either(condition, then, otherwise):
            return ["either", to_data(condition), to_data(then), to_data(otherwise)]
        case Named(names, source, body):
            return ["named", list(names), to_data(source), to_data(body)]
        case Variable(name):
            return ["variable", name]
        case Several(count, inner):
            return ["several", to_data(count), to_data(inner)]
        case Group(members):
            return ["group", *([times, to_data(each)] for times, each in members)]
        case Trim(dice, low, high):
            return ["trim", to_data(dice), low, high]
        case Count(counted, operator, threshold):
            return ["count", to_data(counted), operator, to_data(threshold)]
        case Matching(what, matched, sets):
            return ["matching", what, to_data(matched), sets]
    raise TypeError(f"{type(roll).__name__} is not a roll")


def number(value: int) -> int | str:
    """Return `value`, as text if a JSON number cannot represent it exactly."""
    return value if -_LARGEST <= value <= _LARGEST else str(value)
