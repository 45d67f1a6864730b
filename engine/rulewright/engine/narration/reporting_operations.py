"""The operations of a step that record an event, found by what the event says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Bind, Create, Operation, Remove, Write
from rulewright.language.types import Entity, ListOf, Type


def find_reporting_operation(step: Step, event_kind: str, kind: str) -> Operation[Typed]:
    """Return the first operation of a step that records an event like this. The step must have one for such events.

    `kind` is the kind of the object that is created or removed, and "" for other events.
    """
    several = [each for each in list_operations(step) if each.event_kind == event_kind]
    return next((each for each in several if find_object_kind(each) == kind), several[0])


def find_object_kind(operation: Operation[Any]) -> str:
    """Return the kind of the objects that an operation creates or removes, or "" for other operations."""
    match operation:
        case Create(kind=kind):
            return kind
        case Remove(entity=entity):
            each = find_element_type(entity.type)
            return each.kind if isinstance(each, Entity) else ""
    return ""


def list_writing_operations(
    step: Step, kind: str | None, name: str, *, of_row: bool
) -> list[Write[Typed] | Bind[Typed]]:
    """Return the operations that may change this field of a kind, or, without a kind, this local name.

    With `of_row`, they change an entry of a map. If only fields of other kinds have this name, they count instead. The
    list is empty if the step has none.
    """
    changing = Bind if kind is None else Write
    results = [
        each
        for each in list_operations(step)
        if isinstance(each, changing) and find_changed_name(each) == name and (each.row is not None) == of_row
    ]
    # Fields of different kinds may have the same name.
    return [each for each in results if isinstance(each, Write) and each.kind == kind] or results


def find_signs(several: Iterable[Write[Typed] | Bind[Typed]]) -> str:
    """Return the signs of the changes of one field: each sign once, in order, or an empty text if one has none.

    An event does not say which operation has recorded it. Its account may only use what holds for all, and the signs.
    """
    signs = dict.fromkeys(map(find_sign, several))
    return "" if "" in signs else "".join(signs)


def find_sign(operation: Write[Typed] | Bind[Typed]) -> str:
    """Return `+` or `-` for an operation that adds or subtracts an amount, or an empty text."""
    return operation.by if isinstance(operation, Write) else ""


def find_changed_name(operation: Write[Any] | Bind[Any]) -> str:
    """Return the field, or the name of the procedure, that an operation changes."""
    return operation.field if isinstance(operation, Write) else operation.name


def find_element_type(kind: Type) -> Type:
    """Return the element type of a list, or the type itself if it is not a list."""
    return kind.inner if isinstance(kind, ListOf) else kind
