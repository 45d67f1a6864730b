"""Positions as keys: two states that go on alike have the same key."""

from __future__ import annotations

from typing import Any

from rulewright.language.types import UNKNOWN, ListOf, Optional, Thing, Type
from rulewright.odds.liveness import Liveness
from rulewright.play.layout import Layout
from rulewright.play.state import State
from rulewright.ruleset.ruleset import Ruleset

Key = tuple[Any, ...]


class Positions:
    """Tidies states of one ruleset, and makes their keys."""

    def __init__(self, ruleset: Ruleset, liveness: Liveness) -> None:
        self.ruleset = ruleset
        self.liveness = liveness
        self._forgotten: dict[tuple[int, int], tuple[int, ...]] = {}
        self._promised: dict[int, tuple[int, ...]] = {}
        self.layout = Layout(ruleset.declarations)
        self._references: dict[int, tuple[int, ...]] = {}
        self._held: dict[str, tuple[int, ...]] = {}

    def key(self, state: State) -> Key:
        """The key of a state at a stop. The state is tidied: what no step will read again is taken out of it."""
        for frame in state.stack:
            number = frame[0]
            for slot in self._slots_to_forget(number, len(frame)):
                frame[slot] = None
            for slot in self._slots_of_promises(number):
                if frame[slot] is not None:
                    frame[slot] = 1
        self._drop_last(state)
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
                action = step.action
                if step.verb.name == "repeat" and action.within is not None and action.at_most is None:
                    slots.append(step.hidden or 0)
                step = step.container.owner if step.container is not None else None
            found = self._promised[number] = tuple(slots)
        return found

    def _drop_last(self, state: State) -> None:
        """Take the last objects off the list once they have left the game and nobody holds their number.

        Objects made after them then get the numbers they would have had, had those never been made.
        """
        objects = state.objects
        if objects[-1] is not None:
            return
        last = len(objects)
        while objects[last - 1] is None:
            last -= 1
        del objects[max(last, min(self._most_held(state) + 1, len(objects))) :]

    def _most_held(self, state: State) -> int:
        """The greatest number of an object that anything refers to."""
        most = 0
        for thing in state.objects:
            if thing is not None:
                most = _greatest([thing[place] for place in self._fields(thing[0])], most)
        procedure = state.root
        for frame in state.stack:
            most = _greatest([frame[slot] for slot in self._slots(procedure)], most)
            step = self.ruleset.steps.get(frame[0])
            procedure = getattr(step.action, "procedure", "") if step is not None else ""
        return most

    def _fields(self, kind: int) -> tuple[int, ...]:
        """Where objects of a kind hold others."""
        found = self._references.get(kind)
        if found is None:
            name = self.layout.names[kind]
            fields = self.ruleset.declarations.kinds[name].fields.values()
            found = tuple(self.layout.places[name, field.name] for field in fields if names_objects(field.type))
            self._references[kind] = found
        return found

    def _slots(self, procedure: str) -> tuple[int, ...]:
        """Where a frame may hold objects; what loops have still to come is of no known type."""
        found = self._held.get(procedure)
        if found is None and procedure in self.ruleset.procedures:
            types = self.ruleset.procedures[procedure].types
            found = tuple(slot for slot, kind in types.items() if kind == UNKNOWN or names_objects(kind))
            self._held[procedure] = found
        return found or ()


def _greatest(values: Any, most: int) -> int:
    """The greatest number in nested lists."""
    for value in values:
        if isinstance(value, int):
            most = max(most, value)
        elif isinstance(value, (list, tuple)):
            most = _greatest(value, most)
    return most


def names_objects(kind: Type) -> bool:
    """Whether values of a type are numbers of objects."""
    inner = kind.inner if isinstance(kind, Optional) else kind
    return isinstance(inner.inner if isinstance(inner, ListOf) else inner, Thing)
