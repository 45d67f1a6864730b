"""Walks: functions that go on from place to place."""

from __future__ import annotations

from rulewright.language import language_diagnostics
from rulewright.language.builtin import list_walks
from rulewright.language.declarations import Scope
from rulewright.language.expressions import untyped_ast
from rulewright.language.expressions.name_resolution import ScalarChecker
from rulewright.language.expressions.narrowing import derive_facts_inside
from rulewright.language.expressions.typed_ast import BROKEN, Travel, Typed
from rulewright.language.types import INTEGER, Entity, ListOf, RecordOf, Row, Type, Unknown, present

_PLACE = Row | Entity | RecordOf
"""The types of places. A record may be a side of a space, or a space with the direction in which something faces."""


def check_walk(checker: ScalarChecker, node: untyped_ast.Aggregate, scope: Scope) -> Typed:
    """Return the typed tree of a walk: `function(onward for variable in source if … until … by … within … to …)`.

    Reports errors, and then returns `BROKEN`.
    """
    function = list_walks()[node.function]
    if node.others:
        message = f"`{node.function}` walks from one list, so only one `for` is allowed"
        return checker.report(language_diagnostics.WRONG_TYPE, message, node.others[0][1])
    source = checker.check_value(node.source, scope)
    if isinstance(source.type, Unknown):
        return BROKEN
    if not isinstance(source.type, ListOf) or not isinstance(source.type.inner, _PLACE):
        message = f"`{node.function}` starts from a list of places (rows, objects or records), not from {source.type}"
        hint = f"write `[{checker.get_source_text(node.source)}]`" if isinstance(source.type, _PLACE) else None
        return checker.report(language_diagnostics.WRONG_TYPE, message, node.source, hint)
    place = source.type.inner
    inner = scope.with_variable(node.variable, place)
    onward = checker.check_value(node.element, inner)
    leads = _leads_to(onward.type)
    if leads != place:
        if isinstance(leads, Unknown):
            return BROKEN
        message = f"`{node.function}` must go on from {place} to values of the same type, but this is {onward.type}"
        return checker.report(language_diagnostics.WRONG_TYPE, message, node.element)
    condition = checker.check_condition(node.condition, inner) if node.condition is not None else None
    entered = inner.with_facts(derive_facts_inside(condition, scope.declarations)) if condition is not None else inner
    until = checker.check_condition(node.until, entered) if node.until is not None else None
    cost = _number(checker, node.order, entered)
    limit = _number(checker, node.limit, scope)
    if function.parts_only:
        for word, part in (("until", node.until), ("by", node.order), ("within", node.limit), ("to", node.goal)):
            if part is not None:
                message = f"`{node.function}` divides places into groups, so it takes no `{word}`"
                return checker.report(language_diagnostics.WRONG_TYPE, message, part, "write `reach` for one walk")
    if function.to_goal != (node.goal is not None):
        if node.goal is not None:
            message = f"`{node.function}` has no goal, so it takes no `to`"
            return checker.report(language_diagnostics.WRONG_TYPE, message, node.goal, "write `path` or `distance`")
        message = f"`{node.function}` needs a goal"
        return checker.report(language_diagnostics.WRONG_TYPE, message, node, "write `to` and the goal at the end")
    goal = (
        checker.fit(checker.check_value(node.goal, scope, place), place, node.goal) if node.goal is not None else None
    )
    parts = (condition, until, cost, limit, goal)
    if any(part is not None and isinstance(part.type, Unknown) for part in parts):
        return BROKEN
    result = function.result([place])
    assert isinstance(result, Type)
    return Travel(result, node.function, onward, node.variable, source, condition, cost, limit, goal, until)


def refuse_walking(checker: ScalarChecker, node: untyped_ast.Aggregate) -> Typed | None:
    """Report `until`, `within` or `to` in a function that does not traverse places, and return `BROKEN`.

    Returns None if none of them is used.
    """
    for word, part in (("until", node.until), ("within", node.limit), ("to", node.goal)):
        if part is not None:
            message = f"`{node.function}` does not walk from place to place, so it takes no `{word}`"
            hint = "to walk from place to place, write `reach`, `ray`, `distance` or `path`"
            return checker.report(language_diagnostics.WRONG_TYPE, message, part, hint)
    return None


def _leads_to(kind: Type) -> Type:
    return present(kind.inner if isinstance(kind, ListOf) else kind)


def _number(checker: ScalarChecker, node: untyped_ast.Syntax | None, scope: Scope) -> Typed | None:
    return checker.fit(checker.check_value(node, scope), INTEGER, node) if node is not None else None
