"""What the rules of a ruleset read: every expression there is, and what each names."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.language.expression.typed import Typed
from rulewright.language.step import Procedure, Step
from rulewright.language.verb import expressions
from rulewright.ruleset.ruleset import Ruleset


def of_step(step: Step) -> Iterator[Typed]:
    """Every expression of one step, its condition among them; not those of steps inside it."""
    if step.when is not None:
        yield step.when
    yield from expressions(step.action)


def of_procedure(procedure: Procedure) -> Iterator[Typed]:
    """Every expression of a procedure."""
    for step in procedure.steps():
        yield from of_step(step)
    yield from procedure.gives.values()


def everything(ruleset: Ruleset) -> Iterator[Typed]:
    """Every expression of a ruleset."""
    for procedure in ruleset.procedures.values():
        yield from of_procedure(procedure)
    for formula in ruleset.declarations.formulas.values():
        yield formula.body
    for measure in ruleset.measures.values():
        yield measure.value
    yield from ruleset.declarations.figures


def nodes(found: Iterator[Typed]) -> Iterator[Typed]:
    """Every node of the expressions."""
    for expression in found:
        yield from expression.walk()
