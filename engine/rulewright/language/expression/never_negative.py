"""Whether a number can be below zero, as far as the expression shows."""

from __future__ import annotations

from rulewright.language.declarations import Declarations
from rulewright.language.expression.typed import (
    Aggregate,
    Apply,
    Arithmetic,
    Cell,
    Coalesce,
    Constant,
    If,
    Invoke,
    Stored,
    Typed,
)
from rulewright.language.function import spelled_out


def never_negative(value: Typed, declarations: Declarations) -> bool:
    """Whether `value` is sure not to be below zero: counts, sums of counts, and what is made of them."""

    def sure(*parts: Typed) -> bool:
        return all(never_negative(part, declarations) for part in parts)

    match value:
        case Apply() if (spelled := spelled_out(value)) is not None:
            return sure(spelled)
        case Constant(value=int() as number):
            return number >= 0
        case Stored(kind=kind, field=name):
            declared = declarations.kinds[kind].fields.get(name) if kind in declarations.kinds else None
            return declared is not None and declared.minimum == 0
        case Cell(table=table, column=column):
            cells = [row.cells.get(column) for row in declarations.tables[table].rows.values()]
            return all(isinstance(cell, int) and cell >= 0 for cell in cells)
        case Arithmetic(operator="+" | "*" | "/", left=left, right=right):
            return sure(left, right)
        case If(then=first, otherwise=second) | Coalesce(first=first, otherwise=second):
            return sure(first, second)
        case Invoke(formula=formula):
            return sure(declarations.formulas[formula].body)
        case Apply(function="max", arguments=arguments):
            return any(never_negative(argument, declarations) for argument in arguments)
        case Apply(function="min", arguments=arguments):
            return bool(arguments) and sure(*arguments)
        case Aggregate(function="count"):
            return True
        case Aggregate(function="sum" | "max" | "min", element=element):
            return sure(element)
    return False
