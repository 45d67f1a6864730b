"""`next`: the row after a row, or the next element of a list, starting again at the first after the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.language.builtin import Builtin
from rulewright.language.types import ListOf, Optional, Row, Type, Unknown, is_assignable


def _result(types: Sequence[Type]) -> Type | str:
    match list(types):
        case [Row() as row]:
            return Optional(row)
        case [item, ListOf(inner=inner)] if is_assignable(inner, item):
            return inner
        case [Unknown(), *_] | [_, Unknown()]:
            return Unknown()
    return "`next` takes a row of a table, or an element and its list"


def find_next(item: Any, around: Sequence[Any]) -> Any:
    """Return the element after the first `item` in `around`, and the first element after the last.

    Return the first element if `item` is not in `around`, and `item` itself if `around` is empty.
    """
    if not around:
        return item
    return around[(around.index(item) + 1) % len(around)] if item in around else around[0]


NEXT = Builtin(
    name="next",
    signature="next(row) · next(thing, list)",
    means="The next row of a table, or none after the last; in a list, the next element, or the first after the last.",
    result=_result,
    evaluate=find_next,
    operation=lambda types, made: "row.next" if len(types) == 1 else "list.after",
)
