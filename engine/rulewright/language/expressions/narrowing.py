"""Narrowing: facts that follow from expressions, about values that are not none, not zero, or never negative."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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
    ListElement,
    Logic,
    Lookup,
    Not,
    Objects,
    PartOf,
    Present,
    Stored,
    Travel,
    Typed,
    Variable,
    build_path,
)
from rulewright.language.types import Integer, ListOf, Nothing, Optional

NO_FACTS: frozenset[str] = frozenset()


NOT_ZERO = "≠0"
"""The mark of the fact that a number is not zero: a suffix of its path, or a prefix of its text."""

THERE = "≠none"
"""The mark of the fact that a computed value is not none: a prefix of its text."""

_MOST_COMPARED = 40
"""The number of nodes up to which an expression is recognized when it is repeated."""


MOST_OPENED = 2
"""The nesting of formulas up to which facts follow from the formulas that a condition calls."""


def derive_facts(condition: Typed, declarations: Declarations, *, holds: bool = True) -> frozenset[str]:
    """Return the facts that follow if `condition` is true (or with `holds=False`, if it is false).

    These are the places that are not none and, with the suffix `.≠0`, the places of numbers that are not zero.
    """
    return _facts(condition, holds, declarations, inside=False)


def derive_facts_inside(condition: Typed, declarations: Declarations, *, holds: bool = True) -> frozenset[str]:
    """Return the facts that also apply within the same expression, including those about computed numbers."""
    return _facts(condition, holds, declarations, inside=True)


def derive_facts_of_elements(source: Typed, element: Typed, declarations: Declarations) -> frozenset[str]:
    """Return the facts about an element of a list that follow from the condition of the list."""
    match source:
        case Aggregate(function="list", element=Variable(name=name), variable=variable, condition=Typed() as condition):
            if name == variable:
                return derive_facts(_fill_in(condition, {variable: element}), declarations)
    return NO_FACTS


def describe_presence(value: Typed) -> str:
    """Return the fact that a value is not none, wherever it appears again in the same expression."""
    return f"{THERE} {value}"


def is_known_present(value: Typed, names: frozenset[str], declarations: Declarations) -> bool:
    """Return whether a value is known not to be none."""
    if not names:
        return False
    place = _open(value, declarations) if isinstance(value, Invoke) else value
    return build_path(place) in names or (_is_short(value) and describe_presence(value) in names)


def _open(call: Invoke, declarations: Declarations) -> Typed:
    """Return the body of the formula that is called, with the arguments in the places that facts are about."""
    formula = declarations.formulas[call.formula]
    return _fill_in(formula.body, dict(zip(formula.parameters, call.arguments, strict=True)))


def _fill_in(node: Typed, given: Mapping[str, Typed]) -> Typed:
    """Return the body of a formula with arguments for its parameters, but only where facts may be about them."""
    match node:
        case Variable(name=name):
            return given.get(name, node)
        case Stored(base=base) | Cell(base=base) | PartOf(base=base):
            return replace(node, base=_fill_in(base, given))
        case Lookup(key=key):
            return replace(node, key=_fill_in(key, given))
        case Entry(base=base, key=key):
            return replace(node, base=_fill_in(base, given), key=_fill_in(key, given))
        case Not(operand=operand) | Present(operand=operand):
            return replace(node, operand=_fill_in(operand, given))
        case Comparison(left=left, right=right):
            return replace(node, left=_fill_in(left, given), right=_fill_in(right, given))
        case Logic(operands=operands):
            return replace(node, operands=tuple(_fill_in(operand, given) for operand in operands))
        case Invoke(arguments=arguments):
            return replace(node, arguments=tuple(_fill_in(argument, given) for argument in arguments))
    # No fact is about a part of any other node, so the parameters in it do not matter.
    return node


def has_certain_end(value: Typed, declarations: Declarations) -> bool:
    """Return whether a value is an element that its list certainly has: the first, the last, or one by its index."""
    match value:
        case Aggregate(function="first" | "last", element=element, source=source, condition=None):
            return not isinstance(element.type, Optional) and is_never_empty(source, declarations)
        case ListElement(source=source, key=Constant(value=int(index)), among=None):
            sure = isinstance(source.type, ListOf) and not isinstance(source.type.inner, Optional)
            return sure and 0 < index <= find_least_length(source, declarations)
    return False


def is_never_empty(source: Typed, declarations: Declarations) -> bool:
    """Return whether a list certainly has an element. False if the rules do not prove it."""
    return find_least_length(source, declarations) > 0


def find_least_length(source: Typed, declarations: Declarations) -> int:
    """Return the number of elements that a list has at least, as far as the rules prove it."""

    def least(part: Typed) -> int:
        return find_least_length(part, declarations)

    match source:
        case Objects(kind=kind):
            # Players are never created or removed, and there is at least one.
            return int(kind == PLAYER_KIND)
        case Constant(value=tuple() as items) | Items(items=items):
            return len(items)
        case Arithmetic(operator="+", left=left, right=right):
            return least(left) + least(right)
        case Arithmetic(operator="-", left=left, right=Items(items=items)):
            return least(left) - len(items)
        case If(then=first, otherwise=second):
            return min(least(first), least(second))
        case Aggregate(function="list", source=inner, condition=None):
            return least(inner)
        case Aggregate(function="list", source=Constant(value=tuple() as rows), condition=condition) if _excludes_one(
            condition, source.variable
        ):
            return len(set(rows)) - 1
        case Aggregate(function="distinct", source=Constant(value=tuple() as rows), condition=None, element=Variable()):
            return len(set(rows))
        case Aggregate(function="distinct", source=inner, condition=None) | Travel(function="reach", source=inner):
            return min(least(inner), 1)
        case Aggregate(function="flatten", element=element, source=inner, condition=None):
            return least(inner) * least(element)
        case Apply(function="rotate", arguments=(_, inner)):
            return least(inner)
        case Apply(function="first" | "last", arguments=(Constant(value=int() as count), inner)):
            return min(max(count, 0), least(inner))
        case Invoke(formula=formula):
            return least(declarations.formulas[formula].body)
    return 0


def _excludes_one(condition: Typed | None, variable: str) -> bool:
    """Return whether a condition on the elements of a list is that they differ from a certain value."""
    match condition:
        case Comparison(operator="!=", left=Variable(name=name), right=other) if name == variable:
            return not any(isinstance(part, Variable) and part.name == variable for part in other.walk())
    return False


def _is_short(value: Typed) -> bool:
    return sum(1 for _ in islice(value.walk(), _MOST_COMPARED)) < _MOST_COMPARED


def is_known_not_zero(number: Typed, names: frozenset[str]) -> bool:
    """Return whether a number is known not to be zero."""
    return not names.isdisjoint(_numbers(number, inside=True))


def _facts(
    condition: Typed, holds: bool, declarations: Declarations, *, inside: bool, opened: int = 0
) -> frozenset[str]:
    """Return the facts that follow from a condition. It is `opened` formulas deep in what the rules have written.

    `holds` says whether the condition is true, and `inside` whether the facts are for the same expression.
    """

    def follow(part: Typed, holds: bool) -> frozenset[str]:
        return _facts(part, holds, declarations, inside=inside, opened=opened)

    match condition:
        case Present(operand=operand) if holds:
            result = _one(_open(operand, declarations) if isinstance(operand, Invoke) else operand)
            return result | (frozenset((describe_presence(operand),)) if inside and _is_short(operand) else NO_FACTS)
        case Not(operand=operand):
            return follow(operand, not holds)
        case Logic(operator=operator, operands=operands) if (operator == "and") == holds:
            return NO_FACTS.union(*(follow(operand, holds) for operand in operands))
        case Comparison(operator=operator, left=left, right=right):
            result = _derive_from_comparison(operator, left, right, holds) if operator in ("==", "!=") else NO_FACTS
            return result | _not_zero(operator, left, right, holds, inside)
        case Invoke() if opened < MOST_OPENED:
            # A text of the formula means another value here, so only facts about places follow.
            body = _open(condition, declarations)
            return _facts(body, holds, declarations, inside=False, opened=opened + 1)
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
    """Return the fact that an optional value is there, if it differs from none or equals a constant.

    `holds` says whether the comparison, by `==` or `!=`, is true.
    """
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
