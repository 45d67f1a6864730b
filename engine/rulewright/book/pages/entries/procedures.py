"""Procedures, step by step, unfolded on demand."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.formula_meaning import formula_meaning
from rulewright.book.parts.steps import StepWriter, formulas_used, outcomes, title_of
from rulewright.book.parts.templates import render
from rulewright.book.style.words import fill


def show(page: PageWriter, identity: str) -> str:
    """A procedure, step by step, unfolded on demand."""
    procedure = page.ruleset.procedures[identity]
    first = next((page.places.numbers.get(f"steps.{step.rule}", "") for step in procedure.body.steps), "")
    return render(
        "procedure.j2",
        number=first.rpartition(".")[0],
        id=page.fragment(f"procedures.{identity}"),
        title=page.escaped(title_of(procedure)),
        means=fill(procedure.words.get("means", ""), page.html),
        steps=StepWriter(procedure, page.close).all(),
        gives=outcomes(procedure, page.close),
        meanings=[formula_meaning(formula, page.close) for formula in formulas_used(procedure)],
    )
