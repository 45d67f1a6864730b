"""`each`: dice rolled a number of times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.language.function import Function
from rulewright.language.types import DICE, INTEGER, Type, accepts


def _result(types: Sequence[Type]) -> Type | str:
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


EACH = Function(
    name="each",
    signature="each(count, dice)",
    means="The dice rolled that many times, one by one, and added up.",
    result=_result,
    evaluate=roll_each,
    operation=lambda types, made: "dice.each",
)
