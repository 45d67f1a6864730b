"""`set`: fields, values of the game and locals change."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import codes
from rulewright.language.expression.typed import Typed
from rulewright.language.shape import expressions, required
from rulewright.language.step import Step, Target
from rulewright.language.verb import Changes, Check, Checked, Lower, Run, Verb
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

    def changes(self, node: Mapping) -> Changes:
        written = node.get("set")
        places = written.entries if isinstance(written, Mapping) else ()
        return Changes(frozenset(place.rpartition(".")[2].strip() for place in places))

    def lower(self, step: Step, lower: Lower) -> None:
        changes: tuple[tuple[Target, Typed], ...] = step.action.changes
        if len(changes) == 1:
            target, value = changes[0]
            lower.store(target, target.base, value)
            return
        ready = [(target, target.base and lower.keep(target.base), lower.keep(value)) for target, value in changes]
        for target, thing, value in ready:
            lower.store(target, thing, value)
