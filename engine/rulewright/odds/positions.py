"""Positions as keys: two states that go on alike have the same key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.language.lowering import called, operations
from rulewright.language.operations import Each, Loop
from rulewright.language.step import Step
from rulewright.language.types import ListOf, Optional, Thing, Type
from rulewright.odds.liveness import Liveness
from rulewright.play.machine.state import DECISION, State
from rulewright.program.program import Layout
from rulewright.ruleset.ruleset import Ruleset

Key = tuple[Any, ...]
Renumber = Callable[[int], int]


class Positions:
    """Tidies states of one ruleset, and makes their keys. Objects before number `kept` keep their numbers."""

    def __init__(self, ruleset: Ruleset, liveness: Liveness, *, kept: int) -> None:
        self.ruleset = ruleset
        self.liveness = liveness
        self.kept = kept
        self.layout = Layout(ruleset.declarations)
        self._forgotten: dict[tuple[int, int], tuple[int, ...]] = {}
        self._promised: dict[int, tuple[int, ...]] = {}
        self._references: dict[int, Mapping[int, Type]] = {}
        self._held: dict[str, Mapping[int, Type]] = {}

    def key(self, state: State, *, named: bool = False) -> Key:
        """The key of a state at a stop. The state is tidied: what no step will read again is taken out of it.

        With `named`, objects keep their numbers, because a script calls them by those.
        """
        for frame in state.stack:
            number = frame[0]
            for slot in self._slots_to_forget(number, len(frame)):
                frame[slot] = None
            for slot in self._slots_of_promises(number):
                if frame[slot] is not None:
                    frame[slot] = 1
        if not named:
            self._renumber(state)
        return (
            tuple(map(tuple, state.stack)),
            tuple([None if thing is None else tuple(thing) for thing in state.objects]),
        )

    def _slots_to_forget(self, step: int, size: int) -> tuple[int, ...]:
        found = self._forgotten.get((step, size))
        if found is None:
            kept = self.liveness.at(step) if step else frozenset(range(size))
            found = tuple(slot for slot in range(1, size) if slot not in kept)
            self._forgotten[step, size] = found
        return found

    def _slots_of_promises(self, number: int) -> tuple[int, ...]:
        """Where the loops around a step count rounds for a promise alone (`within`), which is taken to be kept."""
        found = self._promised.get(number)
        if found is None:
            slots = []
            step = self.ruleset.steps.get(number)
            while step is not None:
                for each in operations(step):
                    if isinstance(each, Loop) and each.within is not None and each.most is None:
                        slots.append(each.counter)
                step = step.container.owner if step.container is not None else None
            found = self._promised[number] = tuple(slots)
        return found

    # -- the numbers of objects ------------------------------------------------------------

    def _renumber(self, state: State) -> None:
        """Number the objects made on the way by kind, and within a kind as they were made, without gaps.

        The language never sees a number: it tells objects of one kind apart, and lists them as they were made, and
        both stay as they are. What has left the game and is still held by something only is, and equals itself.
        """
        objects, kept = state.objects, self.kept
        made = range(kept, len(objects))
        live = sorted((number for number in made if objects[number] is not None), key=lambda n: (objects[n][0], n))
        if live == list(made):
            return
        numbers = {old: new for new, old in enumerate(live, start=kept)}

        def renumbered(number: int) -> int:
            # What has left the game comes behind, in the order in which it is met.
            return number if number < kept else numbers.setdefault(number, kept + len(numbers))

        state.objects = objects = [*objects[:kept], *(objects[old] for old in live)]
        state.live = tuple(tuple([renumbered(number) for number in kind]) for kind in state.live)
        for thing in objects:
            if thing is not None:
                _replace(thing, self._fields(thing[0]), renumbered)
        procedure = state.root
        step: Step | None = None
        for frame in state.stack:
            _replace(frame, self._slots(procedure), renumbered)
            step = self.ruleset.steps.get(frame[0])
            procedure = called(step) if step is not None else ""
        if step is not None and step.binds is not None:
            kind = step.binds
            if state.mode == DECISION:
                state.options = tuple([_mapped(option, kind, renumbered) for option in state.options])
            elif isinstance(state.roll, tuple):
                state.roll = tuple([_mapped(item, kind, renumbered) for item in state.roll])
        objects += [None] * (kept + len(numbers) - len(objects))

    def _fields(self, kind: int) -> Mapping[int, Type]:
        """Where objects of a kind hold others."""
        found = self._references.get(kind)
        if found is None:
            name = self.layout.names[kind]
            fields = self.ruleset.declarations.kinds[name].fields.values()
            found = {self.layout.places[name, each.name]: each.type for each in fields if names_objects(each.type)}
            self._references[kind] = found
        return found

    def _slots(self, procedure: str) -> Mapping[int, Type]:
        """Where a frame may hold objects: under names, and in what loops over objects have still to come."""
        found = self._held.get(procedure)
        if found is None:
            found = {}
            if procedure in self.ruleset.procedures:
                body = self.ruleset.procedures[procedure]
                found = {slot: kind for slot, kind in body.types.items() if names_objects(kind)}
                for step in body.steps():
                    for each in operations(step):
                        if isinstance(each, Each) and each.things:
                            found[each.rest] = ListOf(Thing(""))
            self._held[procedure] = found
        return found


def _replace(values: list[Any], places: Mapping[int, Type], renumbered: Renumber) -> None:
    for place, kind in places.items():
        values[place] = _mapped(values[place], kind, renumbered)


def _mapped(value: Any, kind: Type, renumbered: Renumber) -> Any:
    """`value` with the numbers of the objects in it replaced."""
    match kind, value:
        case _, None:
            return None
        case Optional(inner=inner), _:
            return _mapped(value, inner, renumbered)
        case Thing(), int():
            return renumbered(value)
        case ListOf(inner=inner), tuple():
            return tuple([_mapped(item, inner, renumbered) for item in value])
    return value


def names_objects(kind: Type) -> bool:
    """Whether values of a type are objects, or hold some."""
    if isinstance(kind, (Optional, ListOf)):
        return names_objects(kind.inner)
    return isinstance(kind, Thing)
