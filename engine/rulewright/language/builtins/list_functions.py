"""Functions of a whole list: `count`, `first`, `last`, `list`, `distinct`, `flatten` and `rotate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from rulewright.language.builtin import Builtin
from rulewright.language.types import INTEGER, ListOf, Type, Unknown, is_assignable, make_optional

FIRST = Builtin(
    name="first",
    signature="first(list)",
    means="The first element, or none if the list is empty.",
    result=lambda inner: make_optional(inner[0]),
    evaluate=lambda values: values[0] if values else None,
    operation=lambda inner, result: "list.first",
    of_list=True,
)
LAST = Builtin(
    name="last",
    signature="last(list)",
    means="The last element, or none if the list is empty.",
    result=lambda inner: make_optional(inner[0]),
    evaluate=lambda values: values[-1] if values else None,
    operation=lambda inner, result: "list.last",
    of_list=True,
)


def _some_of(name: str) -> Callable[[Sequence[Type]], Type | str]:
    """Return a function that returns the type of the result for its arguments, or what is wrong with them."""

    def result(types: Sequence[Type]) -> Type | str:
        match list(types):
            case [count, ListOf(inner=inner)] if is_assignable(INTEGER, count):
                return ListOf(inner)
        return f"`{name}` takes a list, or a number and a list"

    return result


def take_first(count: int, values: Sequence[Any]) -> Sequence[Any]:
    """Return the first `count` values, or all if there are fewer. None for a negative count."""
    return values[: max(count, 0)]


def take_last(count: int, values: Sequence[Any]) -> Sequence[Any]:
    """Return the last `count` values, or all if there are fewer. None for a negative count."""
    return values[len(values) - max(0, min(count, len(values))) :]


SOME_FIRST = Builtin(
    name="first",
    signature="first(count, list)",
    means="The first `count` elements of the list, or all if there are fewer.",
    result=_some_of("first"),
    evaluate=take_first,
    operation=lambda types, result: "list.head",
)
SOME_LAST = Builtin(
    name="last",
    signature="last(count, list)",
    means="The last `count` elements of the list, or all if there are fewer.",
    result=_some_of("last"),
    evaluate=take_last,
    operation=lambda types, result: "list.tail",
)


def rotate_list(count: int, values: Sequence[Any]) -> Sequence[Any]:
    """Return the values from the one `count` places further on, with those before it at the end.

    A negative count goes back. Counts above the length go round.
    """
    start = count % len(values) if values else 0
    return (*values[start:], *values[:start])


ROTATE = Builtin(
    name="rotate",
    signature="rotate(count, list)",
    means=(
        "The list rotated: the elements after the first `count`, followed by the first `count`. A negative `count` "
        "rotates it the other way. Use it for the sides of a tile that is turned."
    ),
    result=_some_of("rotate"),
    evaluate=rotate_list,
    operation=lambda types, result: "list.rotate",
    description=(1, ", rotated by ", 0),
)
LIST = Builtin(
    name="list",
    signature="list(element for x in list)",
    means=(
        "The elements as a list. With `by`, they are sorted in ascending order; with a minus sign after `by`, in "
        "descending order."
    ),
    result=lambda inner: ListOf(inner[0]),
    evaluate=tuple,
    operation=lambda inner, result: "list.of",
    of_list=True,
)
DISTINCT = Builtin(
    name="distinct",
    signature="distinct(list)",
    means="The elements without repeats, in the order of their first occurrence.",
    result=lambda inner: ListOf(inner[0]),
    evaluate=lambda values: tuple(dict.fromkeys(values)),
    operation=lambda inner, result: "list.distinct",
    of_list=True,
)


def _elements_of(inner: Sequence[Type]) -> Type | str:
    """Return the type of the joined list for a list of lists, or what is wrong with the elements."""
    match inner[0]:
        case ListOf(inner=element):
            return ListOf(element)
        case Unknown():
            return Unknown()
    return f"`flatten` makes one list of a list of lists, but each element of this is {inner[0]}"


FLATTEN = Builtin(
    name="flatten",
    signature="flatten(list of lists)",
    means="The elements of all the lists, as one list.",
    result=_elements_of,
    evaluate=lambda values: tuple(chain.from_iterable(values)),
    operation=lambda inner, result: "list.flat",
    of_list=True,
)
COUNT = Builtin(
    name="count",
    signature="count(list)",
    means="The number of elements.",
    result=lambda inner: INTEGER,
    evaluate=len,
    operation=lambda inner, result: "list.count",
    of_list=True,
)
