"""What the checks of all procedures together need to know of each one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.language.checked_steps import Procedure
from rulewright.language.control_flow import surely_asks
from rulewright.language.expressions.typed_ast import After, Typed
from rulewright.language.lowering import find_called_procedure, list_step_expressions
from rulewright.language.step_cost import StepCosts
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True)
class ProcedureSummary:
    """A checked procedure, with what follows from its own steps.

    `asks` says whether it always asks a player. `own_cost` are its operations without those of the procedures that it
    calls, which are `called`, once for each call. `tried` are the procedures that its expressions try out, each with
    the first place. An invalid procedure has no cost, and may ask.
    """

    procedure: Procedure
    asks: bool
    own_cost: int
    called: tuple[str, ...]
    tried: tuple[tuple[str, Span], ...]


def summarize_procedure(
    procedure: Procedure, asking: frozenset[str], costs: StepCosts, *, valid: bool
) -> ProcedureSummary:
    """Return a procedure with what follows from its own steps. `asking` are the procedures that always ask.

    It is `valid` if its check has found no errors. Otherwise, steps were left out, which may have asked.
    """
    asks = not valid or surely_asks(procedure.body, asking, costs.costs.declarations, whole=True)
    called = tuple(name for step in procedure.iterate_steps() if (name := find_called_procedure(step)))
    tried: dict[str, Span] = {}
    for span, expression in iterate_expressions(procedure):
        for name in find_tried(expression):
            tried.setdefault(name, span)
    own_cost = costs.estimate_own(procedure) if valid else 0
    return ProcedureSummary(procedure, asks, own_cost, called, tuple(tried.items()))


def iterate_expressions(procedure: Procedure) -> Iterator[tuple[Span, Typed]]:
    """Yield every expression of a procedure, with its place."""
    for step in procedure.iterate_steps():
        yield from ((step.span, each) for each in list_step_expressions(step))
    yield from ((procedure.span, each) for each in procedure.gives.values())


def find_tried(expression: Typed) -> Iterator[str]:
    """Yield the procedures that an expression tries out."""
    return (node.procedure for node in expression.walk() if isinstance(node, After))
