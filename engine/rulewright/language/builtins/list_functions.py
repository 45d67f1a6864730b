"""Functions of a whole list: `count`, `first`, `last` and `list`."""

from __future__ import annotations

from rulewright.language.builtin import Builtin
from rulewright.language.types import INTEGER, ListOf, make_optional

FIRST = Builtin(
    name="first",
    signature="first(list)",
    means="The first element, or none if the list is empty.",
    result=lambda inner: make_optional(inner[0]),
    evaluate=lambda values: values[0] if values else None,
    operation=lambda inner, made: "list.first",
    of_list=True,
)
LAST = Builtin(
    name="last",
    signature="last(list)",
    means="The last element, or none if the list is empty.",
    result=lambda inner: make_optional(inner[0]),
    evaluate=lambda values: values[-1] if values else None,
    operation=lambda inner, made: "list.last",
    of_list=True,
)
LIST = Builtin(
    name="list",
    signature="list(element for x in list)",
    means="The elements as a list.",
    result=lambda inner: ListOf(inner[0]),
    evaluate=tuple,
    operation=lambda inner, made: "list.of",
    of_list=True,
)


COUNT = Builtin(
    name="count",
    signature="count(list)",
    means="The number of elements.",
    result=lambda inner: INTEGER,
    evaluate=len,
    operation=lambda inner, made: "list.count",
    of_list=True,
)
