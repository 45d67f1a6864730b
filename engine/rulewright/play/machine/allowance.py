"""What all examples of one ruleset may take together: nobody is to wait for what was meant to show something."""

from __future__ import annotations

from rulewright.language.step import Step
from rulewright.play import codes
from rulewright.play.machine.faults import RulesFault
from rulewright.source.diagnostics.collected import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.span import Span

_AS_MANY = "as many as they may"

MOST_IN_EXAMPLES = 10_000_000
"""Operations of all examples together: thirty-five times what the largest ruleset shipped needs."""


MOST_BRANCHES_IN_EXAMPLES = 200_000
"""Branches that the odds of all examples together may have: two hundred times what is shipped."""


class Allowance:
    """How many operations, and branches of odds, are left to the examples that are yet to be run."""

    def __init__(self) -> None:
        self.left = MOST_IN_EXAMPLES
        self.branches = MOST_BRANCHES_IN_EXAMPLES

    def spend_at(self, identity: str, span: Span, operations: int) -> None:
        """Take what an example costs that carries out no step. Raises `DiagnosticError` where so much is not left."""
        self.left -= operations
        if self.left < 0:
            message = f"`{identity}`: all examples together took {MOST_IN_EXAMPLES:,} operations by now, {_AS_MANY}"
            raise DiagnosticError((Diagnostic(codes.LONG_EXAMPLES, message, span),))

    def refuse_branches(self, identity: str, span: Span) -> Diagnostic | None:
        """What is said of odds that are asked for when no branch is left."""
        if self.branches > 0:
            return None
        most = f"{MOST_BRANCHES_IN_EXAMPLES:,} branches"
        message = f"`{identity}`: the odds of all examples together took {most} by now, {_AS_MANY}"
        return Diagnostic(codes.LONG_EXAMPLES, message, span)

    def spend(self, step: Step, operations: int) -> None:
        """Take what `step` costs. Raises `AllowanceError` where so much is not left."""
        self.left -= operations
        if self.left < 0:
            raise AllowanceError(step)


class AllowanceError(RulesFault):
    """The examples take more than they may; `rule` names the step at which one was stopped."""

    def __init__(self, step: Step) -> None:
        super().__init__(step, f"all examples together took {MOST_IN_EXAMPLES:,} operations by now, {_AS_MANY}")
        self.diagnostic = Diagnostic(codes.LONG_EXAMPLES, str(self), step.span)
