"""What all examples of one ruleset may take together: nobody is to wait for what was meant to show something."""

from __future__ import annotations

from rulewright.language.step import Step
from rulewright.play import codes
from rulewright.play.machine.faults import RulesFault
from rulewright.source.diagnostics.diagnostic import Diagnostic

MOST_IN_EXAMPLES = 10_000_000
"""Operations of all examples together: thirty-five times what the largest ruleset shipped needs."""


class Allowance:
    """How many operations are left to the examples that are yet to be run."""

    def __init__(self) -> None:
        self.left = MOST_IN_EXAMPLES

    def spend(self, step: Step, operations: int) -> None:
        """Take what `step` costs. Raises `AllowanceError` where so much is not left."""
        self.left -= operations
        if self.left < 0:
            raise AllowanceError(step)


class AllowanceError(RulesFault):
    """The examples take more than they may; `rule` names the step at which one was stopped."""

    def __init__(self, step: Step) -> None:
        super().__init__(
            step, f"all examples together took {MOST_IN_EXAMPLES:,} operations by now, as many as they may"
        )
        self.diagnostic = Diagnostic(codes.LONG_EXAMPLES, str(self), step.span)
