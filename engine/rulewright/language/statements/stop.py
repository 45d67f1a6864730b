"""`stop`: the procedure ends here."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.schema_shapes import Leaf, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Nothing of its own."""


class Stop(Statement):
    """The caller of the procedure continues."""

    name = "stop"
    summary = "Ends the procedure, and computes its results."
    example = "{id: beaten, stop: true, when: not battle.won}"
    keys = {"stop": required(Leaf("Always true.", format="flag", values=("true",)))}

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        flag = node.get("stop")
        if not (isinstance(flag, Scalar) and flag.value is True):
            check.report(
                language_diagnostics.STEP_SHAPE,
                "`stop` is always `true`; use `when:` for a condition",
                node.find_key_span("stop"),
            )
        return CheckedStep(Action())

    def run(self, step: Step, run: Run) -> None:
        run.record_event(step, "ended")
        run.leave()

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower.end()
