"""The invariants of programs, which let any back end run them and pause anywhere."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir.program import Routine
from rulewright.ir.values import OPERATIONS, Value
from rulewright.language.operations import Operation, find_lost_temporaries


def find_faults(routine: Routine) -> list[str]:
    """Return the violations of the program invariants in a procedure, as sentences for authors of statements.

    Temporaries must be at hand, as `find_lost_temporaries` says. Every slot must be in the frame, and every operation
    on values must exist. The list is empty for a valid procedure.
    """
    return [*_find_unknown(routine), *_find_lost(routine)]


def _find_unknown(routine: Routine) -> Iterator[str]:
    for each in routine.walk():
        parts = [part for value in each.values for part in value.walk()]
        for part in parts:
            if part.op not in OPERATIONS:
                yield f"{_describe(each)}: there is no operation `{part.op}`"
        slots = (*(part.data[0] for part in parts if part.op == "slot"), *each.fills)
        yield from (f"{_describe(each)}: there is no slot {slot}" for slot in slots if not 0 < slot <= routine.size)


def _find_lost(routine: Routine) -> Iterator[str]:
    def list_read(each: Operation[Value]) -> Iterator[int]:
        yield from (part.data[0] for value in each.values for part in value.walk() if part.op == "temp")

    for each, number, is_early in find_lost_temporaries(routine.body, list_read):
        what = (
            f"a pause reads temporary {number}, which was set before a change"
            if is_early
            else f"temporary {number} may be read before it is set"
        )
        yield f"{_describe(each)}: {what}"


def _describe(each: Operation[Value]) -> str:
    return f"{each.step.rule} ({each.step.verb.name})"
