"""`any`, `none` and `all`: tests on the elements of a list."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.language.builtin import Builtin
from rulewright.language.types import BOOLEAN, Boolean, Choice, Entity, RecordOf, Row, Type, Unknown


def _truth_or_presence(inner: Sequence[Type]) -> Type | str:
    if isinstance(inner[0], (Boolean, Entity, RecordOf, Row, Choice, Unknown)):
        return BOOLEAN
    return f"this needs a yes-or-no question or an optional value, not {inner[0]}; ask a question: `x > 0 for x in …`"


def _truth(inner: Sequence[Type]) -> Type | str:
    if isinstance(inner[0], (Boolean, Unknown)):
        return BOOLEAN
    return f"`all` needs a yes-or-no question about each element, not {inner[0]}"


ANY = Builtin(
    name="any",
    signature="any(list)",
    means="True if the condition is true for at least one element. For a list of things: true if it has at least one, "
    "apart from elements that are none.",
    result=_truth_or_presence,
    evaluate=lambda values: any(v is not False for v in values),
    operation=lambda inner, result: "list.any" if isinstance(inner[0], Boolean) else "list.some",
    of_list=True,
)
NONE = Builtin(
    name="none",
    signature="none(list)",
    means="True if the condition is true for no element. For a list of things: true if it has none, "
    "apart from elements that are none.",
    result=_truth_or_presence,
    evaluate=lambda values: not any(v is not False for v in values),
    operation=lambda inner, result: "list.none" if isinstance(inner[0], Boolean) else "list.empty",
    of_list=True,
)
ALL = Builtin(
    name="all",
    signature="all(list)",
    means="True if the condition is true for every element, and for an empty list.",
    result=_truth,
    evaluate=all,
    operation=lambda inner, result: "list.all",
    of_list=True,
)
