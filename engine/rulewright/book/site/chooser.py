"""The front page of the whole site: which edition to read."""

from __future__ import annotations

from rulewright.book.editions.comparisons import Comparisons, in_play, page_of, played
from rulewright.book.editions.published import Published
from rulewright.book.english.grammar import listed
from rulewright.book.parts.templates import render
from rulewright.book.style.style import escape

GLANCE = 5
"""Rules that a card names as different before it only counts them."""


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
                "differs": _differs(item, comparisons),
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


def _differs(item: Published, comparisons: Comparisons) -> str:
    """What plays differently than in the edition that readers know already, at a glance; empty where there is none."""
    before = comparisons.previous(item)
    if before is None:
        return ""
    titles = [change.title for change in played(comparisons.changes(before, item))]
    told = titles[:GLANCE] if len(titles) > GLANCE + 1 else titles
    more = [f"{len(titles) - len(told)} more"] if len(titles) > len(told) else []
    return escape(f"Unlike {comparisons.title(before)}: {listed([*told, *more])}") if titles else ""


def _named(game: str) -> str:
    return game.replace("-", " ").title()
