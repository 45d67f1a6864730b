"""`and`, `or` and `if … else`: truth values, values that may be missing, and what is known on each side."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.language import codes
from rulewright.language.expression import syntax
from rulewright.language.expression.checking import Checking
from rulewright.language.expression.facts import facts
from rulewright.language.expression.syntax import Syntax
from rulewright.language.expression.typed import BROKEN, Coalesce, If, Logic, Typed
from rulewright.language.scope import Scope
from rulewright.language.types import BOOLEAN, Boolean, Optional, Type, Unknown, join, present


def check_and(checker: Checking, node: syntax.Operation, scope: Scope) -> Typed:
    """`a and b`: each operand may count on those before it."""
    return _questions(checker, "and", [], node.operands, scope)


def check_or(checker: Checking, node: syntax.Operation, scope: Scope, expected: Type | None) -> Typed:
    """`a or b`: of values that may be missing, the first that is there; of questions, whether one holds."""
    result = checker.value(node.operands[0], scope, expected)
    rest = node.operands[1:]
    while rest and isinstance(result.type, Optional):
        other = checker.value(rest[0], scope, present(result.type))
        if isinstance(other.type, Boolean) and not isinstance(result.type.inner, Boolean):
            known = [checker.as_condition(result, node.operands[0]), other]
            return _questions(checker, "or", known, rest[1:], scope)
        if isinstance(other.type, Unknown):
            return BROKEN
        kind = join(present(result.type), other.type)
        if kind is None:
            message = f"`or` joins {present(result.type)} and {other.type}, which are of different types"
            return checker.report(codes.WRONG_TYPE, message, node)
        result = Coalesce(kind, result, other)
        rest = rest[1:]
    if not rest:
        return result
    if isinstance(result.type, Unknown):
        return BROKEN
    if isinstance(result.type, Boolean):
        return _questions(checker, "or", [result], rest, scope)
    message = f"before this `or` there is always a value ({result.type}), so this is never used"
    return checker.report(codes.WRONG_TYPE, message, rest[0])


def check_conditional(checker: Checking, node: syntax.Conditional, scope: Scope, expected: Type | None) -> Typed:
    """`a if condition else b`."""
    condition = checker.condition(node.condition, scope)
    then = checker.value(node.then, scope.knowing(facts(condition)), expected)
    otherwise_scope = scope.knowing(facts(condition, holds=False))
    otherwise = checker.value(node.otherwise, otherwise_scope, expected or present(then.type))
    kind = join(then.type, otherwise.type)
    if kind is None:
        message = f"the two ends are of different types: {then.type}, and {otherwise.type}"
        return checker.report(codes.WRONG_TYPE, message, node)
    return If(kind, condition, then, otherwise)


def _questions(checker: Checking, operator: str, known: Sequence[Typed], rest: Sequence[Syntax], scope: Scope) -> Typed:
    operands = list(known)
    holds = operator == "and"
    for typed in known:
        scope = scope.knowing(facts(typed, holds=holds))
    for operand in rest:
        typed = checker.condition(operand, scope)
        operands.append(typed)
        scope = scope.knowing(facts(typed, holds=holds))
    return Logic(BOOLEAN, operator, tuple(operands))
