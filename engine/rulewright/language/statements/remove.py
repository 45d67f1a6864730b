"""`remove`: an object, or a list of them, leaves the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step, Target
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import TELLS, expression, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, Checked, Lower, Run, Verb
from rulewright.language.types import ListOf, Thing, Unknown, present
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """What goes; `several` where it is a list."""

    what: Typed
    several: bool


class Remove(Verb):
    """What is removed is no longer among all of its kind."""

    name = "remove"
    summary = "Takes an object, or every object of a list, out of the game."
    example = "{id: falls, remove: target}"
    keys = {"remove": required(expression("The object, or a list of objects.")), "tells": optional(TELLS)}

    def check(self, node: Mapping, check: Check) -> Checked:
        what = check.value(node.get("remove"))
        inner = what.type.inner if isinstance(what.type, ListOf) else what.type
        if (isinstance(inner, Thing) and inner.kind != PLAYER_KIND) or isinstance(inner, Unknown):
            return Checked(Action(what, isinstance(what.type, ListOf)))
        written = node.entries["remove"].value
        if isinstance(present(inner), Thing) and inner != present(inner):
            message = "this may be none, and only what is there can be removed"
            check.report(language_diagnostics.MAY_BE_NONE, message, written.span)
            return Checked(Action(what, False))
        check.report(language_diagnostics.WRONG_TYPE, f"only objects can be removed, not {what.type}", written.span)
        return Checked(Action(what, False))

    def run(self, step: Step, run: Run) -> None:
        found = run.value(step.action.what)
        for thing in found if step.action.several else (found,):
            run.remove(thing)
            run.event(step, "removed", thing)

    def apart(self, action: Action, keep: Callable[[Typed], Typed]) -> tuple[tuple[Target | None, Action], ...]:
        return ((None, Action(keep(action.what), False)),)

    def changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower.remove(step.action.what, several=step.action.several)
