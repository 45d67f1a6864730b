"""`set`: fields, values of the game and locals change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step, Target
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import MapOf, held, required
from rulewright.language.statement import Changes, Check, CheckedStep, Lower, Run, Statement, find_last_word
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Places and their new values, in the order written."""

    changes: tuple[tuple[Target, Typed], ...]


class Set(Statement):
    """All values are worked out before any is put in place, so that two may be swapped."""

    name = "set"
    also = ("assign", "change", "update", "increase", "move")
    summary = "Changes fields of objects, values of the game, or names bound by `let`."
    example = "{id: sold, set: {bed.owner: buyer}}"
    action = Action
    role = "place"
    keys = {"set": required(MapOf("What to change, each with its new value.", inner=held("The new value.")))}

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the places and their new values, and forget the facts about these places.

        Reports errors, and leaves out a place with an error. Its value is then not checked.
        """
        written = node.get("set")
        assert isinstance(written, Mapping)
        changes: list[tuple[Target, Typed]] = []
        for entry in written.entries.values():
            target = check.check_target(entry.key)
            if target is not None:
                changes.append((target, check.check_value(entry.value, target.type)))
        if not written.entries:
            check.report(language_diagnostics.STEP_SHAPE, "this `set` names nothing to change", written.span)
        for target, _ in changes:
            check.forget_target(target)
        return CheckedStep(Action(tuple(changes)))

    def run(self, step: Step, run: Run) -> None:
        ready = [
            (
                target,
                None if target.base is None else run.compute(target.base),
                None if target.row is None else run.compute(target.row),
                run.compute(value),
            )
            for target, value in step.action.changes
        ]
        for target, item, row, value in ready:
            run.store(target, item, value, step, row=row)

    def split_effects(self, action: Action, keep: Callable[[Typed], Typed]) -> tuple[tuple[Target | None, Action], ...]:
        ready = [
            (
                replace(
                    target,
                    base=None if target.base is None else keep(target.base),
                    row=None if target.row is None else keep(target.row),
                ),
                keep(value),
            )
            for target, value in action.changes
        ]
        return tuple((target, Action(((target, value),))) for target, value in ready)

    def find_changes(self, node: Mapping) -> Changes:
        written = node.get("set")
        places = written.entries if isinstance(written, Mapping) else ()
        return Changes(frozenset(map(find_last_word, places)))

    def lower(self, step: Step, lower: Lower) -> None:
        changes: tuple[tuple[Target, Typed], ...] = step.action.changes
        if len(changes) == 1:
            target, value = changes[0]
            lower.store(target, target.base, value, row=target.row)
            return
        ready = [
            (target, target.base and lower.keep(target.base), target.row and lower.keep(target.row), lower.keep(value))
            for target, value in changes
        ]
        for target, item, row, value in ready:
            lower.store(target, item, value, row=row)
