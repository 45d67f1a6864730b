"""Formulas."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.formula_meaning import formula_meaning


def show(page: PageWriter, identity: str) -> str:
    """A formula."""
    title, means, said = formula_meaning(identity, page.html)
    return page.value(f"formulas.{identity}", title, said, means)
