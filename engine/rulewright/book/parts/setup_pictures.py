"""Pictures of the boards after setup, with numbers on them and a list that explains the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulewright.book.english.naming import Naming
from rulewright.book.parts.example_maps import (
    build_mark_legend,
    build_piece_legend,
    count_marks,
    draw_board_at,
    show_owners,
)
from rulewright.book.style.fill_placeholders import fill, find_first_sentence
from rulewright.book.style.text_style import HtmlStyle
from rulewright.engine.boards.board_contents import Board, Piece, list_boards, make_whole_window
from rulewright.engine.boards.board_svg import choose_mark_letters
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.game_state import State
from rulewright.language.declarations import PLAYER_KIND, Field
from rulewright.language.types import INTEGER, present
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.setups import Setup
from rulewright.testing.board_setups import set_up_boards


@dataclass(frozen=True, slots=True)
class EntityView:
    """One type of object on the table. `flag` is its number on the board, and is empty if it is not on the board.

    `many` is the number of these objects. `each` is the number for each player, if it is always the same. What marks
    spaces and is no object of the game `is_mark`.
    """

    flag: str
    picture: str
    name: str
    many: int
    each: int | None
    means: str
    is_mark: bool = False


@dataclass(frozen=True, slots=True)
class SetupPicture:
    """The table for a number of players. `owned` says whether an object shows the seat of its owner."""

    players: int
    drawings: tuple[str, ...]
    entities: tuple[EntityView, ...]
    owned: bool


@dataclass(frozen=True, slots=True)
class SetupView:
    """A setup for several numbers of players, ready for a template."""

    title: str
    text: str
    tables: tuple[SetupPicture, ...]


def _set_up(_: Ruleset) -> dict[str, list[State]]:
    """Return the empty cache of states after setup for a ruleset, by setup."""
    return {}


def setup_view(setup: Setup, style: HtmlStyle) -> SetupView | None:
    """Return the tables as the engine sets them up, one for each number of players, or None if it cannot.

    The ruleset caches the states, so the engine plays each setup once.
    """
    known = style.ruleset.get_or_make(_set_up)
    if setup.id not in known:
        known[setup.id] = set_up_boards(style.ruleset, setup)
    states = known[setup.id]
    shares = [_shares(state) for state in states]
    # A per-player share seen at only one player count may be a coincidence, so it must hold for all.
    always = (
        {kind: each for kind, each in shares[0].items() if all(s.get(kind) == each for s in shares)} if shares else {}
    )
    tables = tuple(_table(state, always if len(states) > 1 else {}, style) for state in states)
    return SetupView(fill(setup.title, style), fill(setup.text, style), tables) if tables else None


def _players(state: State) -> tuple[int, ...]:
    return state.live[state.machine.layout.kinds[PLAYER_KIND]]


def _shares(state: State) -> dict[str, int]:
    """Return the number of objects for each player, by kind.

    Kinds without objects, or whose objects do not divide evenly, are left out.
    """
    players = len(_players(state))
    live = zip(state.machine.layout.names, state.live, strict=True)
    return {kind: len(items) // players for kind, items in live if items and len(items) % players == 0}


def _table(state: State, always: Mapping[str, int], style: HtmlStyle) -> SetupPicture:
    """Return the picture of one state. `always` holds the numbers of objects for each player."""
    flags: dict[str, dict[str, str]] = {}
    entity_views: list[EntityView] = []
    boards = [board for board in list_boards(state) if not board.is_empty]
    letters = choose_mark_letters(boards)
    for board in boards:
        pieces = [piece for tile in board.titles for piece in board.list_shown(tile)]
        for sort, first in {_sort(piece): piece for piece in reversed(_by_kind(pieces, state))}.items():
            number = str(len(entity_views) + 1)
            flags.setdefault(board.table, {})[_choose_shown(board, sort, flags.get(board.table, {}))] = number
            many = sum(_sort(piece) == sort for piece in pieces)
            entity_views.append(_build_entity(number, first, many, always, style))
    names = Names.for_state(state)
    drawings = tuple(
        draw_board_at(
            "", board, make_whole_window(board), names, style, flags=flags.get(board.table, {}), letters=letters
        )
        for board in boards
    )
    for text, many in sorted(count_marks(boards).items()):
        sign = build_mark_legend(text, letters[text], style)
        entity_views.append(EntityView("", sign.picture, sign.name, many, None, "", is_mark=True))
    entity_views += _list_common_amounts(state, style)
    return SetupPicture(len(_players(state)), drawings, tuple(entity_views), show_owners(boards))


def _sort(piece: Piece) -> tuple[str, str]:
    return piece.kind, piece.name if piece.is_mark or piece.picture else ""


def _by_kind(pieces: list[Piece], state: State) -> list[Piece]:
    """Return pieces in reverse order of their kinds' declarations."""
    order = state.machine.layout.kinds
    return sorted(pieces, key=lambda piece: order[piece.kind])[::-1]


def _choose_shown(board: Board, sort: tuple[str, str], pieces: Mapping[str, str]) -> str:
    """Return the space that shows the number of a type of piece, preferably one that it occupies alone."""
    at = [tile for row in board.tiles for tile in row if any(_sort(piece) == sort for piece in board.list_shown(tile))]
    free = [tile for tile in at if tile not in pieces] or at
    return next((tile for tile in free if {_sort(piece) for piece in board.list_shown(tile)} == {sort}), free[0])


def _build_entity(number: str, piece: Piece, many: int, always: Mapping[str, int], style: HtmlStyle) -> EntityView:
    """Return the entry for `many` pieces such as this one, with the number that each player always has, if known."""
    naming = Naming(style)
    term, sign = naming.kind_term(piece.kind), build_piece_legend(piece, style)
    own = style.ruleset.declarations.terms.get(piece.picture) or naming.countable(piece.origin)
    if own is not None and many != 1:
        return EntityView(number, sign.picture, style.escape(own.plural), many, None, "")
    if term is None or piece.is_mark:
        return EntityView(number, sign.picture, sign.name, many, None, "")
    name = naming.kind(piece.kind, several=many != 1)
    return EntityView(
        number, sign.picture, name, many, always.get(piece.kind), fill(find_first_sentence(term.means), style)
    )


def _list_common_amounts(state: State, style: HtmlStyle) -> Iterator[EntityView]:
    """Yield the amounts that all players hold equally, such as Tokens, without fields that are hidden or zero."""
    naming, places, players = Naming(style), state.machine.layout.places, _players(state)
    for name, field in style.ruleset.declarations.kinds[PLAYER_KIND].fields.items():
        if present(field.type) != INTEGER or field.seen_by is not None or not is_counted(field, naming):
            continue
        counter = Counter(state.objects[player][places[PLAYER_KIND, name]] for player in players)
        ((amount, having), *others) = counter.most_common()
        if others or not amount or having != len(players):
            continue
        unit = naming.unit(name, single=amount == 1, kind=PLAYER_KIND)
        means = fill(find_first_sentence(field.means), style)
        term = naming.countable(name)
        picture = style.picture(term) if term is not None else ""
        yield EntityView("", picture, unit, amount * len(players), amount, means)


def is_counted(field: Field, naming: Naming) -> bool:
    """Return whether readers have a noun for the units of a field."""
    return bool(field.unit) or naming.countable(field.name) is not None
