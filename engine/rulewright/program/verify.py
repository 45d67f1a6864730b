"""What every program must keep to, so that any machine can carry it out and stop anywhere in it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.language import operations as op
from rulewright.language.operations import Operation, Region
from rulewright.program.program import Routine
from rulewright.program.values import OPERATIONS, Value


def faults(routine: Routine) -> list[str]:
    """What is wrong with a procedure, in sentences for whoever wrote a verb; none, as a rule.

    No temporary is read before it is made, nor once the machine may have stopped since; what is worked out between a
    change and a stop reads no answer; every slot lies in the frame; every operation on values is known.
    """
    return list(_Verify(routine).region(routine.body, set()))


class _Verify:
    def __init__(self, routine: Routine) -> None:
        self.routine = routine

    def region(self, region: Region[Value], known: set[int]) -> Iterator[str]:
        for each in region:
            yield from self.operation(each, known)

    def operation(self, each: Operation[Value], known: set[int]) -> Iterator[str]:
        where = f"{each.step.rule} ({each.step.verb.name})"
        for value in each.values:
            for part in value.walk():
                if part.op not in OPERATIONS:
                    yield f"{where}: there is no operation `{part.op}`"
                elif part.op == "temp" and part.data[0] not in known:
                    yield f"{where}: temporary {part.data[0]} is read where it may not have been kept"
                elif part.op == "slot" and not 0 < part.data[0] <= self.routine.size:
                    yield f"{where}: there is no slot {part.data[0]}"
        for slot in each.fills:
            if not 0 < slot <= self.routine.size:
                yield f"{where}: there is no slot {slot}"
        if each.stops or isinstance(each, op.Call):
            known.clear()
        for region in each.regions:
            # What is kept on one way is not known on the other, and a round may stop.
            yield from self.region(region, set() if isinstance(each, op.Loop | op.Each) else set(known))
        if any(inner.stops or isinstance(inner, op.Call) for inner in each.walk()):
            known.clear()
        into = getattr(each, "into", None)
        if into is not None:
            known.add(into)
