"""Functions that reduce several values to one: `sum`, `max` and `min`, of a list or of several arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.language.builtin import Builtin
from rulewright.language.types import DICE, INTEGER, Dice, Integer, Ratio, Row, Type, Unknown, join


def _of_list(name: str) -> Callable[[Sequence[Type]], Type | str]:
    """Return a function that returns the type of the result for a list, or what is wrong with its elements."""

    def result(inner: Sequence[Type]) -> Type | str:
        match inner[0]:
            case Integer() | Row() | Unknown():
                return inner[0]
        return f"`{name}` compares numbers or rows of a table, not {inner[0]}"

    return result


def _of_several(name: str) -> Callable[[Sequence[Type]], Type | str]:
    """Return a function that returns the type of the result for several arguments, or what is wrong with them."""

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


def _operation(name: str) -> Callable[[Sequence[Type], Type], str]:
    def operation(types: Sequence[Type], result: Type) -> str:
        return f"{'dice' if isinstance(result, Dice) else 'row' if isinstance(result, Row) else 'int'}.{name}"

    return operation


def find_extreme_roll(name: str, *rolls: Any) -> Any:
    """Return the highest (`max`) or lowest (`min`) of several values.

    For integers, the result is an integer. If any value is a roll, the result is a roll that makes all of them and
    counts the highest or lowest. Raises `DiceError` if it takes more dice than a roll may.

    Args:
        name: `"max"` or `"min"`.
        *rolls: Integers or rolls.
    """
    from rulewright.dice.ast import Constant, Maximum, Minimum

    if all(isinstance(roll, int) for roll in rolls):
        return max(rolls) if name == "max" else min(rolls)
    result = tuple(Constant(roll) if isinstance(roll, int) else roll for roll in rolls)
    return check_limits(Maximum(result) if name == "max" else Minimum(result))


MAX_OF_LIST = Builtin(
    name="max",
    signature="max(list)",
    means="The highest element. For an empty list, it is 0, or the first row of the table.",
    result=_of_list("max"),
    evaluate=max,
    operation=lambda inner, result: "list.max.row" if isinstance(result, Row) else "list.max",
    of_list=True,
    ranked=True,
)
MIN_OF_LIST = Builtin(
    name="min",
    signature="min(list)",
    means="The lowest element. For an empty list, it is 0, or the first row of the table.",
    result=_of_list("min"),
    evaluate=min,
    operation=lambda inner, result: "list.min.row" if isinstance(result, Row) else "list.min",
    of_list=True,
    ranked=True,
)
MAX = Builtin(
    name="max",
    signature="max(a, b, …)",
    means="The highest value. For dice, a roll that makes all of them and uses the highest.",
    result=_of_several("max"),
    evaluate=max,
    operation=_operation("max"),
    ranked=True,
)
MIN = Builtin(
    name="min",
    signature="min(a, b, …)",
    means="The lowest value. For dice, a roll that makes all of them and uses the lowest.",
    result=_of_several("min"),
    evaluate=min,
    operation=_operation("min"),
    ranked=True,
)


def _sum_of(inner: Sequence[Type]) -> Type | str:
    """Return the type of a sum, or what is wrong with the elements."""
    match inner[0]:
        case Integer() | Unknown():
            return INTEGER
        case Dice():
            return DICE
    return f"`sum` adds numbers or dice, not {inner[0]}"


def add_up(values: Sequence[Any]) -> Any:
    """Return the sum of `values`.

    For integers, the result is an integer. If any value is a roll, the result is a roll that makes all of them.
    Raises `DiceError` if it takes more dice than a roll may.
    """
    from rulewright.dice.ast import Constant, total_of

    if all(isinstance(value, int) for value in values):
        return sum(values)
    return check_limits(total_of(Constant(value) if isinstance(value, int) else value for value in values))


def check_limits(roll: Any) -> Any:
    """Return `roll` unchanged. Raise `DiceError` if it takes more dice than a roll may.

    Without this limit, rules that keep adding dice could build a roll of any size.
    """
    from rulewright.dice.dice_error import limit_error
    from rulewright.dice.limits import DEFAULT
    from rulewright.dice.static_bounds import count_dice

    dice = count_dice(roll)
    if dice > DEFAULT.dice:
        raise limit_error(dice, "dice", DEFAULT.dice)
    return roll


SUM = Builtin(
    name="sum",
    signature="sum(list)",
    means="The sum of the numbers, or a roll of all the dice. The sum of an empty list is 0.",
    result=_sum_of,
    evaluate=add_up,
    operation=lambda inner, result: "list.sum.dice" if isinstance(result, Dice) else "list.sum",
    of_list=True,
)
