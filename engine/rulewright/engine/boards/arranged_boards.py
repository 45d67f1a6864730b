"""Boards that a layout arranges in rows: the rows of a table, or numbers in columns of the objects of a kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rulewright.engine.boards.board_contents import Board, Piece, list_pieces
from rulewright.engine.boards.space_marks import SpaceMark, list_space_marks
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.narration.redaction import HIDDEN
from rulewright.engine.state.game_state import State
from rulewright.language.declarations import FIRST_PLAYER, GAME, GAME_KIND, PLAYER_KIND, Table
from rulewright.language.types import INTEGER, MapOf, present
from rulewright.ruleset.boards.board_shape import GRID, find_shape
from rulewright.ruleset.sections.board import DisplayLayout

Rows = Sequence[Sequence[str | None]]
"""Spaces from top to bottom. None is a gap."""


@dataclass(frozen=True, slots=True)
class ArrangedBoard:
    """A board in rows, with None for a gap.

    `contents` has the titles, pieces and marks of its spaces, and `counts` the number on each. `heads` are the names of
    the columns, or empty.
    """

    rows: Rows
    contents: Board
    counts: Mapping[str, int]
    heads: tuple[str, ...] = ()


def list_arranged_boards(state: State) -> list[ArrangedBoard]:
    """Return every board whose layout lists its spaces, in the order of the layouts."""
    ruleset, names = state.machine.ruleset, Names.for_state(state)
    boards = []
    for layout in ruleset.layouts.values():
        if not any(map(any, layout.places)):
            continue
        table = None if layout.of in ruleset.declarations.kinds else ruleset.declarations.tables[layout.of]
        boards.append(_columns(state, layout, names) if table is None else _rows(state, table, layout, names))
    return boards


def _rows(state: State, table: Table, layout: DisplayLayout, names: Names) -> ArrangedBoard:
    """Return the board of a table."""
    titles = {space: names.name_row(table.id, space) for row in layout.places for space in row if space is not None}
    counts: dict[str, int] = {}
    for name, field in state.machine.ruleset.declarations.kinds[GAME_KIND].fields.items():
        type_ = present(field.type)
        values = state.objects[GAME][state.machine.layout.places[GAME_KIND, name]]
        if isinstance(type_, MapOf) and type_.table == table.id and present(type_.inner) == INTEGER:
            pairs = [] if values is HIDDEN or values is None else zip(table.rows, values, strict=True)
            counts |= {space: value for space, value in pairs if space in titles and type(value) is int}
    return ArrangedBoard(
        _turn(layout), _contents(layout, titles, list_pieces(state, table), list_space_marks(state, table.id)), counts
    )


def _columns(state: State, layout: DisplayLayout, names: Names) -> ArrangedBoard:
    """Return the board of a kind, whose spaces are numbers that players have in a list."""
    machine = state.machine
    places = machine.layout.places.get((PLAYER_KIND, layout.marks))
    pieces: dict[str, tuple[Piece, ...]] = {}
    for player in state.live[machine.layout.kinds[PLAYER_KIND]] if places is not None else ():
        name, seat = names.name_player(player), player - FIRST_PLAYER + 1
        numbers = state.objects[player][places]
        for number in () if numbers is HIDDEN else numbers:
            mark = Piece(PLAYER_KIND, player, name, "", layout.marks, seat, is_mark=True)
            pieces[str(number)] = (*pieces.get(str(number), ()), mark)
    titles = dict.fromkeys((space for row in layout.places for space in row if space is not None), "")
    owners = state.live[machine.layout.kinds[layout.of]]
    heads = () if layout.is_rotated else tuple(names.name_entity(layout.of, each) for each in owners)
    return ArrangedBoard(_turn(layout), _contents(layout, titles, pieces, {}), {}, heads)


def _turn(layout: DisplayLayout) -> Rows:
    """Return the spaces of a layout in rows, rotated clockwise if the layout says so."""
    return list(zip_longest(*reversed(layout.places))) if layout.is_rotated else layout.places


def _contents(
    layout: DisplayLayout,
    titles: Mapping[str, str],
    pieces: Mapping[str, tuple[Piece, ...]],
    marks: Mapping[str, tuple[SpaceMark, ...]],
) -> Board:
    """Return the board with what is on its spaces. Pieces and marks on other rows of the table are left out."""
    lying = {space: each for space, each in pieces.items() if space in titles}
    known = {space: each for space, each in marks.items() if space in titles}
    return Board(layout.of, find_shape(GRID), (), titles, {}, (), lying, known)
