"""The invariants of programs, which let any back end run them and pause anywhere."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir.program import Routine
from rulewright.ir.values import OPERATIONS, Value
from rulewright.language import operations as op
from rulewright.language.operations import Operation, Region


def find_faults(routine: Routine) -> list[str]:
    """Return the violations of the program invariants in a procedure, as sentences for authors of statements.

    A temporary must be set before it is read, and must not be read after a possible pause. The code before a pause
    point runs again when a state is restored, so a pause operation may only read values kept since the last change.
    Every slot must be in the frame, and every operation on values must exist. The list is empty for a valid
    procedure.
    """
    return list(_Verify(routine).region(routine.body, set(), set()))


class _Verify:
    def __init__(self, routine: Routine) -> None:
        self.routine = routine

    def region(self, region: Region[Value], numbers: set[int], recent: set[int]) -> Iterator[str]:
        """Yield the faults of a region.

        `numbers` are the temporaries at hand, `recent` those kept since the last change.
        """
        for each in region:
            yield from self.operation(each, numbers, recent)

    def operation(self, each: Operation[Value], numbers: set[int], recent: set[int]) -> Iterator[str]:
        """Yield the faults of an operation, and then change `numbers` and `recent` to what they are after it.

        These are the temporaries that are set, and those that are set since the last change. The operations of a region
        must be verified in order, each to its end.
        """
        where = f"{each.step.rule} ({each.step.verb.name})"
        for value in each.values:
            for part in value.walk():
                if part.op not in OPERATIONS:
                    yield f"{where}: there is no operation `{part.op}`"
                elif part.op == "temp" and part.data[0] not in numbers:
                    yield f"{where}: temporary {part.data[0]} may be read before it is set"
                elif part.op == "temp" and each.stops and part.data[0] not in recent:
                    yield f"{where}: a pause reads temporary {part.data[0]}, which was set before a change"
                elif part.op == "slot" and not 0 < part.data[0] <= self.routine.size:
                    yield f"{where}: there is no slot {part.data[0]}"
        for slot in each.fills:
            if not 0 < slot <= self.routine.size:
                yield f"{where}: there is no slot {slot}"
        for region in each.regions:
            # A temporary set on one path is unknown on the other, and a round may pause.
            again = isinstance(each, op.Loop | op.Each)
            yield from self.region(region, set() if again else set(numbers), set() if again else set(recent))
        within = list(each.walk())
        if any(inner.suspends for inner in within):
            numbers.clear()
        if any(inner.suspends or inner.changes or isinstance(inner, op.Bind) for inner in within):
            recent.clear()
        into = getattr(each, "into", None)
        if into is not None:
            numbers.add(into)
            recent |= {into} if isinstance(each, op.Keep) else set()
