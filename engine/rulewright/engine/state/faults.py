"""Faults of the rules that only show in play, and the shared operation budget of a ruleset's examples."""

from __future__ import annotations

from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.dice.ast import Roll
from rulewright.dice.exact.compute_distribution import estimate_odds_work
from rulewright.engine import engine_diagnostics
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.expressions.expression_cost import EffortError
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.span import Span

RULES_FAULT = Code(
    "rules-fault",
    "A step that cannot be executed",
    "The rules require something impossible here: an amount below zero, a choice from nothing, "
    "an object that has left the game, or more than the limits allow.",
    "Guard the step with `when:`, or change the steps before it.",
)


_COSTLY = (
    "go through fewer elements; if an expression computes the same list for each element, compute the list once in a"
    " `let` step, or give it to a formula as a parameter"
)
"""The hint for a step that takes too many operations."""

GONE = "this uses an object that has left the game"

THROUGH_NONE = "this reads a value of none"


class RemovedError(RulewrightError):
    """The rules use an object that has left the game."""

    def __init__(self) -> None:
        super().__init__(GONE)


class RulesFault(RulewrightError):  # noqa: N818 (the rules are at fault, not the program)
    """A step that the rules make impossible, or a result of a procedure that cannot be computed.

    Rules that pass `check` can still raise it during play. A `Game` is then as it was before the move. `rule` is the
    name of the step (`procedure.step`) or of the procedure, and `diagnostic` has the source position and a suggestion.
    The message contains no source position. It may quote hidden values, so do not show it to players of a game with
    secrets. `game` is the number of the game in a series of games that are played together, if known.
    """

    def __init__(self, where: Step | Procedure | None, message: str) -> None:
        self.rule = where.rule if isinstance(where, Step) else where.id if where is not None else ""
        self.message = message
        self.game: int | None = None
        # A condition does not make a step cheaper.
        hint = _COSTLY if message == str(EffortError()) else None
        self.diagnostic = (
            None if where is None else Diagnostic(RULES_FAULT, f"`{self.rule}`: {message}", where.span, suggestion=hint)
        )
        super().__init__(message if where is None else f"`{self.rule}`: {message}")


MOST_IN_EXAMPLES = 10_000_000
"""The maximum number of operations of all examples together, fifteen times that of the largest shipped ruleset."""

MOST_IN_A_RUN = 100_000_000
"""The maximum number of operations of a single procedure run."""

TOLD = 200
"""The additional cost of an event in operations, because it is kept for the log."""

OFFERED = 16
"""The cost of an option in operations, because scripts need its id."""

_STEPS_OF_WORK = 500
"""The amount of work on odds that costs one operation."""

MOST_BRANCHES_IN_EXAMPLES = 200_000
"""The maximum number of branches for the odds of all examples together, two hundred times that of shipped rules."""


class Allowance:
    """How many operations, and branches of odds, are left to the examples that are yet to be run."""

    def __init__(self) -> None:
        self.left = MOST_IN_EXAMPLES
        self.branches = MOST_BRANCHES_IN_EXAMPLES

    def spend_at(self, identity: str, span: Span, operations: int) -> None:
        """Charge operations of an example outside any step.

        Raises `DiagnosticError` if the budget of the examples is exhausted.
        """
        self.left -= operations
        if self.left < 0:
            message = f"`{identity}`: all examples together have reached the limit of {MOST_IN_EXAMPLES:,} operations"
            raise DiagnosticError((Diagnostic(engine_diagnostics.LONG_EXAMPLES, message, span, examples=(identity,)),))

    def refuse_branches(self, identity: str, span: Span) -> Diagnostic | None:
        """Return a diagnostic if no branches are left for odds, or None."""
        if self.branches > 0:
            return None
        limit = f"the limit of {MOST_BRANCHES_IN_EXAMPLES:,} branches"
        message = f"`{identity}`: the odds of all examples together have reached {limit}"
        return Diagnostic(engine_diagnostics.LONG_EXAMPLES, message, span, examples=(identity,))

    def spend(self, step: Step, operations: int) -> None:
        """Charge the operations of `step`. Raises `AllowanceError` if the budget is exhausted."""
        self.left -= operations
        if self.left < 0:
            raise self.spent(step)

    def spent(self, step: Step) -> AllowanceError:
        """Return the error for a budget that ran out at `step`."""
        message = f"all examples together have reached the limit of {MOST_IN_EXAMPLES:,} operations"
        return AllowanceError(step, message, engine_diagnostics.LONG_EXAMPLES)


class RunAllowance(Allowance):
    """The operation budget of a single procedure run, or of the run described by `whose`."""

    def __init__(self, whose: str = "a run") -> None:
        super().__init__()
        self.left = MOST_IN_A_RUN
        self.whose = whose

    def spent(self, step: Step) -> AllowanceError:
        message = f"{self.whose} may take at most {MOST_IN_A_RUN:,} operations"
        return AllowanceError(step, message, engine_diagnostics.RUNS_ON)


class AllowanceError(RulesFault):
    """An exhausted operation budget. `rule` is the step at which the run stopped."""

    def __init__(self, step: Step, message: str, code: Code) -> None:
        super().__init__(step, message)
        self.diagnostic = Diagnostic(code, str(self), step.span)


def estimate_scripting(roll: Any) -> int:
    """Return the operations needed to check a scripted result of a roll, or 0 for a card."""
    return estimate_odds_work(roll) // _STEPS_OF_WORK if isinstance(roll, Roll) else 0
