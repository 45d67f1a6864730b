"""`mean`: the exact mean of a roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.language.function import Function
from rulewright.language.types import DICE, RATIO, Type, accepts


def _result(types: Sequence[Type]) -> Type | str:
    if len(types) != 1 or not accepts(DICE, types[0]):
        return "`mean` takes one roll"
    return RATIO


def mean_of(roll: Any) -> Any:
    """The exact mean of a roll, as a fraction."""
    from fractions import Fraction

    from rulewright.dice.bounds import mean

    return Fraction(roll) if isinstance(roll, int) else mean(roll)


MEAN = Function(
    name="mean",
    signature="mean(dice)",
    means="The exact mean of a roll; it can be compared and ordered by.",
    result=_result,
    evaluate=mean_of,
    operation=lambda types, made: "dice.mean",
)
