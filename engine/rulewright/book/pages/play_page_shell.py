"""The page on which the edition is played, by its own module and a program of the site's."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter


def play_page(writer: PageWriter) -> str:
    """Return what stands there until the program has begun, and where none can."""
    fewest, most = writer.ruleset.players
    players = str(fewest) if fewest == most else f"{fewest} to {most}"
    return writer.generated("play.md.j2", table=True, game=writer.html.escape(writer.ruleset.title), players=players)
