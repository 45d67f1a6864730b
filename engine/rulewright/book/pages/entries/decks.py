"""Decks, with the way to their cards."""

from __future__ import annotations

from rulewright.book.english.english import English
from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.templates import render
from rulewright.book.style.places import CARDS, anchor


def show(page: PageWriter, identity: str) -> str:
    """A deck."""
    deck = page.ruleset.declarations.decks[identity]
    return render(
        "deck.j2",
        id=page.fragment(f"decks.{identity}"),
        title=page.escaped(deck.title),
        cards=len(deck.cards),
        table=English(page.html).naming.table(deck.table),
        sheets=f"{CARDS}#{anchor(f'decks.{identity}')}",
    )
