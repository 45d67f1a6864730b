"""Views of procedures, formulas, examples and samples. The engine plays examples and samples."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.pages.procedure_html import render_example, render_procedure, render_sample
from rulewright.book.parts.example_runs import build_example_view
from rulewright.book.parts.odds_examples import build_chances_views
from rulewright.book.parts.sample_scenes import sample_view


def show_procedures(page: PageWriter, identity: str) -> str:
    """Return a procedure with its steps, its results and the formulas that it needs first on this page.

    These formulas then count as explained, so that the page does not repeat them.
    """
    procedure = page.ruleset.procedures[identity]
    steps, outcomes = page.describe_steps(procedure, page.close), page.list_outcomes(procedure, page.close)
    return render_procedure(page, identity, steps, outcomes, lambda formula: page.describe_formula(formula, page.close))


def show_formulas(page: PageWriter, identity: str) -> str:
    """Return a formula with its description."""
    page.mark_explained(identity)
    described = page.describe_formula(identity, page.html)
    if described is None:
        return ""
    title, means, text = described
    return page.value(f"formulas.{identity}", title, text, means)


def show_examples(page: PageWriter, identity: str) -> str:
    """Return an example as HTML: its start, its steps as the engine plays them, and its odds.

    It links to the example on the Play page, if it can be played there.
    """
    example = page.ruleset.examples[identity]
    view, odds = build_example_view(example, page.close), build_chances_views(example, page.weigh, page.html)
    return render_example(page, view, page.play, odds)


def show_samples(page: PageWriter, identity: str) -> str:
    """Return a sample game, as the engine plays it, or an empty string if it cannot be played."""
    view = sample_view(page.ruleset.samples[identity], page.close)
    return "" if view is None else render_sample(page, identity, view, page.play)
