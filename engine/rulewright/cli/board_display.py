"""A board in the terminal, with icons and colours if the terminal supports them, or else with letters."""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from rulewright.cli.terminal import can_show, measure_width
from rulewright.engine.boards.space_marks import choose_letters, take_letters

if TYPE_CHECKING:
    from rulewright.engine.boards.arranged_boards import ArrangedBoard
    from rulewright.engine.boards.board_contents import Board, Piece
    from rulewright.engine.boards.space_marks import SpaceMark

CELL, WIDEST = 4, 6
"""The usual and the maximum width of a tile in columns."""

LONGEST_TITLE = 14
"""The maximum width of the title of a space on an arranged board."""

INDENT = 4
"""The width of the margin of an arranged board."""

_COLOURS = (31, 34, 32, 33, 35, 36, 91, 94, 92, 93)
"""The ANSI colour of each seat: red, blue, green, yellow, magenta, cyan, and bright variants of these."""


def draw(board: Board) -> list[str]:
    """Return the lines of a board and its legend."""
    signs, letters, cells = _read_contents(board, {})
    return [*board.draw_text(cells), *_legend(board, signs, letters)]


def draw_arranged(board: ArrangedBoard) -> list[str]:
    """Return the lines of a board that a layout arranges in rows, and its legend.

    Each space has its title above what is on it. Long titles are cut.
    """
    contents = board.contents
    signs, letters, cells = _read_contents(contents, board.counts)
    width = max(map(len, board.rows))
    room = max(CELL, min(LONGEST_TITLE, (measure_width() - INDENT) // width - 1))
    words = [*contents.titles.values(), *board.heads]
    size = max(cells.size, min(room, max(map(_width, words), default=0)))
    blank: list[str | None] = [None] * width
    rows = [[*row, *blank[len(row) :]] for row in board.rows]
    lines = [" " + " ".join(_fit(head, size) for head in board.heads[:width])] if board.heads else []
    above = blank
    for row in [*rows, blank]:
        rules = ["-" * size if one or other else " " * size for one, other in zip(above, row, strict=True)]
        lines.append(_join(above, row, rules, "+"))
        if any(contents.titles[space] for space in row if space):
            lines.append(_join(row, row, [_fit(contents.titles[space] if space else "", size) for space in row], "|"))
        if any(row):
            lines.append(_join(row, row, [cells.draw(space, size) if space else " " * size for space in row], "|"))
        above = row
    return [*(f"{' ' * INDENT}{line}".rstrip() for line in lines), *_legend(contents, signs, letters)]


def _join(row: Sequence[str | None], other: Sequence[str | None], parts: Sequence[str], mark: str) -> str:
    """Return a line of a board, with `mark` at each edge of a space in one of the two rows."""
    used = [False, *(bool(one or two) for one, two in zip(row, other, strict=True)), False]
    edges = [mark if one or other else " " for one, other in pairwise(used)]
    return "".join(edge + part for edge, part in zip(edges, [*parts, ""], strict=True))


def _fit(words: str, size: int) -> str:
    """Return words cut or padded to a number of columns."""
    while _width(words) > size:
        words = words.removesuffix("…")[:-1] + "…"
    return words + " " * (size - _width(words))


def _read_contents(board: Board, counts: Mapping[str, int]) -> tuple[_Signs, Mapping[str, str], _Cells]:
    """Return the signs of the pieces on a board, the letters of its marks, and its cells with `counts` on them."""
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    signs = _Signs(board)
    letters = choose_letters(mark.text for each in board.marks.values() for mark in each if mark.text)
    return signs, letters, _Cells(board, signs, letters, colours, counts)


class _Signs:
    """The sign of each piece on top of others: an icon, or a letter if the terminal cannot show all icons.

    Pieces of one kind have the same sign, unless they differ in their variety. An icon of several kinds or varieties is
    followed by a letter.
    """

    def __init__(self, board: Board) -> None:
        pieces = [piece for piece, *_ in board.pieces.values() if not piece.is_mark and not piece.sides]
        varieties: dict[str, set[str]] = {}
        for piece in pieces:
            varieties.setdefault(piece.kind, set()).add(piece.variety)
        self._several = {kind for kind, each in varieties.items() if len(each) > 1}
        known = {self._key(piece): piece for piece in pieces}
        icons = {key: self._find_icon(piece) for key, piece in known.items()}
        has_icons = all(icon and can_show(icon) for icon in icons.values())
        alike = Counter(icons.values())
        names = {key: self._name(piece) for key, piece in known.items()}
        letters = take_letters({key: name for key, name in names.items() if not has_icons or alike[icons[key]] > 1})
        self._signs = {key: (icons[key] if has_icons else "") + letters.get(key, "") for key in known}
        self.legend = [f"{self._signs[key]} {names[key]}" for key in sorted(known)]

    def find(self, piece: Piece) -> str:
        """Return the sign of a piece."""
        return self._signs[self._key(piece)]

    def _key(self, piece: Piece) -> tuple[str, str]:
        return piece.kind, piece.variety if piece.kind in self._several else ""

    def _name(self, piece: Piece) -> str:
        return piece.variety or piece.name if piece.kind in self._several else piece.name

    def _find_icon(self, piece: Piece) -> str:
        own = piece.kind in self._several and piece.variety_icon and can_show(piece.variety_icon)
        return piece.variety_icon if own else piece.icon


class _Cells:
    """The pieces and marks on each tile of a board, as text. `size` is the width of a tile."""

    def __init__(
        self, board: Board, signs: _Signs, letters: Mapping[str, str], colours: bool, counts: Mapping[str, int]
    ) -> None:
        self._board = board
        self._counts = counts
        self._signs = signs
        self._letters = letters
        self._colours = colours
        spaces = {*board.pieces, *board.marks, *counts}
        widths = [_width(self._draw(space, False, WIDEST).rstrip()) for space in spaces]
        self.size = max([CELL, *widths])
        self._pieces: dict[str, set[Piece]] = {}
        for piece, tiles in board.list_extents().items():
            for tile in tiles:
                self._pieces.setdefault(tile, set()).add(piece)

    def draw(self, space: str, size: int | None = None) -> str:
        """Return the pieces and marks on a tile, in the colour of the top one's seat."""
        return self._draw(space, self._colours, size or self.size)

    def joins(self, one: str, other: str) -> bool:
        """Return whether a piece of several tiles lies on both."""
        return not self._pieces.get(one, set()).isdisjoint(self._pieces.get(other, ()))

    def measure(self) -> int:
        """Return the width of the widest tile in columns."""
        spaces = {*self._board.pieces, *self._board.marks}
        return max((_width(self._draw(space, False, self.size).rstrip()) for space in spaces), default=0)

    def _draw(self, space: str, colours: bool, size: int) -> str:
        """Return the text of a space, padded to `size` columns. Marks that do not fit are left out."""
        pieces, marks = self._board.pieces.get(space, ()), self._board.marks.get(space, ())
        contents: list[Piece | SpaceMark] = [*pieces[:1], *marks]
        seats = [each.seat for each in contents if each.seat is not None]
        text = str(self._counts[space]) if space in self._counts else ""
        text += " " * bool(text and contents) + _write_pieces(pieces, self._signs, size)
        for mark in marks:
            sign = self._letters[mark.text] if mark.text else ""
            sign += str(mark.seat) if mark.seat is not None else ""
            # Marks that do not fit still appear in the log and in the prompts.
            text += sign if _width(text) + len(sign) <= size else ""
        padded = text + " " * max(0, size - _width(text))
        if colours and seats:
            return f"\033[{_COLOURS[(seats[0] - 1) % len(_COLOURS)]}m{padded}\033[0m"
        return padded


def _write_pieces(pieces: tuple[Piece, ...], signs: _Signs, size: int) -> str:
    """Return the sign of the top piece, and its seat or the number of other pieces, whichever fits.

    If the top piece has no owner, the seat is that of the first piece below it that has one, such as a token on a tile.
    """
    if not pieces:
        return ""
    top = pieces[0]
    sides = "".join(side.letter for side in top.sides)
    text = sides or ("" if top.is_mark else signs.find(top))
    seat = next((str(piece.seat) for piece in pieces if piece.seat is not None), "")
    more = f"+{len(pieces) - 1}" if len(pieces) > 1 and not sides else ""
    return text + (more if len(more) + _width(text) + len(seat) > size else seat + more)


def _width(text: str) -> int:
    """Return the width of a text in terminal columns."""
    return sum(
        0 if unicodedata.combining(c) or c in "\ufe0e\ufe0f" else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _legend(board: Board, signs: _Signs, letters: Mapping[str, str]) -> list[str]:
    """Return the lines that explain signs, letters and numbers on the board, or nothing if it has none."""
    notes = [*signs.legend, *(f"{letter} {text}" for text, letter in letters.items())]
    sides = {side.place: side for standing in board.pieces.values() for side in standing[0].sides}
    if sides:
        names = ", ".join(f"{side.letter} {side.name}" for _, side in sorted(sides.items()) if side.letter != side.name)
        order = "are the sides, clockwise from the top"
        notes.append(f"letters {order}: {names}" if names else f"the digits {order}")
    seated: list[Piece | SpaceMark] = [each for standing in board.pieces.values() for each in standing]
    seated += [each for standing in board.marks.values() for each in standing]
    if signs.legend or any(each.seat is not None for each in seated):
        notes.append("a number is the owner's seat")
    if signs.legend:
        notes.append("+1 means one more piece")
    if not notes:
        return []
    text = " · ".join(notes)
    return textwrap.wrap(text, max(40, measure_width() - 4), initial_indent="    ", subsequent_indent="    ")
