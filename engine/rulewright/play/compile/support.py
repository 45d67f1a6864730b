"""The few functions that generated code calls."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from rulewright.dice.roll import total
from rulewright.dice.tree import Roll
from rulewright.language.expression.evaluate import as_roll, dice_arithmetic, divide, times
from rulewright.language.functions import add_up, extreme_roll, mean_of, next_of, roll_each
from rulewright.language.verbs.choose import numbers, subsets
from rulewright.play.state import State


def either(first: Any, otherwise: Any) -> Any:
    """`first`, unless it is none."""
    return otherwise if first is None else first


def first(values: Sequence[Any]) -> Any:
    """The first, or none."""
    return values[0] if values else None


def last(values: Sequence[Any]) -> Any:
    """The last, or none."""
    return values[-1] if values else None


_ORDER = itemgetter(0)


def ordered(pairs: list[tuple[Any, Any]]) -> list[Any]:
    """The second of each pair, by the first; equals stay in order."""
    pairs.sort(key=_ORDER)
    return [value for _, value in pairs]


def sample(state: State, roll: Any) -> Any:
    """Make a roll, or draw one of several, from the state's generator."""
    generator = state.generator
    assert generator is not None
    return total(roll, generator) if isinstance(roll, Roll) else roll[generator.below(len(roll))]


SUPPORT = {
    function.__name__: function
    for function in (
        add_up,
        as_roll,
        dice_arithmetic,
        divide,
        either,
        extreme_roll,
        first,
        last,
        mean_of,
        next_of,
        numbers,
        ordered,
        roll_each,
        sample,
        subsets,
        times,
    )
}
"""What every generated module may call, by name."""
