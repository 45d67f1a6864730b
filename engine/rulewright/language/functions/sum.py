"""`sum`: numbers added up, or dice rolled together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.language.function import Function
from rulewright.language.types import DICE, INTEGER, Dice, Integer, Type, Unknown


def _result(inner: Sequence[Type]) -> Type | str:
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


SUM = Function(
    name="sum",
    signature="sum(list)",
    means="The numbers added up, or the dice rolled together. The sum of nothing is 0.",
    result=_result,
    evaluate=add_up,
    operation=lambda inner, made: "list.sum.dice" if isinstance(made, Dice) else "list.sum",
    of_list=True,
)
