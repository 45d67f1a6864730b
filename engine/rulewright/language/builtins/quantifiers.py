"""`any`, `none` and `all`: tests on the elements of a list."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.language.builtin import Builtin
from rulewright.language.types import BOOLEAN, Boolean, Choice, Entity, RecordOf, Row, Type, Unknown


def _truth_or_presence(inner: Sequence[Type]) -> Type | str:
    if isinstance(inner[0], (Boolean, Entity, RecordOf, Row, Choice, Unknown)):
        return BOOLEAN
    return f"this asks whether something holds or is there; of {inner[0]} say what should hold: `x > 0 for x in …`"


def _truth(inner: Sequence[Type]) -> Type | str:
    if isinstance(inner[0], (Boolean, Unknown)):
        return BOOLEAN
    return f"`all` asks a yes-or-no question of each, and got {inner[0]}"


ANY = Builtin(
    name="any",
    signature="any(list)",
    means="Whether one of them holds; of a list of things, whether there is one.",
    result=_truth_or_presence,
    evaluate=lambda values: any(v is not False for v in values),
    operation=lambda inner, made: "list.any" if isinstance(inner[0], Boolean) else "list.some",
    of_list=True,
)
NONE = Builtin(
    name="none",
    signature="none(list)",
    means="Whether not one of them holds; of a list of things, whether it is empty.",
    result=_truth_or_presence,
    evaluate=lambda values: not any(v is not False for v in values),
    operation=lambda inner, made: "list.none" if isinstance(inner[0], Boolean) else "list.empty",
    of_list=True,
)
ALL = Builtin(
    name="all",
    signature="all(list)",
    means="Whether every one of them holds. All of nothing hold.",
    result=_truth,
    evaluate=all,
    operation=lambda inner, made: "list.all",
    of_list=True,
)
