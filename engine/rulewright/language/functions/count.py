"""`count`: how many there are."""

from __future__ import annotations

from rulewright.language.function import Function
from rulewright.language.types import INTEGER

COUNT = Function(
    name="count",
    signature="count(list)",
    means="How many there are.",
    result=lambda inner: INTEGER,
    evaluate=len,
    operation=lambda inner, made: "list.count",
    of_list=True,
)
