"""Views of tables, boards, overviews, decks, dice and named numbers."""

from __future__ import annotations

from rulewright.book.english.expression_english import English
from rulewright.book.english.naming import humanize
from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.example_maps import build_printed_legend, draw_empty_board
from rulewright.book.parts.table_views import build_overview_view, build_places_view, build_table_view
from rulewright.book.parts.template_loader import render
from rulewright.book.style.fill_placeholders import fill, format_value
from rulewright.book.style.rule_locations import CARDS, build_anchor
from rulewright.language.declarations import Deck, Table
from rulewright.ruleset.prose.book_language import ENGLISH


def show_tables(page: PageWriter, identity: str) -> str:
    """Return a table. A board is shown as a picture."""
    table = page.ruleset.declarations.tables[identity]
    if table.is_board:
        return _board(page, table)
    return render(
        "roll_table.j2" if table.roll is not None else "table.j2",
        page.language,
        id=page.fragment(f"tables.{identity}"),
        title=page.escaped(table.title),
        about=page.about(f"tables.{identity}", "about"),
        table=build_table_view(table, page.html),
        cards=_cards_of(page, identity),
    )


def _cards_of(page: PageWriter, table: str) -> str:
    """Return the address of the printable cards for the rows of a table, or an empty string if no deck uses it."""
    decks = [deck.id for deck in page.ruleset.declarations.decks.values() if deck.table == table]
    return f"{CARDS}#{build_anchor(f'decks.{decks[0]}')}" if decks else ""


def _board(page: PageWriter, table: Table) -> str:
    """Return a board as a picture of its spaces, with a table of those that hold values."""
    title = page.escaped(table.title)
    return render(
        "board.j2",
        page.language,
        board=page.fragment(f"tables.{table.id}"),
        title=title,
        drawing=draw_empty_board(table, page.plain),
        legend=build_printed_legend(table, page.html),
        about=page.about(f"tables.{table.id}", "about"),
        table=build_places_view(table, page.html),
    )


def show_overviews(page: PageWriter, identity: str) -> str:
    """Return an overview."""
    view = build_overview_view(page.ruleset.overviews[identity], page.html)
    return render("overview.j2", page.language, id=page.fragment(f"overviews.{identity}"), overview=view)


def show_decks(page: PageWriter, identity: str) -> str:
    """Return a deck as HTML: its title, a description of its cards, and a link to its printable cards."""
    deck = page.ruleset.declarations.decks[identity]
    return render(
        "deck.j2",
        page.language,
        id=page.fragment(f"decks.{identity}"),
        title=page.escaped(deck.title),
        cards=_cards(page, deck),
        sheets=f"{CARDS}#{build_anchor(f'decks.{identity}')}",
    )


def _cards(page: PageWriter, deck: Deck) -> str:
    """Return a description of a deck, or in another language only the number of its cards."""
    if page.language is ENGLISH:
        return English(page.html).naming.cards(deck.id)
    return page.translate("%(count)s cards", count=len(deck.cards))


def show_dice(page: PageWriter, identity: str) -> str:
    """Return a die that the rules define."""
    faces = page.ruleset.declarations.describe_die(identity)
    return page.value(f"dice.{identity}", identity, faces, page.about(f"dice.{identity}"))


def show_numbers(page: PageWriter, identity: str) -> str:
    """Return a named number of the rules."""
    number = page.ruleset.declarations.numbers[identity]
    value = format_value(number.value, number.type, page.html)
    return page.value(f"numbers.{identity}", humanize(identity).capitalize(), value, fill(number.means, page.html))
