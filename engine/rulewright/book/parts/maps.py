"""Examples on a board, as small pictures: where everything stood before the run, and where after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.book.english.naming import Naming
from rulewright.book.parts.map_views import LegendView, MapsView, MapView
from rulewright.book.style.style import Html, Style
from rulewright.book.style.words import fill
from rulewright.language.declarations import Table
from rulewright.play.boards.board import Board, Piece, Window, boards, empty, everything, noted_window, window
from rulewright.play.boards.svg import board_svg, emoji
from rulewright.play.examples.run import Finished
from rulewright.play.machine.state import State
from rulewright.play.telling.names import Names


@dataclass(frozen=True, slots=True)
class Notes:
    """What is worked out for tiles: what it is, as HTML and as plain text, and the figure of each tile."""

    what: str
    plain: str
    of_tiles: Mapping[str, str]


def maps_view(ran: Finished, style: Html, notes: Sequence[Notes] = ()) -> MapsView | None:
    """The boards of a run that had anything on them, and one more for each of `notes`; None if there are none."""
    maps: list[MapView] = []
    pieces: list[Piece] = []
    names = Names.at(ran.state)
    for before, after in zip(boards(ran.start), boards(ran.state), strict=True):
        part = window(before, after)
        if part is None:
            continue
        for when, board in _moments(before, after):
            maps.append(MapView(when, _drawing(when, board, part, names, style)))
            pieces += [piece for standing in board.pieces.values() for piece in standing]
        for note in notes:
            noted = noted_window(after, note.of_tiles)
            if noted is not None:
                maps.append(MapView(note.what, _drawing(note.plain, after, noted, names, style, note.of_tiles)))
    if not maps:
        return None
    legend = dict.fromkeys(_legend(piece, style) for piece in pieces)
    return MapsView(tuple(maps), tuple(legend), any(piece.seat for piece in pieces))


def moved_maps(start: State, end: State, style: Html, ways: Sequence[Sequence[str]]) -> MapsView:
    """The whole of each board on which something has changed between two states, with the `ways` gone on it."""
    maps: list[MapView] = []
    pieces: list[Piece] = []
    names = Names.at(end)
    for before, after in zip(boards(start), boards(end), strict=True):
        if _look(before) != _look(after):
            maps.append(MapView("", _drawing("", after, everything(after), names, style, ways=ways)))
            pieces += [piece for standing in after.pieces.values() for piece in standing]
    legend = dict.fromkeys(_legend(piece, style) for piece in pieces)
    return MapsView(tuple(maps), tuple(legend), any(piece.seat for piece in pieces))


def _moments(before: Board, after: Board) -> list[tuple[str, Board]]:
    """What is drawn: an empty board tells nothing, and the same picture is not drawn twice."""
    if _look(before) == _look(after):
        return [("", before)]
    return [(when, board) for when, board in (("Before", before), ("After", after)) if board.pieces]


def empty_board(table: Table, plain: Style) -> str:
    """A board as the picture of its tiles, with nothing on it."""
    board = empty(table)
    return board_svg(board, title=f"{fill(table.title, plain)}: {len(board.tiles[0])} columns, {len(board.tiles)} rows")


def _look(board: Board) -> dict[str, list[tuple[str, int | None]]]:
    return {tile: [(piece.kind, piece.seat) for piece in pieces] for tile, pieces in board.pieces.items()}


def _drawing(
    when: str,
    board: Board,
    part: Window,
    names: Names,
    style: Html,
    notes: Mapping[str, str] | None = None,
    ways: Sequence[Sequence[str]] = (),
) -> str:
    said = "; ".join(f"{names.row(board.table, tile)} {figure}" for tile, figure in (notes or {}).items())
    said = said or "; ".join(
        f"{names.row(board.table, tile)} {', '.join(piece.label for piece in board.pieces[tile])}"
        for tiles in board.tiles
        for tile in tiles
        if board.pieces.get(tile)
    )

    def picture(piece: Piece, x: float, y: float, size: float) -> str:
        term = Naming(style).kind_term(piece.kind)
        drawn = style.drawing(term, x, y, size) if term is not None else ""
        return drawn or emoji(piece, x, y, size)

    title = f"{when + ': ' if when else ''}{said}"
    return board_svg(board, title=title, window=part, picture=picture, notes=notes, ways=ways)


def _legend(piece: Piece, style: Html) -> LegendView:
    term = Naming(style).kind_term(piece.kind)
    if term is None:
        return LegendView(style.escape(piece.icon or piece.name[:1]), style.escape(piece.name))
    return LegendView(style.picture(term), style.escape(term.name))
