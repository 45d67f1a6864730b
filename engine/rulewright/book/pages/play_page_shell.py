"""The page on which readers play the edition, before its program starts."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.ruleset.prose.book_language import describe_players


def play_page(writer: PageWriter) -> str:
    """Return the page with its initial content, which remains if the program cannot start."""
    players = describe_players(writer.ruleset)
    return writer.generated("play.md.j2", table=True, game=writer.html.escape(writer.ruleset.title), players=players)
