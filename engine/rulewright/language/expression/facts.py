"""What an expression shows before it is worked out: places that are not none, and numbers that are never below zero."""

from __future__ import annotations

from rulewright.language.declarations import Declarations
from rulewright.language.expression.typed import (
    Aggregate,
    Apply,
    Arithmetic,
    Cell,
    Coalesce,
    Comparison,
    Constant,
    Entry,
    If,
    Invoke,
    Logic,
    Not,
    Present,
    Stored,
    Travel,
    Typed,
    path,
)
from rulewright.language.function import spelled_out
from rulewright.language.types import Nothing, Optional

NO_FACTS: frozenset[str] = frozenset()


def facts(condition: Typed, *, holds: bool = True) -> frozenset[str]:
    """The places known not to be none where `condition` holds (or, with `holds=False`, where it does not)."""
    match condition:
        case Present(operand=operand) if holds:
            return _one(operand)
        case Not(operand=operand):
            return facts(operand, holds=not holds)
        case Logic(operator=operator, operands=operands) if (operator == "and") == holds:
            return NO_FACTS.union(*(facts(operand, holds=holds) for operand in operands))
        case Comparison(operator=operator, left=left, right=right) if operator in ("==", "!="):
            return _compared(operator, left, right, holds)
    return NO_FACTS


def _compared(operator: str, left: Typed, right: Typed, holds: bool) -> frozenset[str]:
    same = (operator == "==") == holds
    for place, other in ((left, right), (right, left)):
        if not isinstance(place.type, Optional):
            continue
        is_none = isinstance(other.type, Nothing)
        certain = not isinstance(other.type, Optional) and isinstance(other, Constant)
        if (is_none and not same) or (certain and not is_none and same):
            return _one(place)
    return NO_FACTS


def _one(place: Typed) -> frozenset[str]:
    name = path(place)
    return frozenset((name,)) if name else NO_FACTS


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
        case Entry(base=Stored(kind=kind, field=name)):
            declared = declarations.kinds[kind].fields.get(name)
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
        case Aggregate(function="count") | Travel(type=Optional()):
            return True
        case Aggregate(function="sum" | "max" | "min", element=element):
            return sure(element)
    return False
