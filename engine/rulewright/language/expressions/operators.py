"""The types of operators, of `and`, `or` and `if … else`, and the facts on each of their sides."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace

from rulewright.language import language_diagnostics
from rulewright.language.builtin import spell_out
from rulewright.language.declarations import Declarations, Scope
from rulewright.language.expressions import typed_ast, untyped_ast
from rulewright.language.expressions.name_resolution import ScalarChecker, can_resolve
from rulewright.language.expressions.narrowing import (
    derive_facts_inside,
    has_certain_end,
    is_known_not_zero,
    is_never_empty,
)
from rulewright.language.expressions.typed_ast import (
    BROKEN,
    Aggregate,
    Apply,
    Arithmetic,
    Cell,
    Coalesce,
    Comparison,
    Constant,
    If,
    Items,
    Logic,
    Membership,
    Not,
    Typed,
)
from rulewright.language.expressions.untyped_ast import DiceLiteral, Listing, Operation, Syntax
from rulewright.language.types import (
    BOOLEAN,
    DICE,
    INTEGER,
    Boolean,
    Dice,
    Integer,
    ListOf,
    Nothing,
    Optional,
    Ratio,
    Row,
    Type,
    Unknown,
    is_assignable,
    join,
    make_optional,
    present,
)

_SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_MOST_VALUES = 1_000


def check_operation(checker: ScalarChecker, node: Operation, scope: Scope) -> Typed:
    """Return the typed tree of an operation other than `and` and `or`. Reports errors, and then returns `BROKEN`."""
    match node.operator:
        case "not":
            return Not(BOOLEAN, checker.check_condition(node.operands[0], scope))
        case "neg":
            return _negative(checker, node, scope)
        case "in" | "not in":
            return _membership(checker, node, scope)
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return _comparison(checker, node, scope)
    return _arithmetic(checker, node, scope)


def _negative(checker: ScalarChecker, node: Operation, scope: Scope) -> Typed:
    """Return minus a number or dice. Reports anything else, and then returns `BROKEN`."""
    operand = checker.check_value(node.operands[0], scope)
    if isinstance(operand, Constant) and type(operand.value) is int:
        return Constant(INTEGER, -operand.value)
    if isinstance(operand.type, (Integer, Dice)):
        return Arithmetic(operand.type, "-", Constant(INTEGER, 0), operand)
    return checker.fit(operand, INTEGER, node.operands[0])


def _membership(checker: ScalarChecker, node: Operation, scope: Scope) -> Typed:
    """Return the typed tree of `item in list`. A bare id takes its meaning from the other side.

    Reports anything but a list, and an item that cannot be in it, and then returns `BROKEN`.
    """
    item_node, source_node = node.operands
    if can_resolve(item_node, scope):
        item = checker.check_value(item_node, scope)
        source = checker.check_value(source_node, scope, ListOf(present(item.type)))
    else:
        source = checker.check_value(source_node, scope)
        inner = source.type.inner if isinstance(source.type, ListOf) else None
        item = checker.check_value(item_node, scope, inner)
    if isinstance(source.type, Unknown) or isinstance(item.type, Unknown):
        return BROKEN
    if not isinstance(source.type, ListOf):
        return checker.report(
            language_diagnostics.WRONG_TYPE, f"`in` needs a list, but this is {source.type}", source_node
        )
    if join(present(item.type), source.type.inner) is None:
        message = f"{item.type} can never be in {source.type}"
        return checker.report(language_diagnostics.WRONG_TYPE, message, node)
    return Membership(BOOLEAN, item, source, node.operator == "not in")


def _comparison(checker: ScalarChecker, node: Operation, scope: Scope) -> Typed:
    """Return the typed tree of a comparison. A bare id takes its meaning from the other side.

    Reports dice, values that can never be equal, and values without an order, and then returns `BROKEN`.
    """
    left_node, right_node = node.operands
    left, right = _both_sides(checker, left_node, right_node, scope)
    if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
        return BROKEN
    for side, place in ((left, left_node), (right, right_node)):
        if isinstance(present(side.type), Dice):
            message = "dice have no value until they are rolled: `roll:` them in a step and compare the results"
            hint = None
            if isinstance(place, DiceLiteral):
                hint = f"to compare each die, count in braces: `{{count({checker.get_source_text(place)} >= 4)}}`"
            return checker.report(language_diagnostics.WRONG_TYPE, message, place, hint)
    if node.operator in ("==", "!="):
        if join(left.type, right.type) is None and not _numbers(left.type, right.type):
            message = f"{left.type} and {right.type} can never be equal"
            return checker.report(language_diagnostics.WRONG_TYPE, message, node)
        return Comparison(BOOLEAN, node.operator, left, right)
    for side, place in ((left, left_node), (right, right_node)):
        if isinstance(side.type, (Optional, Nothing)):
            return checker.report(language_diagnostics.MAY_BE_NONE, "this may be none, which cannot be compared", place)
    if _numbers(left.type, right.type):
        return Comparison(BOOLEAN, node.operator, left, right)
    if isinstance(left.type, Row) and left.type == right.type:
        return Comparison(BOOLEAN, node.operator, left, right, left.type.table)
    message = f"`{node.operator}` compares numbers or rows of one table, not {left.type} and {right.type}"
    return checker.report(language_diagnostics.WRONG_TYPE, message, node)


def _numbers(left: Type, right: Type) -> bool:
    return isinstance(left, (Integer, Ratio)) and isinstance(right, (Integer, Ratio))


def _both_sides(checker: ScalarChecker, left: Syntax, right: Syntax, scope: Scope) -> tuple[Typed, Typed]:
    """Return both sides of a comparison, typed. Reports errors.

    The side with a meaning of its own is checked first, because it gives a bare id on the other side its type. If
    neither has one, only the left side is reported, and the right one is `BROKEN`.
    """
    if can_resolve(left, scope):
        first = checker.check_value(left, scope)
        return first, _other_side(checker, right, scope, first)
    if not can_resolve(right, scope):
        return checker.check_value(left, scope), BROKEN
    second = checker.check_value(right, scope)
    return _other_side(checker, left, scope, second), second


def _other_side(checker: ScalarChecker, node: Syntax, scope: Scope, typed: Typed) -> Typed:
    """Return the other side of a comparison with `typed`, which gives a bare id its type.

    If `typed` is broken, a bare id is `BROKEN` without a report, because it may be correct.
    """
    # If the other side has an error, a bare id here may be correct, so it is not reported as well.
    if isinstance(typed.type, Unknown) and not can_resolve(node, scope):
        return BROKEN
    return checker.check_value(node, scope, typed.type)


def _arithmetic(checker: ScalarChecker, node: Operation, scope: Scope) -> Typed:
    """Return the typed tree of `+ - * / %` for numbers and dice, or of `+ -` for a list.

    Reports other values, operators that are ambiguous for dice, and unsafe divisions, and then returns `BROKEN`.
    """
    left_node, right_node = node.operands
    left, right = _beside_lists(checker, left_node, right_node, scope)
    if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
        return BROKEN
    if isinstance(left.type, ListOf) and node.operator in ("+", "-"):
        return _list_arithmetic(checker, node, left, right)
    for side, place in ((left, left_node), (right, right_node)):
        if not is_assignable(DICE, side.type):
            if isinstance(side.type, Optional) and is_assignable(DICE, side.type.inner):
                return checker.report(
                    language_diagnostics.MAY_BE_NONE, "a number or dice are needed here, but this may be none", place
                )
            message = f"`{node.operator}` works with numbers and dice, not with {side.type}"
            return checker.report(language_diagnostics.WRONG_TYPE, message, place)
    if isinstance(left.type, Integer) and isinstance(right.type, Integer):
        return _whole_numbers(checker, node, left, right, scope)
    if node.operator in ("+", "-"):
        return Arithmetic(DICE, node.operator, left, right)
    if node.operator == "*" and (isinstance(left.type, Integer) or isinstance(right.type, Integer)):
        return Arithmetic(DICE, "*", left, right)
    message = f"`{node.operator}` is ambiguous for dice: roll them in a step, then calculate with the result"
    return checker.report(language_diagnostics.WRONG_TYPE, message, node)


def _beside_lists(checker: ScalarChecker, left: Syntax, right: Syntax, scope: Scope) -> tuple[Typed, Typed]:
    """Return both operands of an operator.

    Bare ids in a literal list are resolved with the type of the list on the other side. So is a bare id to the right of
    a list, with the type of its elements.
    """
    if isinstance(left, Listing) and not isinstance(right, Listing):
        second = checker.check_value(right, scope)
        list_type = second.type if isinstance(second.type, ListOf) else None
        return checker.check_value(left, scope, list_type), second
    first = checker.check_value(left, scope)
    if not isinstance(first.type, ListOf):
        return first, checker.check_value(right, scope)
    return first, checker.check_value(right, scope, first.type if isinstance(right, Listing) else first.type.inner)


def _list_arithmetic(checker: ScalarChecker, node: Operation, left: Typed, right: Typed) -> Typed:
    """Return a list with elements added or removed. The right side is another list, or a single element.

    Reports elements of another type, and elements to remove that may be none, and then returns `BROKEN`.
    """
    assert isinstance(left.type, ListOf)
    for added in (right, Items(ListOf(right.type), (right,))):
        joined = join(left.type, added.type)
        if isinstance(joined, ListOf) and (node.operator == "+" or joined == left.type):
            return Arithmetic(joined, node.operator, left, added)
    if isinstance(right.type, Optional) and join(left.type, right.type.inner) == left.type:
        does = "adds to" if node.operator == "+" else "removes from"
        message = f"`{node.operator}` {does} this list, but the other list may be none"
        return checker.report(language_diagnostics.MAY_BE_NONE, message, node.operands[1])
    element = right.type.inner if isinstance(right.type, ListOf) else right.type
    if element != present(element) and join(left.type.inner, present(element)) is not None:
        message = f"`-` removes {left.type.inner} from this list, but this may be none"
        return checker.report(language_diagnostics.MAY_BE_NONE, message, node.operands[1])
    does = "`+` adds to" if node.operator == "+" else "`-` removes from"
    message = f"{does} {left.type}, but this is {right.type}"
    instead = "add an element of the list's type, or a list; values of several types go together in a record"
    return checker.report(language_diagnostics.WRONG_TYPE, message, node, instead if node.operator == "+" else None)


def _whole_numbers(checker: ScalarChecker, node: Operation, left: Typed, right: Typed, scope: Scope) -> Typed:
    """Return the typed tree of an operator between whole numbers.

    Reports a divisor that may be 0, and a division if the rules do not say how to round, and then returns `BROKEN`.
    """
    if node.operator not in ("/", "%"):
        return Arithmetic(INTEGER, node.operator, left, right)
    if not is_certainly_nonzero(right, scope):
        divisor = node.operands[1]
        if isinstance(right, Constant):
            return checker.report(language_diagnostics.DIVISION_BY_ZERO, "this divisor is zero", divisor)
        source_text = checker.get_source_text(divisor)
        hint = f"write `max(1, {source_text})`, or test it first: `… if {source_text} != 0 else …`"
        return checker.report(language_diagnostics.DIVISION_BY_ZERO, "this divisor could be zero", divisor, hint)
    rounding = scope.declarations.rounding
    if node.operator == "/" and rounding is None:
        return checker.report(
            language_diagnostics.NO_ROUNDING, "this ruleset does not say how to round fractions", node
        )
    return Arithmetic(INTEGER, node.operator, left, right, rounding)


def is_certainly_nonzero(node: Typed, scope: Scope) -> bool:
    """Return whether `node` is certainly not zero, by its structure or by the facts in `scope`."""
    return (
        is_never_zero(node, scope.declarations) or _in_no_row_zero(node, scope) or is_known_not_zero(node, scope.facts)
    )


def _in_no_row_zero(node: Typed, scope: Scope) -> bool:
    """Return whether `node` depends only on columns and constants, and is not zero for any row."""
    values = _of_all_rows(node, scope)
    return bool(values) and 0 not in values


def _of_all_rows(node: Typed, scope: Scope) -> set[int]:
    """Return all values that an expression of columns and constants can have.

    An empty set means that they are unknown: the expression depends on more, has too many values, or is no number.
    """
    match node:
        case Constant(value=value) if type(value) is int:
            return {value}
        case Cell() if scope.declarations.settled:
            rows = scope.declarations.tables[node.table].rows
            match node.base:
                case Constant(value=str(named)) if named in rows:
                    chosen = [rows[named]]
                case _:
                    chosen = list(rows.values())
            cells = [row.cells.get(node.column) for row in chosen]
            return {cell for cell in cells if type(cell) is int} if all(type(cell) is int for cell in cells) else set()
        case Arithmetic(operator=sign) if sign in _SIGNS:
            left, right = _of_all_rows(node.left, scope), _of_all_rows(node.right, scope)
            few = len(left) * len(right) <= _MOST_VALUES
            return {_SIGNS[sign](x, y) for x in left for y in right} if few else set()
    return set()


def is_never_zero(node: Typed, declarations: Declarations) -> bool:
    """Return whether `node` is certain to be above or below zero."""
    match node:
        case Constant(value=int(value)):
            return value != 0
        case Cell(column=typed_ast.ROW_RANK):
            return True
        case Aggregate(function="count", condition=None, source=source):
            return is_never_empty(source, declarations)
        case Apply() if (spelled := spell_out(node)) is not None:
            return is_never_zero(spelled, declarations)
        case Apply(function="max", arguments=arguments):
            return any(isinstance(a, Constant) and isinstance(a.value, int) and a.value > 0 for a in arguments)
    return False


def check_and(checker: ScalarChecker, node: untyped_ast.Operation, scope: Scope) -> Typed:
    """Return `a and b`: each operand may count on those before it."""
    return _questions(checker, "and", [], node.operands, scope)


def check_or(checker: ScalarChecker, node: untyped_ast.Operation, scope: Scope, expected: Type | None) -> Typed:
    """Return `a or b`, the first of several optional values that exists. For truth values, whether one is true.

    Reports a mix of types, and a value after one that always exists. It then returns `BROKEN`.
    """

    def check(operand: Syntax, expected: Type | None) -> Typed:
        typed = checker.check_value(operand, scope, expected)
        if operand is not node.operands[-1] and has_certain_end(typed, scope.declarations):
            # `first(players) or …` is allowed, though the second value is never used.
            return replace(typed, type=make_optional(typed.type))
        return typed

    result = check(node.operands[0], expected)
    rest = node.operands[1:]
    while rest and isinstance(result.type, Optional):
        other = check(rest[0], present(result.type))
        if isinstance(other.type, Boolean) and not isinstance(result.type.inner, Boolean):
            known = [checker.as_condition(result, node.operands[0]), other]
            return _questions(checker, "or", known, rest[1:], scope)
        if isinstance(other.type, Unknown):
            return BROKEN
        kind = join(present(result.type), other.type)
        if kind is None:
            message = f"both sides of `or` must have the same type, not {present(result.type)} and {other.type}"
            return checker.report(language_diagnostics.WRONG_TYPE, message, node)
        result = Coalesce(kind, result, other)
        rest = rest[1:]
    if not rest:
        return result
    if isinstance(result.type, Unknown):
        return BROKEN
    if isinstance(result.type, Boolean):
        return _questions(checker, "or", [result], rest, scope)
    message = f"the value before `or` ({result.type}) is never none, so the value after it is never used"
    hint = "write one number; if players pick it, use `choose:`" if isinstance(result.type, Integer) else None
    return checker.report(language_diagnostics.WRONG_TYPE, message, rest[0], hint)


def check_conditional(
    checker: ScalarChecker, node: untyped_ast.Conditional, scope: Scope, expected: Type | None
) -> Typed:
    """Return the typed tree of `a if condition else b`.

    Reports branches of different types, and then returns `BROKEN`.
    """
    condition = checker.check_condition(node.condition, scope)
    then = checker.check_value(
        node.then, scope.with_facts(derive_facts_inside(condition, scope.declarations)), expected
    )
    otherwise_scope = scope.with_facts(derive_facts_inside(condition, scope.declarations, holds=False))
    otherwise = checker.check_value(node.otherwise, otherwise_scope, expected or present(then.type))
    kind = join(then.type, otherwise.type)
    if kind is None:
        message = f"the two values have different types: {then.type} and {otherwise.type}"
        return checker.report(language_diagnostics.WRONG_TYPE, message, node)
    return If(kind, condition, then, otherwise)


def _questions(
    checker: ScalarChecker, operator: str, known: Sequence[Typed], rest: Sequence[Syntax], scope: Scope
) -> Typed:
    """Return `known` and further operands joined by `and` or `or`. Each may count on the facts from those before it."""
    operands = list(known)
    holds = operator == "and"
    for typed in known:
        scope = scope.with_facts(derive_facts_inside(typed, scope.declarations, holds=holds))
    for operand in rest:
        typed = checker.check_condition(operand, scope)
        operands.append(typed)
        scope = scope.with_facts(derive_facts_inside(typed, scope.declarations, holds=holds))
    return Logic(BOOLEAN, operator, tuple(operands))
