"""Overviews."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.overviews import overview_view
from rulewright.book.parts.templates import render


def show(page: PageWriter, identity: str) -> str:
    """An overview."""
    view = overview_view(page.ruleset.overviews[identity], page.html)
    return render("overview.j2", id=page.fragment(f"overviews.{identity}"), overview=view)
