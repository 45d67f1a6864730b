"""Triggers: the event that each of them watches, and the steps that cause it.

The effects of steps are derived from their operations. So no trigger lists the places it applies to, and new
statements are watched without further code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import GAME_KIND, Timing, Trigger
from rulewright.language.expressions.typed_ast import Constant, Invoke, Local, Objects, Stored, Typed
from rulewright.language.lowering import MOST_KEPT, find_called_procedure, list_operations, step_region
from rulewright.language.operations import (
    Bind,
    Branch,
    Call,
    Create,
    Draw,
    Each,
    Keep,
    Loop,
    Operation,
    Region,
    Remove,
    Temporary,
    Write,
)
from rulewright.language.statement import rewrite_expressions
from rulewright.language.types import Entity, ListOf, present
from rulewright.language.visibility import SHOWN

TIMINGS: tuple[Timing, ...] = ("just_before", "instead", "then")

AMOUNTS: Mapping[str, str] = MappingProxyType({"gains": "+", "loses": "-"})
"""The events with an amount, each with the operator of its operation."""

EVENTS: Mapping[str, tuple[Timing, ...]] = MappingProxyType(
    {
        "gains": TIMINGS,
        "loses": TIMINGS,
        "changes": TIMINGS,
        "creates": ("just_before", "then"),
        "removes": ("just_before", "instead"),
        "does": ("just_before", "then"),
        "begins": ("then",),
        "ends": ("then",),
    }
)
"""The events that a trigger can watch, each with the possible times of its steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """The effect of a step on one place: the object and the new value of its field, if it changes one.

    Both are expressions evaluated just before the step, or None if they are not known by then. `several` is true if
    `entity` is a list of objects to remove. `place` is its number among the effects of its step. `doubt` says why it
    may not happen right at the start of the step. It is empty if it does. `repeated` is true in a loop.
    """

    place: int
    operation: Operation[Typed]
    entity: Typed | None
    value: Typed | None
    several: bool
    doubt: str = ""
    repeated: bool = False

    def is_alike(self, other: Effect) -> bool:
        """Return whether another effect surely changes the same field of the same object."""
        one, two = self.operation, other.operation
        same = isinstance(one, Write) and isinstance(two, Write) and (one.kind, one.field) == (two.kind, two.field)
        return same and self.entity is not None and self.entity == other.entity


@lru_cache(maxsize=MOST_KEPT)
def list_effects(step: Step) -> tuple[Effect, ...]:
    """Return the effects of a step itself on objects, in order. Cached.

    A change of who sees a field is left out: no trigger watches it.
    """
    if not any(isinstance(each, Write | Remove | Create) for each in list_operations(step)):
        return ()
    return _EffectReader(step).read()


class _EffectReader:
    """The walk over the operations of a step, with what its temporaries and own slots hold by then.

    A temporary or a slot without a value here, or with None, depends on an answer, a roll, a branch or a round.
    """

    def __init__(self, step: Step) -> None:
        self.step = step
        self.effects: list[Effect] = []
        self.temporaries: dict[int, Typed | None] = {}
        filled = (each for each in list_operations(step) if not (isinstance(each, Bind) and each.name))
        self.slots: dict[int, Typed | None] = {slot: None for each in filled for slot in each.fills}
        self.changed: set[str | tuple[str, str]] = set()
        self.called = False
        self.doubt = ""
        self.repeated = False

    def read(self) -> tuple[Effect, ...]:
        """Read the operations of the step, and return its effects. Call it once."""
        region = step_region(self.step)
        if self.step.when is not None and isinstance(region[-1], Branch):
            region = region[-1].then
        self._read_region(region)
        return tuple(self.effects)

    def _read_region(self, region: Region[Typed]) -> None:
        for each in region:
            if each.step is self.step:
                self._read_operation(each)

    def _read_operation(self, each: Operation[Typed]) -> None:
        """Add the effect of an operation, and note what it stores, what it changes, and whether it pauses."""
        match each:
            case Keep(into=into, value=value):
                self.temporaries[into] = self._spell(value)
            case Bind(slot=slot, value=value, row=row):
                self.slots[slot] = None if row is not None else self._spell(value)
            case Write(entity=entity, value=value):
                if not each.field.startswith(SHOWN):
                    self._add(each, self._spell(entity), self._spell(value), False)
                self.changed.add((each.kind, each.field))
            case Remove(entity=entity, several=several):
                self._add(each, self._spell(entity), None, several)
                self.changed.add(find_removed_kind(each))
            case Create(kind=kind):
                self._add(each, None, None, False)
                self.changed.add(kind)
            case Draw() | Call():
                self.called = True
            case Branch() | Loop() | Each():
                self._read_inner(each)
        if any(inner.suspends for inner in each.walk()):
            self.doubt = self.doubt or f"`{self.step.rule}` pauses before it"

    def _read_inner(self, each: Operation[Typed]) -> None:
        """Read the regions of an operation, which run in some cases, or several times."""
        before, doubt, repeated = dict(self.slots), self.doubt, self.repeated
        self.doubt = doubt or f"`{self.step.rule}` does so only in some cases"
        again = not isinstance(each, Branch)
        self.repeated |= again
        filled = [slot for inner in each.walk() for slot in inner.fills]
        for region in each.regions:
            self.slots = {**before, **(dict.fromkeys(filled) if again else {})}
            self._read_region(region)
        self.slots = {**before, **dict.fromkeys(filled)}
        self.doubt, self.repeated = doubt, repeated

    def _add(self, each: Operation[Typed], entity: Typed | None, value: Typed | None, several: bool) -> None:
        self.effects.append(Effect(len(self.effects), each, entity, value, several, self.doubt, self.repeated))

    def _spell(self, value: Typed) -> Typed | None:
        """Return a value as an expression evaluated just before the step, or None if it is not known by then."""
        known = True

        def spell(part: Typed) -> Typed | None:
            nonlocal known
            held: Typed | None = part
            match part:
                case Temporary(number=number):
                    held = self.temporaries.get(number)
                case Local(slot=slot) if slot in self.slots:
                    held = self.slots[slot]
                case _:
                    known = known and not self._may_differ(part)
                    return None
            known = known and held is not None
            return held or part

        spelled: Typed = rewrite_expressions(value, spell)
        return spelled if known else None

    def _may_differ(self, part: Typed) -> bool:
        """Return whether a part of an expression may have changed since the step began."""
        match part:
            case Stored(kind=kind, field=field):
                return self.called or (kind, field) in self.changed
            case Objects(kind=kind):
                return self.called or kind in self.changed
        return (part.READS_GAME or isinstance(part, Invoke)) and (self.called or bool(self.changed))


