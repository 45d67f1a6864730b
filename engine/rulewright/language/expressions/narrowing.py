"""Narrowing: facts that follow from expressions, about values that are not none, not zero, or never negative."""

from __future__ import annotations

from itertools import islice

from rulewright.language.builtin import spell_out
from rulewright.language.declarations import PLAYER_KIND, Declarations
from rulewright.language.expressions.typed_ast import (
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
    Items,
    Logic,
    Not,
    Objects,
    Present,
    Stored,
    Travel,
    Typed,
    build_path,
)
from rulewright.language.types import Integer, Nothing, Optional

NO_FACTS: frozenset[str] = frozenset()


NOT_ZERO = "≠0"
"""The mark of the fact that a number is not zero: a suffix of its path, or a prefix of its text."""

THERE = "≠none"
"""The mark of the fact that a computed value is not none: a prefix of its text."""

_MOST_COMPARED = 40
"""The number of nodes up to which an expression is recognized when it is repeated."""


def derive_facts(condition: Typed, *, holds: bool = True) -> frozenset[str]:
    """Return the facts that follow if `condition` is true (or with `holds=False`, if it is false).

    These are the places that are not none and, with the suffix `.≠0`, the places of numbers that are not zero.
    """
    return _facts(condition, holds, inside=False)


def derive_facts_inside(condition: Typed, *, holds: bool = True) -> frozenset[str]:
    """Return the facts that also apply within the same expression, including those about computed numbers."""
    return _facts(condition, holds, inside=True)


def describe_presence(value: Typed) -> str:
    """Return the fact that a value is not none, wherever it appears again in the same expression."""
    return f"{THERE} {value}"


def is_known_present(value: Typed, names: frozenset[str]) -> bool:
    """Return whether a value is known not to be none."""
    return bool(names) and (build_path(value) in names or (_is_short(value) and describe_presence(value) in names))


def has_certain_end(value: Typed, declarations: Declarations) -> bool:
    """Return whether a value is the first or last element of a list that certainly has one."""
    match value:
        case Aggregate(function="first" | "last", element=element, source=source, condition=None):
            return not isinstance(element.type, Optional) and is_never_empty(source, declarations)
    return False


def is_never_empty(source: Typed, declarations: Declarations) -> bool:
    """Return whether a list certainly has an element. False if the rules do not prove it."""

    def sure(part: Typed) -> bool:
        return is_never_empty(part, declarations)

    match source:
        case Objects(kind=kind):
            # Players are never created or removed, and there is at least one.
            return kind == PLAYER_KIND
        case Constant(value=tuple() as items) | Items(items=items):
            return bool(items)
        case Arithmetic(left=left, right=right):
            return sure(left) or sure(right)
        case If(then=first, otherwise=second):
            return sure(first) and sure(second)
        case (
            Aggregate(function="list" | "distinct", source=inner, condition=None)
            | Travel(function="reach", source=inner)
        ):
            return sure(inner)
        case Aggregate(function="flatten", element=element, source=inner, condition=None):
            return sure(inner) and sure(element)
        case Apply(function="first" | "last", arguments=(Constant(value=int() as count), inner)):
            return count > 0 and sure(inner)
        case Invoke(formula=formula):
            return sure(declarations.formulas[formula].body)
    return False


def _is_short(value: Typed) -> bool:
    return sum(1 for _ in islice(value.walk(), _MOST_COMPARED)) < _MOST_COMPARED


def is_known_not_zero(number: Typed, names: frozenset[str]) -> bool:
    """Return whether a number is known not to be zero."""
    return not names.isdisjoint(_numbers(number, inside=True))


def _facts(condition: Typed, holds: bool, *, inside: bool) -> frozenset[str]:
    match condition:
        case Present(operand=operand) if holds:
            return _one(operand) | (
                frozenset((describe_presence(operand),)) if inside and _is_short(operand) else NO_FACTS
            )
        case Not(operand=operand):
            return _facts(operand, not holds, inside=inside)
        case Logic(operator=operator, operands=operands) if (operator == "and") == holds:
            return NO_FACTS.union(*(_facts(operand, holds, inside=inside) for operand in operands))
        case Comparison(operator=operator, left=left, right=right):
            result = _derive_from_comparison(operator, left, right, holds) if operator in ("==", "!=") else NO_FACTS
            return result | _not_zero(operator, left, right, holds, inside)
    return NO_FACTS


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OTHERWISE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def _not_zero(operator: str, left: Typed, right: Typed, holds: bool, inside: bool) -> frozenset[str]:
    """Return the facts that follow from a comparison of a number with a constant, if 0 is then excluded.

    `holds` says whether the comparison is true, and `inside` whether the facts are for the same expression.
    """
    if isinstance(left, Constant):
        operator, left, right = _TURNED[operator], right, left
    if not isinstance(left.type, Integer) or not isinstance(right, Constant) or type(right.value) is not int:
        return NO_FACTS
    than = right.value
    without_zero = {
        "<": than <= 0,
        "<=": than < 0,
        ">": than >= 0,
        ">=": than > 0,
        "==": than != 0,
        "!=": than == 0,
    }
    return _numbers(left, inside=inside) if without_zero[operator if holds else _OTHERWISE[operator]] else NO_FACTS


def _numbers(number: Typed, *, inside: bool) -> frozenset[str]:
    """Return the facts that say that `number` is not zero. Empty if it cannot be named.

    With `inside`, the facts are for the same expression, where a short number is also identified by its text.
    """
    place = build_path(number)
    result = {f"{place}.{NOT_ZERO}"} if place else set()
    if inside and _is_short(number):
        result.add(f"{NOT_ZERO} {number}")
    return frozenset(result)


def _derive_from_comparison(operator: str, left: Typed, right: Typed, holds: bool) -> frozenset[str]:
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
    name = build_path(place)
    return frozenset((name,)) if name else NO_FACTS


def is_never_negative(value: Typed, declarations: Declarations) -> bool:
    """Return whether `value` is certainly not negative, such as a count, a field with minimum 0, or a sum of these.

    False if the rules do not prove it.
    """

    def sure(*parts: Typed) -> bool:
        return all(is_never_negative(part, declarations) for part in parts)

    match value:
        case Apply() if (spelled := spell_out(value)) is not None:
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
            return any(is_never_negative(argument, declarations) for argument in arguments)
        case Apply(function="min", arguments=arguments):
            return bool(arguments) and sure(*arguments)
        case Aggregate(function="count") | Travel(type=Optional()):
            return True
        case Aggregate(function="sum" | "max" | "min", element=element):
            return sure(element)
    return False
