"""`stop`: the procedure or a loop ends here."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.schema_shapes import Leaf, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The id of the loop that ends, or an empty text for the procedure. `outer` is true if the loop has others in it.

    Those are the loops between it and the step.
    """

    loop: str = ""
    outer: bool = False


class Stop(Statement):
    """The caller of the procedure continues, or the steps after the loop."""

    name = "stop"
    also = ("break", "leave", "exit")
    summary = "Ends the procedure, and computes its results. With the id of a loop around it, ends that loop."
    example = "{id: beaten, stop: true, when: not battle.won}"
    keys = {"stop": required(Leaf("`true` to end the procedure, or the id of a loop around the step.", format="loop"))}

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check whether the step ends the procedure, or which loop.

        A loop that is not around it is reported, and so is any other value. The step then counts as ending the
        procedure.
        """
        what = node.get("stop")
        if isinstance(what, Scalar) and what.value is True:
            return CheckedStep(Action())
        if isinstance(what, Scalar) and what.text in check.loops:
            return CheckedStep(Action(what.text, outer=what.text != check.loops[-1]))
        message, hint = (
            "`stop` is `true`, or the id of a loop around the step; use `when:` for a condition",
            "write `true`",
        )
        if isinstance(what, Scalar) and isinstance(what.value, str):
            message = f"no loop around this step has the id `{what.text}`"
            around = ", ".join(f"`{loop}`" for loop in check.loops)
            hint = suggest_name(what.text, check.loops) or (f"the loops are {around}" if around else "write `true`")
        check.report(language_diagnostics.STEP_SHAPE, message, node.find_key_span("stop"), hint)
        return CheckedStep(Action())

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        run.record_event(step, "ended")
        if action.loop:
            run.leave_loop(step, action.loop)
        else:
            run.leave()

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        if action.loop:
            lower.leave(action.loop)
        else:
            lower.end()
