"""A board in the terminal: icons and colours where the terminal has them, plain letters where it does not."""

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
"""Columns of a tile."""

_COLOURS = (31, 34, 32, 33, 35, 36, 91, 94, 92, 93)
"""A colour for each seat: red, blue, green, yellow, magenta, cyan, and their bright kin."""


def draw(board: Board) -> list[str]:
    """Return the lines of a board and its legend."""
    pieces = [piece for standing in board.pieces.values() for piece in standing if not piece.is_mark]
    icons = all(can_show(piece.icon) and piece.icon for piece in pieces)
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    letters = _letters(board)
    if not board.is_grid:
        return [*_DRAWN[board.shape](board, letters, icons, colours), *_legend(board, letters, icons)]
    rule = "   +" + ("-" * CELL + "+") * len(board.tiles[0])
    lines = ["    " + " ".join(f"{column:^{CELL}}" for column in range(1, len(board.tiles[0]) + 1)), rule]
    for number, row in enumerate(board.tiles, 1):
        cells = [_cell(board.pieces.get(tile, ()), letters, icons, colours) for tile in row]
        lines += [f"{number:>2} |" + "|".join(cells) + "|", rule]
    return lines + _legend(board, letters, icons)


def _hexagons(board: Board, letters: dict[str, str], icons: bool, colours: bool) -> list[str]:
    """Return each row moved to the right by as many halves of a hexagon as on the board, with its number before it."""
    shown = [_cell(pieces, letters, icons, False).rstrip() for pieces in board.pieces.values()]
    size = CELL if any(_width(cell) > 2 for cell in shown) else 2
    half = (size + 2) // 2
    left = min(2 * column + moved for column, _, moved in board.spots.values())
    lines: list[str] = []
    for row in board.tiles:
        column, number, moved = board.spots[row[0]]
        cells = "".join(f"({_cell(board.pieces.get(tile, ()), letters, icons, colours, size)})" for tile in row)
        numbers = "".join(f"{board.spots[tile][0]:^{size + 2}}" for tile in row).rstrip()
        indent = " " * (4 + half * (2 * column + moved - left))
        if not lines:
            lines.append(indent + numbers)
        lines.append(" " * (half * (2 * column + moved - left)) + f"{number:>3} {cells}")
    first = board.spots[board.tiles[0][0]][0]
    # Around a hexagon in the middle, not every column begins in the first row.
    return [*lines, indent + numbers] if any(column < first for column, _, _ in board.spots.values()) else lines


def _track(board: Board, letters: dict[str, str], icons: bool, colours: bool) -> list[str]:
    """Return every place with its number, as the track turns."""
    longest = max(map(len, board.titles.values()))
    at = {(column, row): tile for tile, (column, row, _) in board.spots.items()}
    lines = []
    for row in range(1, max(row for _, row in at) + 1):
        cells = []
        for column in range(1, max(column for column, _ in at) + 1):
            tile = at.get((column, row))
            blank = " " * (longest + CELL + 3)
            cell = "" if tile is None else _cell(board.pieces.get(tile, ()), letters, icons, colours)
            cells.append(blank if tile is None else f"[{board.titles[tile]:>{longest}} {cell}]")
        lines.append("    " + "".join(cells).rstrip())
    return lines


def _areas(board: Board, letters: dict[str, str], icons: bool, colours: bool) -> list[str]:
    """Return a line for each area: what stands on it, and where one can go from it."""
    longest = max(map(len, board.titles.values()))
    near: dict[str, list[str]] = {tile: [] for tile in board.spots}
    for one, other in board.links:
        near[one].append(board.titles[other])
        near[other].append(board.titles[one])
    lines = []
    for tile, title in board.titles.items():
        cell = _cell(board.pieces.get(tile, ()), letters, icons, colours)
        lines.append(f"    {title:<{longest}} |{cell}| {', '.join(near[tile])}".rstrip())
    return lines


_DRAWN = {"hexagons": _hexagons, "slanted": _hexagons, "track": _track, "areas": _areas}


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
    """Return the columns a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(c) or c in "\ufe0e\ufe0f" else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _letters(board: Board) -> dict[str, str]:
    """Return a letter for each kind on the board: the first of its name that is still free."""
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
        return ["    a number is a player's"] if any(board.pieces.values()) else []
    said = " · ".join([*signs, "a number is a player's", "+1 is one more"])
    return textwrap.wrap(said, max(40, measure_width() - 4), initial_indent="    ", subsequent_indent="    ")
