"""The types of the slots of a procedure's frame."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.ir.program import Routine
from rulewright.language import operations as op
from rulewright.language.types import INTEGER, ListOf, Nothing, Type


def find_slot_types(routine: Routine, routines: Mapping[str, Routine]) -> dict[int, Type]:
    """Return the types of the slots of a procedure, by slot.

    `routines` are all procedures, for the results of calls.
    """
    slot_types: dict[int, Type] = {place: kind for place, (_, kind) in enumerate(routine.parameters, start=1)}

    def add(slot: int, kind: Type) -> None:
        if slot not in slot_types or isinstance(slot_types[slot], Nothing):
            slot_types[slot] = kind

    for slot, kind in routine.types.items():
        slot_types.setdefault(slot, kind)
    for each in routine.walk():
        match each:
            case op.Bind(slot=slot, type=kind, row=None):
                add(slot, kind)
            case op.Each(item=item, rest=rest, source=source):
                add(rest, source.type)
                slot_types[rest] = source.type
                add(item, source.type.inner if isinstance(source.type, ListOf) else source.type)
            case op.Loop(counter=counter):
                slot_types[counter] = INTEGER
            case op.Call(procedure=procedure, fills=fills):
                gives = routines[procedure].gives
                for slot, (_, value) in zip(fills, gives, strict=False):
                    add(slot, value.type)
    return slot_types
