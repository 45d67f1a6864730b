"""`set`: fields, values of the game and locals change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language import codes
from rulewright.language.change import change_facts, change_weight
from rulewright.language.expression.typed import Constant, Typed
from rulewright.language.hosts import Check, Run, Tell, Write
from rulewright.language.shape import expressions, required
from rulewright.language.step import Step, Target
from rulewright.language.verb import Checked, Fact, Verb
from rulewright.language.weight import Weight
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Places and their new values, in the order written."""

    changes: tuple[tuple[Target, Typed], ...]


class Set(Verb):
    """All values are worked out before any is put in place, so that two may be swapped."""

    name = "set"
    summary = "Changes fields of objects, values of the game, or names bound by `let`."
    example = "{id: sold, set: {bed.owner: buyer}}"
    keys = {"set": required(expressions("Each place with its new value."))}

    def check(self, node: Mapping, check: Check) -> Checked:
        written = node.get("set")
        assert isinstance(written, Mapping)
        changes: list[tuple[Target, Typed]] = []
        for entry in written.entries.values():
            target = check.target(entry.key)
            if target is not None:
                changes.append((target, check.value(entry.value, target.type)))
        if not written.entries:
            check.report(codes.STEP_SHAPE, "this changes nothing", written.span)
        for target, _ in changes:
            check.changed(target)
        return Checked(Action(tuple(changes)))

    def run(self, step: Step, run: Run) -> None:
        ready = [
            (target, None if target.base is None else run.value(target.base), run.value(value))
            for target, value in step.action.changes
        ]
        for target, thing, value in ready:
            run.store(target, thing, value, step)

    def emit(self, step: Step, write: Write) -> None:
        changes: tuple[tuple[Target, Typed], ...] = step.action.changes
        if len(changes) == 1:
            target, value = changes[0]
            write.store(target, None if target.base is None else write.value(target.base), write.value(value), step)
            return
        ready: list[tuple[Target, str | None, str]] = []
        for target, value in changes:
            thing = None if target.base is None else _settled(target.base, write)
            ready.append((target, thing, _settled(value, write)))
        for target, thing, name in ready:
            write.store(target, thing, name, step)

    def facts(self, step: Step, details: tuple[Any, ...], tell: Tell) -> tuple[Fact, ...]:
        return change_facts(_target(step, details, tell), details)

    def weight(self, step: Step, details: tuple[Any, ...]) -> Weight:
        return change_weight(details)

    def tell(self, step: Step, details: tuple[Any, ...], tell: Tell) -> str:
        thing, name, old, new = details
        target = _target(step, details, tell)
        option = name.removeprefix("options.")
        if option != name:
            return f"{tell.field(target.kind, thing, name)}: {tell.setting(option, new)}."
        if thing is None:
            return tell.noted(name, new, target.type, step.procedure)
        return tell.changed(target.kind, thing, name, old, new, target.type)


def _target(step: Step, details: tuple[Any, ...], tell: Tell) -> Target:
    """What an event of the step has changed."""
    thing, name, *_ = details
    named: list[Target] = [target for target, _ in step.action.changes if target.field == name]
    # Two kinds may both have a field of this name.
    return next((t for t in named if thing is not None and t.kind == tell.kind_of(thing)), named[0])


def _settled(expression: Typed, write: Write) -> str:
    """The code of a value that the changes to come leave as it is."""
    code = write.value(expression)
    if isinstance(expression, Constant):
        return code
    name = write.fresh()
    write.line(f"{name} = {code}")
    return name
