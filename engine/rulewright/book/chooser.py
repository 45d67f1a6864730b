"""The front page of the whole site: which edition to read."""

from __future__ import annotations

from html import escape

from rulewright.book.comparisons import Comparisons, in_play, page_of
from rulewright.book.templates import render


def chooser_page(comparisons: Comparisons, *, archive: str = "") -> str:
    """One card for each edition, by game, and every comparison of two; `archive` is a file with the whole site."""
    games: dict[str, list[dict[str, str]]] = {}
    pairs: dict[str, list[dict[str, str]]] = {}
    for item in comparisons.published:
        fewest, most = item.ruleset.players
        games.setdefault(item.edition.game, []).append(
            {
                "href": f"{item.folder}/index.html",
                "title": escape(item.edition.title),
                "about": escape(item.ruleset.about),
                "audience": escape(item.ruleset.audience),
                "takes": escape(item.ruleset.takes),
                "version": str(item.edition.version),
                "status": item.edition.status,
                "players": str(fewest) if fewest == most else f"{fewest} to {most}",
            }
        )
        pairs.setdefault(_named(item.edition.game), [])
    for before, after in sorted(comparisons.pairs(), key=lambda pair: comparisons.order(*pair)):
        if comparisons.is_forward(before, after):
            pairs[_named(before.edition.game)].append(
                {
                    "href": f"{page_of(before, after)}/index.html",
                    "before": escape(comparisons.title(before)),
                    "after": escape(comparisons.title(after)),
                    "played": str(in_play(comparisons.changes(before, after))),
                }
            )
    named = [(_named(game), cards) for game, cards in games.items()]
    return render("chooser.md.j2", games=named, pairs=pairs, archive=archive)


def _named(game: str) -> str:
    return game.replace("-", " ").title()
