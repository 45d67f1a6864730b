"""The components of a game, counted and with their pictures, for the front page of its book."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.english.naming import Naming
from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.setup_pictures import setup_view
from rulewright.book.parts.table_views import list_printed_boards
from rulewright.book.style.dice_icons import name_die_icon
from rulewright.book.style.fill_placeholders import fill, find_first_sentence
from rulewright.book.style.text_style import Style, escape, use
from rulewright.engine.boards.board_contents import make_empty_board
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.types import Row
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_text
from rulewright.ruleset.prose.placeholder_meaning import TermWord, resolve_placeholder
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.queries.dice_needed import count_dice_needed, list_dice_needed
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True)
class Component:
    """A type of component with its picture, which may be empty, its number, its name, and a note on the number.

    `many` is None if the rules do not say how many a game takes. A card shows its picture in a frame.
    """

    picture: str
    many: int | None
    name: str
    note: str = ""
    is_card: bool = False


def list_components(writer: PageWriter) -> list[Component]:
    """Return the boards, pieces, decks and dice of a game, in this order.

    The pieces are those on the table after the first setup of the rules, and those that the setup lists for later. A
    game without a setup has none.
    """
    return [*_boards(writer), *_pieces(writer), *_decks(writer), *_dice(writer)]


def _boards(writer: PageWriter) -> Iterator[Component]:
    for table in list_printed_boards(writer.ruleset):
        size = make_empty_board(table).describe_size(writer.language.tag)
        yield Component(_picture(table.title, writer), 1, writer.escaped(table.title), escape(size))


def _pieces(writer: PageWriter) -> Iterator[Component]:
    """Yield the pieces of the first setup, for its last number of players, or nothing if it cannot be played.

    Amounts that players hold, such as money, are only those of the start, so they have no number.
    """
    setup = next(iter(writer.ruleset.setups.values()), None)
    view = setup_view(setup, writer.close) if setup is not None else None
    if setup is None or view is None:
        return
    table = view.tables[-1]
    for component in (each for each in table.entities if not each.is_mark):
        if not component.flag and component.each:
            note = writer.translate("%(count)s for each player at the start", count=component.each)
            yield Component(component.picture, None, component.name, note)
            continue
        each = writer.translate("%(count)s for each player", count=component.each)
        note = each if component.each else writer.translate("for %(count)s players", count=table.players)
        yield Component(component.picture, component.many, component.name, note)
    for title, note in setup.components:
        yield Component(_picture(title, writer), None, fill(title, writer.close), writer.escaped(note))


def _decks(writer: PageWriter) -> Iterator[Component]:
    naming = Naming(Style(writer.ruleset))
    for deck in writer.ruleset.declarations.decks.values():
        cards = len(deck.cards)
        name = naming.member(Row(deck.table), several=cards != 1)
        name = escape(name) if name else writer.translate("card") if cards == 1 else writer.translate("cards")
        note = writer.escaped(deck.title)
        if deck.kind == PLAYER_KIND and not deck.filled_by_rules:
            note = f"{note}, {writer.translate('%(count)s for each player', count=cards)}"
        yield Component(_picture(deck.title, writer), cards, name, note, is_card=True)


def _dice(writer: PageWriter) -> Iterator[Component]:
    """Yield the dice that the rules need, with their numbers in the largest roll."""
    counted = count_dice_needed(writer.ruleset)
    nodes = {name: entry.value for name, entry in iterate_entries(writer.ruleset.resolved.rules.get("dice"))}
    for die, _ in list_dice_needed(writer.ruleset):
        if die.name in counted:
            means = read_text(node.get("means")) if isinstance(node := nodes.get(die.name), Mapping) else ""
            note = writer.escaped(find_first_sentence(means))
            yield Component(use(name_die_icon(die)), counted[die.name], escape(die.name), note)


def _picture(title: str, writer: PageWriter) -> str:
    """Return the picture of the first term that a title names, or an empty string."""
    named = (
        resolve_placeholder(part.body, writer.ruleset) for part in parse_parts(title) if isinstance(part, Placeholder)
    )
    terms = (meaning.term for meaning in named if isinstance(meaning, TermWord))
    return next((writer.html.picture(term) for term in terms), "")
