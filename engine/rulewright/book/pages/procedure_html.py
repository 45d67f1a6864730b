"""Procedures, examples and sample games as HTML, with sentences in the language of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.example_runs import ExampleView, can_be_played
from rulewright.book.parts.odds_examples import ChancesView
from rulewright.book.parts.sample_scenes import SampleView
from rulewright.book.parts.step_sentences import format_title, list_formulas
from rulewright.book.parts.template_loader import render
from rulewright.book.style.fill_placeholders import fill


def render_procedure(
    page: PageWriter,
    identity: str,
    steps: str,
    outcomes: list[tuple[str, str]],
    describe: Callable[[str], tuple[str, str, str] | None],
) -> str:
    """Return a procedure with its sentences in the language of the page.

    `describe` returns the name, the description and the definition of a formula, or None for a formula to leave out.
    Formulas then count as explained.
    """
    procedure = page.ruleset.procedures[identity]
    first = next((page.places.numbers.get(f"steps.{step.rule}", "") for step in procedure.body.steps), "")
    used = list_formulas(procedure, page.ruleset)
    return render(
        "procedure.j2",
        page.language,
        number=first.rpartition(".")[0],
        id=page.fragment(f"procedures.{identity}"),
        title=page.escaped(format_title(procedure)),
        means=fill(procedure.words.get("means", ""), page.html),
        steps=steps,
        gives=outcomes,
        meanings=[meaning for formula in used if page.mark_explained(formula) and (meaning := describe(formula))],
    )


def render_example(page: PageWriter, view: ExampleView, play: str, odds: Sequence[ChancesView] = ()) -> str:
    """Return the view of an example as HTML. `play` is the address of the Play page."""
    playable = can_be_played(page.ruleset.examples[view.id], page.ruleset)
    return render(
        "example.j2",
        page.language,
        id=page.fragment(f"examples.{view.id}"),
        play=f"{play}#example={view.id}" if playable else "",
        example=view,
        odds=odds,
        link=lambda rule: page.link(f"steps.{rule}"),
        number=page.cited,
        title_of=partial(_title_procedure, page),
    )


def render_sample(page: PageWriter, identity: str, view: SampleView, play: str) -> str:
    """Return the view of a sample game as HTML. `play` is the address of the Play page."""
    return render(
        "sample.j2",
        page.language,
        id=page.fragment(f"samples.{identity}"),
        play=f"{play}#guide={identity}",
        sample=view,
        link=page.link,
        number=page.cited,
        title_of=partial(_title_procedure, page),
    )


def _title_procedure(page: PageWriter, rule: str) -> str:
    """Return the title of the procedure that a step belongs to."""
    return page.escaped(format_title(page.ruleset.procedures[rule.rpartition(".")[0]]))
