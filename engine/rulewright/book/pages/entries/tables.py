"""Tables: with their faces or cells; a board as the picture of its tiles."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.maps import empty_board
from rulewright.book.parts.tables import table_view
from rulewright.book.parts.templates import render
from rulewright.book.style.places import CARDS, anchor
from rulewright.language.declarations import Table
from rulewright.play.boards.board import is_board


def show(page: PageWriter, identity: str) -> str:
    """A table."""
    table = page.ruleset.declarations.tables[identity]
    if is_board(table):
        return _board(page, table)
    return render(
        "roll_table.j2" if table.roll is not None else "table.j2",
        id=page.fragment(f"tables.{identity}"),
        title=page.escaped(table.title),
        about=page.about(f"tables.{identity}", "about"),
        table=table_view(table, page.html),
        cards=_cards_of(page, identity),
    )


def _cards_of(page: PageWriter, table: str) -> str:
    """Where the rows of a table lie as cards to print; empty for one that is no deck."""
    decks = [deck.id for deck in page.ruleset.declarations.decks.values() if deck.table == table]
    return f"{CARDS}#{anchor(f'decks.{decks[0]}')}" if decks else ""


def _board(page: PageWriter, table: Table) -> str:
    """A board, as the picture of its tiles."""
    title = page.escaped(table.title)
    return render(
        "board.j2", id=page.fragment(f"tables.{table.id}"), title=title, drawing=empty_board(table, page.plain)
    )
