"""The functions of the rules language: a closed set, each pure and defined for every argument of its types.

A function on a list also takes the form `function(element for x in list if condition by order)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.language.types import (
    BOOLEAN,
    DICE,
    INTEGER,
    RATIO,
    Boolean,
    Choice,
    Dice,
    Integer,
    ListOf,
    Optional,
    Ratio,
    Row,
    Thing,
    Type,
    Unknown,
    accepts,
    join,
    maybe,
)


@dataclass(frozen=True, slots=True)
class Function:
    """One function.

    `result` maps the arguments' types to the type of the result, or to a sentence saying what is wrong.
    `evaluate` computes it; `operation` names the operation of programs that does, by the types of the arguments and of
    the result.
    `ranked` functions compare: they are given the order of rows where the values are rows of a table.
    """

    name: str
    signature: str
    means: str
    result: Callable[[Sequence[Type]], Type | str]
    evaluate: Callable[..., Any]
    operation: Callable[[Sequence[Type], Type], str]
    ranked: bool = False


FUNCTIONS: dict[str, Function] = {}
"""Functions of plain arguments, by name."""

LIST_FUNCTIONS: dict[str, Function] = {}
"""Functions of one list, by name."""


def _register(registry: dict[str, Function], function: Function) -> None:
    registry[function.name] = function


# -- functions of a list ------------------------------------------------------------------


def _total(inner: Sequence[Type]) -> Type | str:
    match inner[0]:
        case Integer() | Unknown():
            return INTEGER
        case Dice():
            return DICE
    return f"`sum` adds numbers or dice, not {inner[0]}"


def add_up(values: Sequence[Any]) -> Any:
    """The sum of numbers, or the roll that is all the rolls together."""
    from rulewright.dice.tree import Constant, total_of

    if all(isinstance(value, int) for value in values):
        return sum(values)
    return within_limits(total_of(Constant(value) if isinstance(value, int) else value for value in values))


def within_limits(roll: Any) -> Any:
    """`roll`, unless it takes more dice than a roll may: dice added to dice again and again would have no end.

    Raises `DiceError` then.
    """
    from rulewright.dice.errors import limit_error
    from rulewright.dice.limits import DEFAULT
    from rulewright.dice.parse import dice_count

    dice = dice_count(roll)
    if dice > DEFAULT.dice:
        raise limit_error(dice, "dice", DEFAULT.dice)
    return roll


def _orderable(name: str) -> Callable[[Sequence[Type]], Type | str]:
    def result(inner: Sequence[Type]) -> Type | str:
        match inner[0]:
            case Integer() | Row() | Unknown():
                return inner[0]
        return f"`{name}` compares numbers or rows of a table, not {inner[0]}"

    return result


def _truth_or_presence(inner: Sequence[Type]) -> Type | str:
    if isinstance(inner[0], (Boolean, Thing, Row, Choice, Unknown)):
        return BOOLEAN
    return f"this asks whether something holds or is there; of {inner[0]} say what should hold: `x > 0 for x in …`"


def _truth(inner: Sequence[Type]) -> Type | str:
    if isinstance(inner[0], (Boolean, Unknown)):
        return BOOLEAN
    return f"`all` asks a yes-or-no question of each, and got {inner[0]}"


for _function in (
    Function(
        "sum",
        "sum(list)",
        "The numbers added up, or the dice rolled together. The sum of nothing is 0.",
        _total,
        add_up,
        lambda inner, made: "list.sum.dice" if isinstance(made, Dice) else "list.sum",
    ),
    Function(
        "count",
        "count(list)",
        "How many there are.",
        lambda inner: INTEGER,
        len,
        lambda inner, made: "list.count",
    ),
    Function(
        "max",
        "max(list)",
        "The greatest. The greatest of nothing is 0, or the first row of the table.",
        _orderable("max"),
        max,
        lambda inner, made: "list.max.row" if isinstance(made, Row) else "list.max",
        ranked=True,
    ),
    Function(
        "min",
        "min(list)",
        "The least. The least of nothing is 0, or the first row of the table.",
        _orderable("min"),
        min,
        lambda inner, made: "list.min.row" if isinstance(made, Row) else "list.min",
        ranked=True,
    ),
    Function(
        "any",
        "any(list)",
        "Whether one of them holds; of a list of things, whether there is one.",
        _truth_or_presence,
        lambda values: any(v is not False for v in values),
        lambda inner, made: "list.any" if isinstance(inner[0], Boolean) else "list.some",
    ),
    Function(
        "none",
        "none(list)",
        "Whether not one of them holds; of a list of things, whether it is empty.",
        _truth_or_presence,
        lambda values: not any(v is not False for v in values),
        lambda inner, made: "list.none" if isinstance(inner[0], Boolean) else "list.empty",
    ),
    Function(
        "all",
        "all(list)",
        "Whether every one of them holds. All of nothing hold.",
        _truth,
        lambda values: all(values),
        lambda inner, made: "list.all",
    ),
    Function(
        "first",
        "first(list)",
        "The first of them, or none.",
        lambda inner: maybe(inner[0]),
        lambda values: values[0] if values else None,
        lambda inner, made: "list.first",
    ),
    Function(
        "last",
        "last(list)",
        "The last of them, or none.",
        lambda inner: maybe(inner[0]),
        lambda values: values[-1] if values else None,
        lambda inner, made: "list.last",
    ),
    Function(
        "list",
        "list(element for x in list)",
        "The elements as a list.",
        lambda inner: ListOf(inner[0]),
        tuple,
        lambda inner, made: "list.of",
    ),
):
    _register(LIST_FUNCTIONS, _function)


# -- functions of plain arguments ----------------------------------------------------------


def _each(types: Sequence[Type]) -> Type | str:
    if len(types) != 2:
        return "`each` takes how many, and the dice each of them rolls"
    if not accepts(INTEGER, types[0]):
        return f"`each` starts with a number, not {types[0]}"
    if not accepts(DICE, types[1]):
        return f"`each` rolls dice, not {types[1]}"
    return DICE


def roll_each(count: int, roll: Any) -> Any:
    """`roll` made `count` times, one by one, and added up. None at all make a roll that is always 0."""
    from rulewright.dice.tree import Constant, repeat

    if isinstance(roll, int):
        return Constant(count * roll)
    return repeat(count, roll) if count > 0 else Constant(0)


def _mean(types: Sequence[Type]) -> Type | str:
    if len(types) != 1 or not accepts(DICE, types[0]):
        return "`mean` takes one roll"
    return RATIO


def mean_of(roll: Any) -> Any:
    """The exact mean of a roll, as a fraction."""
    from fractions import Fraction

    from rulewright.dice.bounds import mean

    return Fraction(roll) if isinstance(roll, int) else mean(roll)


def _several(name: str) -> Callable[[Sequence[Type]], Type | str]:
    def result(types: Sequence[Type]) -> Type | str:
        if len(types) < 2:
            return f"`{name}` takes a list, or two values or more"
        kind: Type | None = types[0]
        for other in types[1:]:
            kind = join(kind, other) if kind else None
        match kind:
            case Integer() | Row() | Ratio() | Dice() | Unknown():
                return kind
        return f"`{name}` compares numbers, dice or rows of one table, not {' and '.join(str(t) for t in types)}"

    return result


def _extreme(name: str) -> Callable[[Sequence[Type], Type], str]:
    def operation(types: Sequence[Type], made: Type) -> str:
        return f"{'dice' if isinstance(made, Dice) else 'row' if isinstance(made, Row) else 'int'}.{name}"

    return operation


def extreme_roll(name: str, *rolls: Any) -> Any:
    """The greatest (`max`) or least (`min`) of several rolls, all of them made; of numbers, a number."""
    from rulewright.dice.tree import Constant, Maximum, Minimum

    if all(isinstance(roll, int) for roll in rolls):
        return max(rolls) if name == "max" else min(rolls)
    made = tuple(Constant(roll) if isinstance(roll, int) else roll for roll in rolls)
    return within_limits(Maximum(made) if name == "max" else Minimum(made))


def _next(types: Sequence[Type]) -> Type | str:
    match list(types):
        case [Row() as row]:
            return Optional(row)
        case [item, ListOf(inner=inner)] if accepts(inner, item):
            return inner
        case [Unknown(), *_] | [_, Unknown()]:
            return Unknown()
    return "`next` takes a row of a table, or a thing and the list it goes round in"


def next_of(item: Any, around: Sequence[Any]) -> Any:
    """The one after `item` in `around`, the first after the last; `item` itself where the list is empty."""
    if not around:
        return item
    return around[(around.index(item) + 1) % len(around)] if item in around else around[0]


for _function in (
    Function(
        "each",
        "each(count, dice)",
        "The dice rolled that many times, one by one, and added up.",
        _each,
        roll_each,
        lambda types, made: "dice.each",
    ),
    Function(
        "mean",
        "mean(dice)",
        "The exact mean of a roll; it can be compared and ordered by.",
        _mean,
        mean_of,
        lambda types, made: "dice.mean",
    ),
    Function(
        "max",
        "max(a, b, …)",
        "The greatest; of dice, the roll of which the greatest counts.",
        _several("max"),
        max,
        _extreme("max"),
        ranked=True,
    ),
    Function(
        "min",
        "min(a, b, …)",
        "The least; of dice, the roll of which the least counts.",
        _several("min"),
        min,
        _extreme("min"),
        ranked=True,
    ),
    Function(
        "next",
        "next(row) · next(thing, list)",
        "The next row of a table, or none after the last; the next in a list, going round.",
        _next,
        next_of,
        lambda types, made: "row.next" if len(types) == 1 else "list.after",
    ),
):
    _register(FUNCTIONS, _function)


def is_symbolic(kind: Type) -> bool:
    """Whether bare ids are values of this type."""
    return isinstance(kind.inner if isinstance(kind, Optional) else kind, (Choice, Row))
