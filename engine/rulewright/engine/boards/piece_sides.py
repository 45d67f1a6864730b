"""The sides of pieces such as tiles: a row or a number on each, clockwise from the top, as a layout says."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin
from typing import Any

from rulewright.engine.boards.space_marks import take_letters
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.narration.redaction import HIDDEN
from rulewright.language.declarations import Declarations
from rulewright.language.types import ListOf, Row, present
from rulewright.ruleset.sections.board import DisplayLayout

COLOURS = ("#c98f6b", "#c9c9c9", "#a9c97f", "#7fb0d9", "#d9c46a", "#b79ad1", "#8fcabc", "#dd9aa8")
"""The colour of a side, by the place of its row in the table. More rows begin again, and their letters differ."""


@dataclass(frozen=True, slots=True)
class PieceSide:
    """What one side of a piece shows: the letter and the name of a row, and its place in the table, from 0.

    A number is both letter and name, and its place is that among the numbers of all sides.
    """

    letter: str
    name: str
    place: int

    @property
    def colour(self) -> str:
        """The colour of the side."""
        return COLOURS[self.place % len(COLOURS)]


def list_kinds_of_sides(
    declared: Declarations, layout: DisplayLayout, kind: str, names: Names
) -> Mapping[Hashable, PieceSide]:
    """Return the side for each row or number that the sides of a kind show, or nothing if its layout has no `sides`."""
    if not layout.sides:
        return {}
    tiles = present(declared.kinds[kind].fields[layout.picture].type)
    assert isinstance(tiles, Row)
    column = present(declared.tables[tiles.table].columns[layout.sides])
    assert isinstance(column, ListOf)
    if not isinstance(column.inner, Row):
        cells = [row.cells[layout.sides] or () for row in declared.tables[tiles.table].rows.values()]
        numbers = sorted({number for cell in cells for number in cell})
        return {number: PieceSide(str(number), str(number), place) for place, number in enumerate(numbers)}
    table = declared.tables[column.inner.table]
    titles: dict[Hashable, str] = {row: names.format_value(row, column.inner) for row in table.rows}
    letters = take_letters(titles)
    return {row: PieceSide(letters[row], titles[row], place) for place, row in enumerate(table.rows)}


def list_sides(
    declared: Declarations, layout: DisplayLayout, kind: str, fields: Mapping[str, Any], names: Names
) -> tuple[PieceSide, ...]:
    """Return the sides of an object, turned as it is, clockwise from the top.

    `fields` has its values. The result is empty if the layout has no sides, or if they are hidden or none.
    """
    known = list_kinds_of_sides(declared, layout, kind, names)
    tile, turns = fields.get(layout.picture), fields.get(layout.turns, 0)
    if not known or tile in (None, HIDDEN) or turns is HIDDEN:
        return ()
    tiles = present(declared.kinds[kind].fields[layout.picture].type)
    assert isinstance(tiles, Row)
    sides = declared.tables[tiles.table].rows[tile].cells[layout.sides] or ()
    return turn_sides([known[row] for row in sides], turns or 0)


def turn_sides(sides: Sequence[PieceSide], turns: int) -> tuple[PieceSide, ...]:
    """Return sides after some turns to the right, each by one side."""
    start = -turns % len(sides) if sides else 0
    return (*sides[start:], *sides[:start])


def draw_sides(sides: Sequence[PieceSide], x: float, y: float, size: float) -> str:
    """Return SVG of the sides in a square or a hexagon, each as a coloured part with its letter.

    `x` and `y` are the upper left corner of the square around it. The first of four sides is at the top, and the first
    of six at the upper right.
    """
    return "".join(_draw_parts(sides, x + size / 2, y + size / 2, size / 2))


def _draw_parts(sides: Sequence[PieceSide], middle: float, down: float, radius: float) -> Iterator[str]:
    many = len(sides)
    # The corners of a square are further out than the middles of its sides.
    reach = radius / cos(pi / many) if many > 2 else radius
    first = -pi / 2 + (0 if many == 4 else pi / many)

    def point(angle: float, length: float) -> str:
        return f"{middle + cos(angle) * length:.1f},{down + sin(angle) * length:.1f}"

    for place, side in enumerate(sides):
        angle, half = first + place * 2 * pi / many, pi / many
        corners = " ".join(
            (
                point(angle - half, reach),
                point(angle + half, reach),
                point(angle + half, reach / 2),
                point(angle - half, reach / 2),
            )
        )
        yield f'<polygon points="{corners}" fill="{side.colour}" stroke="#fff" stroke-width=".5"/>'
        left, top = point(angle, radius * 0.74).split(",")
        yield (
            f'<text x="{left}" y="{float(top) + radius * 0.13:.1f}" font-size="{radius * 0.38:.1f}" '
            f'text-anchor="middle" fill="#222">{escape(side.letter)}</text>'
        )
