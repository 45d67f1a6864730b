"""Named figures."""

from __future__ import annotations

from rulewright.book.english.naming import pretty
from rulewright.book.pages.page import PageWriter
from rulewright.book.style.words import fill, value_words


def show(page: PageWriter, identity: str) -> str:
    """A named figure."""
    number = page.ruleset.declarations.numbers[identity]
    said = value_words(number.value, number.type, page.html)
    return page.value(f"numbers.{identity}", pretty(identity).capitalize(), said, fill(number.means, page.html))
