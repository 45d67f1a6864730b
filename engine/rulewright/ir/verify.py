"""What every program must keep to, so that any machine can carry it out and stop anywhere in it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir.program import Routine
from rulewright.ir.values import OPERATIONS, Value
from rulewright.language import operations as op
from rulewright.language.operations import Operation, Region


def find_faults(routine: Routine) -> list[str]:
    """Return what is wrong with a procedure, in sentences for whoever wrote a verb; none, as a rule.

    No temporary is read before it is made, nor once the machine may have stopped since. What leads up to a stop is
    worked out once more where a state is read back, so a stop reads only what was kept since the last change. Every
    slot lies in the frame, and every operation on values is known.
    """
    return list(_Verify(routine).region(routine.body, set(), set()))


class _Verify:
    def __init__(self, routine: Routine) -> None:
        self.routine = routine

    def region(self, region: Region[Value], known: set[int], recent: set[int]) -> Iterator[str]:
        """Yield the faults of a region.

        `known` are the temporaries at hand, `recent` those kept since the last change.
        """
        for each in region:
            yield from self.operation(each, known, recent)

    def operation(self, each: Operation[Value], known: set[int], recent: set[int]) -> Iterator[str]:
        where = f"{each.step.rule} ({each.step.verb.name})"
        for value in each.values:
            for part in value.walk():
                if part.op not in OPERATIONS:
                    yield f"{where}: there is no operation `{part.op}`"
                elif part.op == "temp" and part.data[0] not in known:
                    yield f"{where}: temporary {part.data[0]} is read where it may not have been kept"
                elif part.op == "temp" and each.stops and part.data[0] not in recent:
                    yield f"{where}: a stop reads temporary {part.data[0]}, which was kept before a change"
                elif part.op == "slot" and not 0 < part.data[0] <= self.routine.size:
                    yield f"{where}: there is no slot {part.data[0]}"
        for slot in each.fills:
            if not 0 < slot <= self.routine.size:
                yield f"{where}: there is no slot {slot}"
        for region in each.regions:
            # What is kept on one way is not known on the other, and a round may stop.
            again = isinstance(each, op.Loop | op.Each)
            yield from self.region(region, set() if again else set(known), set() if again else set(recent))
        within = list(each.walk())
        if any(inner.suspends for inner in within):
            known.clear()
        if any(inner.suspends or inner.changes or isinstance(inner, op.Bind) for inner in within):
            recent.clear()
        into = getattr(each, "into", None)
        if into is not None:
            known.add(into)
            recent |= {into} if isinstance(each, op.Keep) else set()
