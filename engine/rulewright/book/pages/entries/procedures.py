"""Views of procedures, formulas, examples and samples. The engine plays examples and samples."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.example_runs import build_example_view, can_be_played
from rulewright.book.parts.odds_examples import build_chances_views
from rulewright.book.parts.sample_scenes import sample_view
from rulewright.book.parts.step_sentences import (
    StepWriter,
    describe_formula,
    format_title,
    list_formulas,
    list_outcomes,
)
from rulewright.book.parts.template_loader import render
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.rule_locations import PLAY


def show_procedures(page: PageWriter, identity: str) -> str:
    """Return a procedure with its steps, its results and the formulas that it needs first on this page.

    These formulas then count as explained, so that the page does not repeat them.
    """
    procedure, formulas = page.ruleset.procedures[identity], page.ruleset.declarations.formulas
    first = next((page.places.numbers.get(f"steps.{step.rule}", "") for step in procedure.body.steps), "")
    return render(
        "procedure.j2",
        page.language,
        number=first.rpartition(".")[0],
        id=page.fragment(f"procedures.{identity}"),
        title=page.escaped(format_title(procedure)),
        means=fill(procedure.words.get("means", ""), page.html),
        steps=StepWriter(procedure, page.close).all(),
        gives=list_outcomes(procedure, page.close),
        meanings=[
            describe_formula(formula, page.close)
            for formula in list_formulas(procedure, formulas)
            if page.mark_explained(formula)
        ],
    )


def show_formulas(page: PageWriter, identity: str) -> str:
    """Return a formula with its description."""
    page.mark_explained(identity)
    title, means, text = describe_formula(identity, page.html)
    return page.value(f"formulas.{identity}", title, text, means)


def show_examples(page: PageWriter, identity: str) -> str:
    """Return an example as HTML: its start, its steps as the engine plays them, and its odds.

    It links to the example on the Play page, if it can be played there.
    """
    view = build_example_view(page.ruleset.examples[identity], page.close)
    return render(
        "example.j2",
        page.language,
        id=page.fragment(f"examples.{identity}"),
        play=f"{PLAY}#example={identity}" if can_be_played(page.ruleset.examples[identity], page.ruleset) else "",
        example=view,
        odds=build_chances_views(page.ruleset.examples[identity], page.weigh, page.html),
        link=lambda rule: page.link(f"steps.{rule}"),
        number=page.cited,
        title_of=lambda rule: page.escaped(format_title(page.ruleset.procedures[rule.rpartition(".")[0]])),
    )


def show_samples(page: PageWriter, identity: str) -> str:
    """Return a sample game, as the engine plays it, or an empty string if it cannot be played."""
    view = sample_view(page.ruleset.samples[identity], page.close)
    if view is None:
        return ""
    return render(
        "sample.j2",
        page.language,
        id=page.fragment(f"samples.{identity}"),
        play=f"{PLAY}#guide={identity}",
        sample=view,
        link=page.link,
        number=page.cited,
        title_of=lambda rule: page.escaped(format_title(page.ruleset.procedures[rule.rpartition(".")[0]])),
    )
