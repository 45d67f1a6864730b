"""`for_each`: steps are carried out for each of a list."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import Leaf, Steps, expression, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import UNKNOWN, Entity, ListOf
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The list, the slot of the loop's own name, and whether it goes over objects."""

    source: Typed
    slot: int
    name: str
    of_entities: bool


class ForEach(Statement):
    """The list is read once, at the start. Objects removed in the meantime are skipped.

    If a round may pause the game, the hidden slot has the remaining elements.
    """

    name = "for_each"
    also = ("for", "each", "foreach", "loop_over")
    summary = "Runs steps for each element of a list, in order; the loop names the element."
    example = "{id: heal, for_each: unit, in: units, steps: […]}"
    loops = True
    keys = {
        "for_each": required(Leaf("The name of the current element in the steps.", format="id", binds=True)),
        "in": required(expression("The list.")),
        "steps": required(Steps("The steps to run for each element.")),
    }
    action = Action
    role = "each"

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the list, and the steps in a scope that knows nothing a round may change.

        Reports a name that is no word.
        """
        source = check.check_value(node.get("in"), ListOf(UNKNOWN))
        named = node.get("for_each")
        assert isinstance(named, Scalar)
        inner = source.type.inner if isinstance(source.type, ListOf) else UNKNOWN
        if not named.text.isidentifier():
            check.report(language_diagnostics.STEP_SHAPE, f"`{named.text}` is not a name", named.span)
        slot, scope = check.add_variable(named.text, inner, named.span)
        steps = node.get("steps")
        block = check.block(steps, check.loop_scope(steps, scope))
        return CheckedStep(Action(source, slot, named.text, isinstance(inner, Entity)), blocks=(block,), resumes=True)

    def run(self, step: Step, run: Run) -> None:
        """Begin the next round, or end the loop after the last one. Objects that have been removed are skipped."""
        action: Action = step.action
        rest = run.read(step.hidden or 0)
        if rest is None:
            rest = run.compute(action.source)
            run.begin_rounds(step, len(rest))
        while rest and action.of_entities and not run.is_alive(rest[0]):
            rest = rest[1:]
        if rest:
            run.bind(action.slot, rest[0])
            run.bind(step.hidden or 0, rest[1:])
            run.enter(step.blocks[0])
        else:
            run.bind(step.hidden or 0, None)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        lower.emit_each(action.source, action.slot, lambda: lower.block(step.blocks[0]), entities=action.of_entities)
