"""A board in the terminal: icons and colours where the terminal has them, plain letters where it does not."""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from typing import TYPE_CHECKING

from rulewright.cli.terminal import can_show, width

if TYPE_CHECKING:
    from rulewright.play.boards.board import Board, Piece

CELL = 4
"""Columns of a tile."""

_COLOURS = (31, 34, 32, 33, 35, 36, 91, 94, 92, 93)
"""A colour for each seat: red, blue, green, yellow, magenta, cyan, and their bright kin."""


def draw(board: Board) -> list[str]:
    """The lines of a board and its legend."""
    icons = all(can_show(piece.icon) and piece.icon for pieces in board.pieces.values() for piece in pieces)
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    letters = _letters(board)
    rule = "   +" + ("-" * CELL + "+") * len(board.tiles[0])
    lines = ["    " + " ".join(f"{column:^{CELL}}" for column in range(1, len(board.tiles[0]) + 1)), rule]
    for number, row in enumerate(board.tiles, 1):
        cells = [_cell(board.pieces.get(tile, ()), letters, icons, colours) for tile in row]
        lines += [f"{number:>2} |" + "|".join(cells) + "|", rule]
    return lines + _legend(board, letters, icons)


def _cell(pieces: tuple[Piece, ...], letters: dict[str, str], icons: bool, colours: bool) -> str:
    if not pieces:
        return " " * CELL
    top = pieces[0]
    shown = top.icon if icons else letters[top.kind]
    seat = "" if top.seat is None else str(top.seat)
    more = f"+{len(pieces) - 1}" if len(pieces) > 1 else ""
    text = shown + (more if len(more) + _width(shown) + len(seat) > CELL else seat + more)
    padded = text + " " * max(0, CELL - _width(text))
    if colours and top.seat is not None:
        return f"\033[{_COLOURS[(top.seat - 1) % len(_COLOURS)]}m{padded}\033[0m"
    return padded


def _width(text: str) -> int:
    """The columns a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(c) or c in "\ufe0e\ufe0f" else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _letters(board: Board) -> dict[str, str]:
    """A letter for each kind on the board: the first of its name that is still free."""
    taken: dict[str, str] = {}
    for pieces in board.pieces.values():
        for piece in pieces:
            if piece.kind not in taken:
                free = [c for c in piece.name.upper() + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c.isalpha()]
                taken[piece.kind] = next((c for c in free if c not in taken.values()), "?")
    return taken


def _legend(board: Board, letters: dict[str, str], icons: bool) -> list[str]:
    kinds = {piece.kind: piece for pieces in board.pieces.values() for piece in pieces}
    signs = [f"{piece.icon if icons else letters[kind]} {piece.name}" for kind, piece in sorted(kinds.items())]
    if not signs:
        return []
    said = " · ".join([*signs, "a number is a player's", "+1 is one more"])
    return textwrap.wrap(said, max(40, width() - 4), initial_indent="    ", subsequent_indent="    ")
