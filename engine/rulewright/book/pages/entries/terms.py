"""Terms."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.style.words import fill


def show(page: PageWriter, identity: str) -> str:
    """A term."""
    term = page.ruleset.declarations.terms[identity]
    return page.value(f"terms.{identity}", page.html.escape(term.name), "", fill(term.means, page.html))
