"""Samples of play, played by the engine."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.samples import sample_view
from rulewright.book.parts.steps import title_of
from rulewright.book.parts.templates import render


def show(page: PageWriter, identity: str) -> str:
    """A sample of play, played by the engine; empty where it cannot be played."""
    view = sample_view(page.ruleset.samples[identity], page.close)
    if view is None:
        return ""
    return render(
        "sample.j2",
        id=page.fragment(f"samples.{identity}"),
        sample=view,
        link=page.link,
        number=page.cited,
        title_of=lambda rule: page.escaped(title_of(page.ruleset.procedures[rule.partition(".")[0]])),
    )
