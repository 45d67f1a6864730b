"""`remove`: an object, or a list of them, leaves the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step, Target
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import LOG, expression, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import Entity, ListOf, Unknown, present
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The object to remove, or a list of objects if `several`."""

    what: Typed
    several: bool


class Remove(Statement):
    """The statement removes objects from the list of all objects of their kind."""

    name = "remove"
    also = ("destroy", "discard", "kill")
    summary = "Takes an object, or every object of a list, out of the game."
    example = "{id: falls, remove: target}"
    keys = {"remove": required(expression("The object, or a list of objects.")), "log": optional(LOG, "tells")}

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check what is removed, which must be an object other than a player, or a list of such objects.

        Reports anything else, including a value that may be none. The step stays either way.
        """
        what = check.check_value(node.get("remove"))
        inner = what.type.inner if isinstance(what.type, ListOf) else what.type
        if (isinstance(inner, Entity) and inner.kind != PLAYER_KIND) or isinstance(inner, Unknown):
            return CheckedStep(Action(what, isinstance(what.type, ListOf)))
        written = node.entries["remove"].value
        if isinstance(present(inner), Entity) and inner != present(inner):
            message = "this may be none, which cannot be removed"
            hint = language_diagnostics.suggest_presence(written)
            check.report(language_diagnostics.MAY_BE_NONE, message, written.span, hint, what)
            return CheckedStep(Action(what, False))
        check.report(language_diagnostics.WRONG_TYPE, f"only objects can be removed, not {what.type}", written.span)
        return CheckedStep(Action(what, False))

    def run(self, step: Step, run: Run) -> None:
        result = run.compute(step.action.what)
        for item in result if step.action.several else (result,):
            run.remove(item)
            run.record_event(step, "removed", item)

    def split_effects(self, action: Action, keep: Callable[[Typed], Typed]) -> tuple[tuple[Target | None, Action], ...]:
        return ((None, Action(keep(action.what), False)),)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower.remove(step.action.what, several=step.action.several)
