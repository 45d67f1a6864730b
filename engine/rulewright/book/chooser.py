"""The front page of the whole site: which edition to read."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rulewright.book.published import Published
from rulewright.book.templates import render


def chooser_page(published: Sequence[Published]) -> str:
    """One card for each edition, by game."""
    games: dict[str, list[dict[str, str]]] = {}
    for item in published:
        fewest, most = item.ruleset.players
        games.setdefault(item.edition.game, []).append(
            {
                "href": f"{item.folder}/index.html",
                "title": escape(item.edition.title),
                "about": escape(item.ruleset.about),
                "version": str(item.edition.version),
                "status": item.edition.status,
                "players": str(fewest) if fewest == most else f"{fewest} to {most}",
            }
        )
    named = [(game.replace("-", " ").title(), cards) for game, cards in games.items()]
    return render("chooser.md.j2", games=named)
