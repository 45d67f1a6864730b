"""A board in the terminal, with icons and colours if the terminal supports them, or else with letters."""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from typing import TYPE_CHECKING

from rulewright.cli.terminal import can_show, measure_width

if TYPE_CHECKING:
    from rulewright.engine.boards.board_contents import Board, Piece

CELL = 4
"""The width of a tile in columns."""

_COLOURS = (31, 34, 32, 33, 35, 36, 91, 94, 92, 93)
"""The ANSI colour of each seat: red, blue, green, yellow, magenta, cyan, and bright variants of these."""


def draw(board: Board) -> list[str]:
    """Return the lines of a board and its legend."""
    pieces = [piece for standing in board.pieces.values() for piece in standing if not piece.is_mark]
    icons = all(can_show(piece.icon) and piece.icon for piece in pieces)
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    letters = _letters(board)
    return [*board.shape.draw_text(board, _Cells(board, letters, icons, colours)), *_legend(board, letters, icons)]


class _Cells:
    """The pieces on each tile of a board, as text."""

    size = CELL

    def __init__(self, board: Board, letters: dict[str, str], icons: bool, colours: bool) -> None:
        self._board = board
        self._letters = letters
        self._icons = icons
        self._colours = colours

    def draw(self, space: str, size: int | None = None) -> str:
        """Return the pieces on a tile, in the colour of the top one's seat."""
        return self._draw(self._board.pieces.get(space, ()), self._colours, size or CELL)

    def measure(self) -> int:
        """Return the width of the widest tile in columns."""
        shown = [self._draw(pieces, False, CELL).rstrip() for pieces in self._board.pieces.values()]
        return max(map(_width, shown), default=0)

    def _draw(self, pieces: tuple[Piece, ...], colours: bool, size: int) -> str:
        return _cell(pieces, self._letters, self._icons, colours, size)


def _cell(pieces: tuple[Piece, ...], letters: dict[str, str], icons: bool, colours: bool, size: int = CELL) -> str:
    if not pieces:
        return " " * size
    top = pieces[0]
    shown = "" if top.is_mark else top.icon if icons else letters[top.kind]
    seat = "" if top.seat is None else str(top.seat)
    more = f"+{len(pieces) - 1}" if len(pieces) > 1 else ""
    text = shown + (more if len(more) + _width(shown) + len(seat) > size else seat + more)
    padded = text + " " * max(0, size - _width(text))
    if colours and top.seat is not None:
        return f"\033[{_COLOURS[(top.seat - 1) % len(_COLOURS)]}m{padded}\033[0m"
    return padded


def _width(text: str) -> int:
    """Return the width of a text in terminal columns."""
    return sum(
        0 if unicodedata.combining(c) or c in "\ufe0e\ufe0f" else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _letters(board: Board) -> dict[str, str]:
    """Return a letter for each kind on the board: the first free letter of its name, or else of the alphabet.

    If all letters are taken, the kind gets `?`.
    """
    taken: dict[str, str] = {}
    for pieces in board.pieces.values():
        for piece in pieces:
            if piece.kind not in taken and not piece.is_mark:
                free = [c for c in piece.name.upper() + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c.isalpha()]
                taken[piece.kind] = next((c for c in free if c not in taken.values()), "?")
    return taken


def _legend(board: Board, letters: dict[str, str], icons: bool) -> list[str]:
    kinds = {piece.kind: piece for pieces in board.pieces.values() for piece in pieces if not piece.is_mark}
    signs = [f"{piece.icon if icons else letters[kind]} {piece.name}" for kind, piece in sorted(kinds.items())]
    if not signs:
        return ["    a number is the owner's seat"] if any(board.pieces.values()) else []
    text = " · ".join([*signs, "a number is the owner's seat", "+1 means one more piece"])
    return textwrap.wrap(text, max(40, measure_width() - 4), initial_indent="    ", subsequent_indent="    ")
