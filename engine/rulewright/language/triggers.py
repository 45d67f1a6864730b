"""Triggers: the event that each of them watches, and the steps that cause it.

The effects of steps are derived from their operations. So no trigger lists the places it applies to, and new
statements are watched without further code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import GAME_KIND, Timing, Trigger
from rulewright.language.expressions.typed_ast import Constant, Typed
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Create, Keep, Operation, Remove, Temporary, Write
from rulewright.language.statement import rewrite_expressions
from rulewright.language.types import Entity, ListOf

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

    `several` is true if `entity` is a list of objects to remove. `place` is its number among the effects of its step.
    """

    place: int
    operation: Operation[Typed]
    entity: Typed | None
    value: Typed | None
    several: bool


def list_effects(step: Step) -> tuple[Effect, ...]:
    """Return the effects of a step on objects, in order, in terms of expressions evaluated just before the step.

    Effects that depend on an answer or a roll of the step are left out, because they are not known before it. Empty for
    a step that pauses.
    """
    own = list_operations(step)
    if any(each.stops for each in own):
        return ()
    saved = {each.into: each.value for each in own if isinstance(each, Keep)}
    effects: list[Effect] = []
    for each in own:
        match each:
            case Write(entity=thing, value=value):
                effects.append(Effect(len(effects), each, _spell(thing, saved), _spell(value, saved), False))
            case Remove(entity=thing, several=several):
                effects.append(Effect(len(effects), each, _spell(thing, saved), None, several))
            case Create():
                effects.append(Effect(len(effects), each, None, None, False))
    return tuple(each for each in effects if not (_reads_answer(each.entity) or _reads_answer(each.value)))


def matches_trigger(trigger: Trigger, effect: Effect) -> bool:
    """Return whether an effect is one that a trigger watches. The trigger's own condition does not count.

    False for triggers on steps and procedures, which watch no effects, and for changes of a map's entry.
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
            kind = effect.entity.type if effect.entity is not None else None
            inner = kind.inner if isinstance(kind, ListOf) else kind
            return isinstance(each, Remove) and isinstance(inner, Entity) and inner.kind == trigger.kind
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
        elif any(matches_trigger(trigger, effect) for effect in list_effects(step)):
            yield step


def list_given_names(event: str, kind: str) -> tuple[str, ...]:
    """Return the names that the steps of a trigger use for the object of an effect and its values."""
    whose = () if kind in ("", GAME_KIND) else (kind,)
    if event in AMOUNTS:
        return (*whose, "amount")
    return (*whose, "before", "after") if event == "changes" else whose


def _reads_answer(value: Typed | None) -> bool:
    return value is not None and any(isinstance(part, Temporary) for part in value.walk())


def _spell(value: Typed, kept: Mapping[int, Typed]) -> Typed:
    """Return a value with its temporaries replaced by their expressions in `kept`. Others stay."""

    def spell(part: Typed) -> Typed | None:
        if not isinstance(part, Temporary):
            return None
        return _spell(kept[part.number], kept) if part.number in kept else part

    spelled: Typed = rewrite_expressions(value, spell)
    return spelled
