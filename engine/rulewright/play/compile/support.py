"""The few functions that generated code calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.language.expression.evaluate import dice_arithmetic, divide
from rulewright.language.functions import add_up, mean_of, next_of, roll_each
from rulewright.language.verbs.choose import numbers, subsets


def either(first: Any, otherwise: Any) -> Any:
    """`first`, unless it is none."""
    return otherwise if first is None else first


def first(values: Sequence[Any]) -> Any:
    """The first, or none."""
    return values[0] if values else None


def last(values: Sequence[Any]) -> Any:
    """The last, or none."""
    return values[-1] if values else None


def ordered(pairs: list[tuple[Any, Any]]) -> list[Any]:
    """The second of each pair, by the first; equals stay in order."""
    pairs.sort(key=_order)
    return [value for _, value in pairs]


def _order(pair: tuple[Any, Any]) -> Any:
    return pair[0]


SUPPORT = {
    function.__name__: function
    for function in (
        add_up,
        dice_arithmetic,
        divide,
        either,
        first,
        last,
        mean_of,
        next_of,
        numbers,
        ordered,
        roll_each,
        subsets,
    )
}
"""What every generated module may call, by name."""