def find_removed_kind(remove: Remove[Typed]) -> str:
    """Return the kind of the objects that an operation removes, or an empty string if it is unknown."""
    kind = remove.entity.type
    inner = kind.inner if isinstance(kind, ListOf) else kind
    return inner.kind if isinstance(inner, Entity) else ""


def list_watched(trigger: Trigger, effects: Iterable[Effect]) -> list[Effect]:
    """Return the effects that a trigger watches. The trigger's own condition does not count.

    Empty for triggers on steps and procedures, which watch no effects. Changes of a map's entry are left out. So is
    an effect on a place that an earlier one changes, if the trigger runs after both.
    """
    watched: list[Effect] = []
    for effect in effects:
        again = trigger.timing == "then" and any(map(effect.is_alike, watched))
        if not again and _matches(trigger, effect):
            watched.append(effect)
    return watched


def _matches(trigger: Trigger, effect: Effect) -> bool:
    """Return whether an effect is the event of a trigger.

    The change of a map's entry is none, nor is a gain to the minimum.
    """
    each: Any = effect.operation
    match trigger.event:
        case "gains" | "loses" | "changes":
            by = ("", AMOUNTS.get(trigger.event, each.by)) if isinstance(each, Write) else ()
            if not by or (each.kind, each.field) != (trigger.kind, trigger.field) or each.row is not None:
                return False
            return each.by in by and not (trigger.event == "gains" and _is_least(each, effect.value))
        case "creates":
            return isinstance(each, Create) and each.kind == trigger.kind
        case "removes":
            return isinstance(each, Remove) and find_removed_kind(each) == trigger.kind
    return False


def _is_least(write: Any, value: Typed | None) -> bool:
    """Return whether a field becomes the least that it may be, so that it cannot have grown."""
    return isinstance(value, Constant) and write.minimum is not None and bool(value.value <= write.minimum)


def find_matching_steps(trigger: Trigger, procedure: Procedure) -> Iterator[Step | None]:
    """Yield the steps of a procedure at which a trigger applies. None means its start or its end.

    A trigger does not apply inside its own procedure.
    """
    if procedure.id == trigger.id:
        return
    if trigger.event in ("begins", "ends"):
        if procedure.id == trigger.procedure:
            yield None
        return
    for step in procedure.iterate_steps():
        own = step.rule == f"{procedure.id}.{step.id}"
        if trigger.event == "does":
            if own and (procedure.id, step.id) == (trigger.procedure, trigger.step):
                yield step
        elif list_watched(trigger, list_effects(step)):
            yield step


def find_obstacle(trigger: Trigger, step: Step) -> str:
    """Return why a trigger cannot run at a step that causes its event, as a clause, or empty if it can.

    Before the event, and instead of it, its object and its value must be known, and it must be sure to happen. After
    the event, the object must have been known before the step.
    """
    watched = list_watched(trigger, list_effects(step))
    if not watched:
        return ""
    # The triggers at those steps would report the same change once more.
    if step.blocks or find_called_procedure(step):
        return f"`{step.rule}` also runs other steps"
    if trigger.event == "creates" and trigger.timing == "then":
        kind = present(step.binds) if step.binds is not None else None
        if len(watched) > 1 or watched[0].repeated or not (isinstance(kind, Entity) and kind.kind == trigger.kind):
            return f"the new object is not the result of `{step.rule}`"
        return ""
    early = trigger.timing != "then"
    for effect in watched:
        if early and effect.doubt:
            return effect.doubt
        valued = early and isinstance(effect.operation, Write)
        if trigger.event != "creates" and (effect.entity is None or (valued and effect.value is None)):
            what = "new value" if effect.entity is not None else "object"
            return f"the {what} is only known during `{step.rule}`"
        if early and any(effect.is_alike(other) for other in watched if other is not effect):
            return f"`{step.rule}` changes the same field twice"
    return _find_obstacle_instead(step, watched) if trigger.timing == "instead" else ""


def _find_obstacle_instead(step: Step, watched: Sequence[Effect]) -> str:
    """Return why a trigger cannot replace the effects that it watches, as a clause, or empty if it can."""
    if step.binds is not None:
        return f"later steps need the result of `{step.rule}`"
    apart = len(list_effects(step)) > 1 or any(effect.several for effect in watched)
    if apart and not step.verb.split_effects(step.action, lambda value: value):
        return f"`{step.rule}` has several effects at once, which `{step.verb.name}` cannot separate"
    return ""


def list_given_names(event: str, kind: str) -> tuple[str, ...]:
    """Return the names that the steps of a trigger use for the object of an effect and its values."""
    whose = () if kind in ("", GAME_KIND) else (kind,)
    if event in AMOUNTS:
        return (*whose, "amount")
    return (*whose, "before", "after") if event == "changes" else whose
