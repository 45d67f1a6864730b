"""Examples, played by the engine."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.chances import chances_views
from rulewright.book.parts.runs import example_view
from rulewright.book.parts.steps import title_of
from rulewright.book.parts.templates import render


def show(page: PageWriter, identity: str) -> str:
    """An example, played by the engine."""
    view = example_view(page.ruleset.examples[identity], page.close)
    return render(
        "example.j2",
        id=page.fragment(f"examples.{identity}"),
        example=view,
        odds=chances_views(page.ruleset.examples[identity], page.weigh, page.html),
        link=lambda rule: page.link(f"steps.{rule}"),
        number=page.cited,
        title_of=lambda rule: page.escaped(title_of(page.ruleset.procedures[rule.partition(".")[0]])),
    )
