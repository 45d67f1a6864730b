"""Functions of rolls: `each` repeats a roll and adds the results up, `mean` is the exact mean of a roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.language.builtin import Builtin
from rulewright.language.types import DICE, INTEGER, RATIO, Type, is_assignable


def _check_rolled(types: Sequence[Type]) -> Type | str:
    """Return the type of dice if the arguments are a number and dice, or else what is wrong with them."""
    if len(types) != 2:
        return "`each` takes a number and the dice to roll that many times"
    if not is_assignable(INTEGER, types[0]):
        return f"`each` starts with a number, not {types[0]}"
    if not is_assignable(DICE, types[1]):
        return f"`each` rolls dice, not {types[1]}"
    return DICE


def roll_each(count: int, roll: Any) -> Any:
    """Return the roll that makes `roll` `count` times and adds the results up.

    For an integer `roll`, the result is the constant `count * roll`, also for a negative `count`. For dice, it is the
    constant 0 if `count` is 0 or negative. Raises `DiceError` if it takes more dice than a roll may.
    """
    from rulewright.dice.ast import Constant, repeat

    if isinstance(roll, int):
        return Constant(count * roll)
    return repeat(count, roll) if count > 0 else Constant(0)


EACH = Builtin(
    name="each",
    signature="each(count, dice)",
    means="The sum of `count` separate rolls of the dice.",
    result=_check_rolled,
    evaluate=roll_each,
    operation=lambda types, result: "dice.each",
)


def _exact_mean(types: Sequence[Type]) -> Type | str:
    if len(types) != 1 or not is_assignable(DICE, types[0]):
        return "`mean` takes one roll"
    return RATIO


def compute_roll_mean(roll: Any) -> Any:
    """Return the exact mean of a roll or an integer, as a `Fraction`."""
    from fractions import Fraction

    from rulewright.dice.bounds import compute_mean

    return Fraction(roll) if isinstance(roll, int) else compute_mean(roll)


MEAN = Builtin(
    name="mean",
    signature="mean(dice)",
    means="The exact mean of a roll, for comparing and ordering.",
    result=_exact_mean,
    evaluate=compute_roll_mean,
    operation=lambda types, result: "dice.mean",
)
