"""`next` and `previous`: the row, list element or player after or before another, where lists and players go round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.language.builtin import Builtin
from rulewright.language.types import PLAYER, ListOf, Optional, Row, Type, Unknown, is_assignable


def _result(name: str) -> Callable[[Sequence[Type]], Type | str]:
    """Return a function that returns the type of the neighbour for some arguments, or what is wrong with them.

    The neighbour of a row may be none, because rows do not go round.
    """

    def result(types: Sequence[Type]) -> Type | str:
        match list(types):
            case [Row() as row]:
                return Optional(row)
            case [player] if player == PLAYER:
                return player
            case [item, ListOf(inner=inner)] if is_assignable(inner, item):
                return inner
            case [Unknown(), *_] | [_, Unknown()]:
                return Unknown()
        return f"`{name}` takes a row of a table, a player, or an element and its list"

    return result


def find_next(item: Any, around: Sequence[Any]) -> Any:
    """Return the element after the first `item` in `around`, and the first element after the last.

    Return the first element if `item` is not in `around`, and `item` itself if `around` is empty.
    """
    if not around:
        return item
    return around[(around.index(item) + 1) % len(around)] if item in around else around[0]


def find_previous(item: Any, around: Sequence[Any]) -> Any:
    """Return the element before the first `item` in `around`, and the last element before the first.

    Return the last element if `item` is not in `around`, and `item` itself if `around` is empty.
    """
    if not around:
        return item
    return around[around.index(item) - 1] if item in around else around[-1]


NEXT = Builtin(
    name="next",
    signature="next(row) · next(player) · next(thing, list)",
    means=(
        "For a row of a table: the next row, or none for the last one. For a player: the player to the left, or the "
        "first player for the last one. For an element of a list: the next element, or the first for the last one."
    ),
    result=_result("next"),
    evaluate=find_next,
    operation=lambda types, result: "row.next" if len(types) == 1 else "list.after",
    of_players=True,
)
PREVIOUS = Builtin(
    name="previous",
    signature="previous(row) · previous(player) · previous(thing, list)",
    means=(
        "For a row of a table: the previous row, or none for the first one. For a player: the player to the right, or "
        "the last player for the first one. For an element of a list: the previous element, or the last for the first "
        "one."
    ),
    result=_result("previous"),
    evaluate=find_previous,
    operation=lambda types, result: "row.previous" if len(types) == 1 else "list.before",
    of_players=True,
)
