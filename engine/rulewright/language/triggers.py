"""Rules that hold whenever something happens: what each of them watches, and which steps do that.

Which steps have an effect is read off the operations that they come down to, so that no rule lists the places that it
touches, and a verb added later is watched like the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any

from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import GAME_KIND, Timing, Trigger
from rulewright.language.expressions.typed_ast import Constant, Typed
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Create, Keep, Operation, Remove, Temporary, Write
from rulewright.language.types import Entity, ListOf

TIMINGS: tuple[Timing, ...] = ("first", "instead", "then")

AMOUNTS: Mapping[str, str] = MappingProxyType({"gains": "+", "loses": "-"})
"""The events that are told an amount, each with how operations write it."""

EVENTS: Mapping[str, tuple[Timing, ...]] = MappingProxyType(
    {
        "gains": TIMINGS,
        "loses": TIMINGS,
        "changes": TIMINGS,
        "creates": ("first", "then"),
        "removes": ("first", "instead"),
        "does": ("first", "then"),
        "begins": ("then",),
        "ends": ("then",),
    }
)
"""What a rule may watch, each with when its steps may be carried out."""


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """What a step does to one place: the object and the new value of its field, where it changes one.

    `several` says that `thing` is a list, of which every object goes. `place` is its number among its step's effects.
    """

    place: int
    operation: Operation[Typed]
    entity: Typed | None
    value: Typed | None
    several: bool


def list_effects(step: Step) -> tuple[Effect, ...]:
    """Return what a step itself does to objects, in order, each said by expressions that hold just before it.

    What it does by an answer or a roll of its own cannot be said before, and is not among them.
    """
    own = list_operations(step)
    if any(each.stops for each in own):
        return ()
    kept = {each.into: each.value for each in own if isinstance(each, Keep)}
    found: list[Effect] = []
    for each in own:
        match each:
            case Write(thing=thing, value=value):
                found.append(Effect(len(found), each, _spell(thing, kept), _spell(value, kept), False))
            case Remove(thing=thing, several=several):
                found.append(Effect(len(found), each, _spell(thing, kept), None, several))
            case Create():
                found.append(Effect(len(found), each, None, None, False))
    return tuple(each for each in found if not (_answered(each.entity) or _answered(each.value)))


def matches_trigger(trigger: Trigger, effect: Effect) -> bool:
    """Return whether an effect is what a rule watches."""
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
            kind = effect.entity.type if effect.entity is not None else None
            inner = kind.inner if isinstance(kind, ListOf) else kind
            return isinstance(each, Remove) and isinstance(inner, Entity) and inner.kind == trigger.kind
    return False


def _is_least(write: Any, value: Typed | None) -> bool:
    """Return whether a field becomes the least that it may be, so that it cannot have grown."""
    return isinstance(value, Constant) and write.minimum is not None and bool(value.value <= write.minimum)


def find_matching_steps(trigger: Trigger, procedure: Procedure) -> Iterator[Step | None]:
    """Yield the steps of a procedure at which a rule applies; none for its beginning or its end.

    What a rule does itself does not call it up again.
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
        elif any(matches_trigger(trigger, effect) for effect in list_effects(step)):
            yield step


def list_given_names(event: str, kind: str) -> tuple[str, ...]:
    """Return what the steps of a rule call the object of an effect, and what becomes of its field."""
    whose = () if kind in ("", GAME_KIND) else (kind,)
    if event in AMOUNTS:
        return (*whose, "amount")
    return (*whose, "before", "after") if event == "changes" else whose


def _answered(value: Typed | None) -> bool:
    return value is not None and any(isinstance(part, Temporary) for part in value.walk())


def _spell(value: Typed, kept: Mapping[int, Typed]) -> Typed:
    """Return a value without what was kept on the way to it."""
    if isinstance(value, Temporary):
        return _spell(kept[value.number], kept) if value.number in kept else value

    def again(part: Any) -> Any:
        if isinstance(part, Typed):
            return _spell(part, kept)
        return tuple(again(item) for item in part) if isinstance(part, tuple) else part

    if not is_dataclass(value):
        return value
    changed = {each.name: again(getattr(value, each.name)) for each in fields(value) if each.init}
    same = all(part is getattr(value, name) for name, part in changed.items())
    return value if same else replace(value, **changed)
