"""The pause points of procedures, and the code that prepares each of them."""

from __future__ import annotations

from rulewright.ir.program import Routine
from rulewright.ir.values import Value
from rulewright.language.operations import Bind, Operation, Region


def find_stops(routine: Routine) -> dict[int, list[Operation[Value]]]:
    """Return the operations at which each step may stop, by its number, in the order of their stages."""
    stops: dict[int, list[Operation[Value]]] = {}
    for each in routine.walk():
        if each.suspends:
            stops.setdefault(each.step.number, []).append(each)
    return stops


def slice_to_stop(region: Region[Value], stop: Operation[Value]) -> Region[Value]:
    """Return a pause operation preceded by the code of its step since the last change, in its own region."""
    for each in region:
        if each is stop:
            break
        for inner in each.regions:
            if any(stop is other for outer in inner for other in outer.walk()):
                return slice_to_stop(inner, stop)
    before = list(region[: next(place for place, each in enumerate(region) if each is stop)])
    leading: list[Operation[Value]] = []
    while before and before[-1].step is stop.step and not _is_done(before[-1]):
        leading.insert(0, before.pop())
    return (*leading, stop)


def _is_done(operation: Operation[Value]) -> bool:
    """Return whether an operation leaves anything behind, so that it must not be carried out again."""
    return any(each.changes or each.stops or isinstance(each, Bind) for each in operation.walk())
