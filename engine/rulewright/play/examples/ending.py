"""What can be asked where a procedure has ended: its names, each with the place it is kept in."""

from __future__ import annotations

from rulewright.language.declarations import Binding, Declarations, Scope
from rulewright.language.step import Procedure
from rulewright.language.types import Record, Type, present
from rulewright.source.span import Span


def bind(scope: Scope, name: str, kind: Type, slot: int, span: Span) -> Scope:
    """`scope` with one more name; `haul.weight` is a part of `haul`."""
    head, _, part = name.partition(".")
    bound = Binding(slot, kind, False, span)
    if not part:
        return scope.binding(name, bound)
    there = scope.locals.get(head)
    parts = {**(there.parts or {}), part: bound} if there is not None else {part: bound}
    record = Record({each: binding.type for each, binding in parts.items()})
    return scope.binding(head, Binding(slot, record, False, span, parts))


def end_scope(procedure: Procedure, declarations: Declarations) -> Scope:
    """Every name of a procedure, all taken to be there: whoever asks at its end looks first."""
    scope = Scope(declarations)
    for slot, name in procedure.names.items():
        if "(" not in name:
            scope = bind(scope, name, present(procedure.types[slot]), slot, procedure.span)
    return scope
