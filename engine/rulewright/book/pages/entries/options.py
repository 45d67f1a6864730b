"""Settings and their choices."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.templates import render
from rulewright.book.style.words import fill


def show(page: PageWriter, identity: str) -> str:
    """A setting and its choices."""
    option = page.ruleset.declarations.options[identity]
    return render(
        "option.j2",
        id=page.fragment(f"options.{identity}"),
        title=page.escaped(option.title),
        means=fill(option.means, page.html),
        choices=[(fill(words, page.html), choice == option.default) for choice, words in option.choices.items()],
        may_change=option.may_change,
    )
