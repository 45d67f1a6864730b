"""Boards of hexagons, whose rows are indented."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import cos, pi, sin, sqrt

from rulewright.language.schema_shapes import Leaf, Record, optional
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.boards.board_layout import (
    DIRECTIONS_KEY,
    BoardLayout,
    Step,
    lay_out_steps,
    make_step,
    read_flag,
    read_size,
    refuse_large_board,
)
from rulewright.ruleset.boards.board_shape import BoardPlan, BoardShape, PageStyle, TextCells, Words
from rulewright.ruleset.boards.geometry import TILE, Spot
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping as MappingNode

DIRECTIONS = {
    "northeast": (1, -1),
    "east": (1, 0),
    "southeast": (0, 1),
    "southwest": (-1, 1),
    "west": (-1, 0),
    "northwest": (0, -1),
}
"""Offsets by direction for pointy-top hexagons, if each row is shifted by half a hexagon to the right."""


class HexagonsShape(BoardShape):
    """Hexagons with a corner at the top. Every other row is indented by half a hexagon."""

    name = "hexagons"
    order = 20
    is_rectangular = True
    lists_positions = True
    noun = "hexagons"
    singular = "hexagon"
    translations = {"de": {"hexagon": "Sechseck", "hexagons": "Sechsecke"}}
    page_style = PageStyle(inset=14)
    coordinates = (TILE * 0.12, TILE * 0.34)
    corners: tuple[Spot, ...] = tuple(
        (TILE / sqrt(3) * cos(pi * (corner / 3 + 1 / 6)), TILE / sqrt(3) * sin(pi * (corner / 3 + 1 / 6)))
        for corner in range(6)
    )
    label_shift = 0.0
    """How far the number of a column is to the left of the centre of its first hexagon, in tiles."""

    schema: Record | None = Record(
        "A board of hexagons, given by `columns` and `rows` or by a `radius`. Each hexagon is a row of the table, "
        "starting with `c1r1` at the top left, and has a `column`, a `row`, its `neighbours`, and the neighbour to "
        "the `northeast`, `east`, `southeast`, `southwest`, `west` and `northwest`.",
        members={
            "columns": optional(Leaf("The number of columns.", format="integer")),
            "rows": optional(Leaf("The number of rows.", format="integer")),
            "slanted": optional(
                Leaf(
                    "Whether every row is shifted right by half a hexagon from the one above; "
                    "otherwise only every other row is.",
                    format="flag",
                )
            ),
            "radius": optional(Leaf("The number of rings around the centre space.", format="integer")),
            **DIRECTIONS_KEY,
        },
    )

    def lay_out(self, node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
        """Return the hexagons row by row: those of a rectangle, or all within a radius of a centre.

        Missing, invalid or too large sizes are reported, and the layout has no spaces.
        """
        if "radius" in node:
            return _surround_centre(node, diagnostics)
        columns, rows = (read_size(node.get(key), diagnostics) for key in ("columns", "rows"))
        for key in ("columns", "rows"):
            if key not in node:
                message = "a board of hexagons needs `columns` and `rows`, or a `radius`"
                hint = f"give the number of {key}: `{key}: …`"
                span = table.find_key_span("hexagons")
                diagnostics.add(ruleset_diagnostics.BAD_GRID, message, span, suggestion=hint)
                return BoardLayout()
        if refuse_large_board(columns * rows, f"{columns:,} × {rows:,} hexagons", node, diagnostics):
            columns = 0
        places = [(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1)]
        if read_flag(node, "slanted"):
            return lay_out_steps(SLANTED.name, places, _list_slanted_steps())
        return lay_out_steps(self.name, places, _list_indented_steps())

    def list_turns(self) -> list[Step]:
        """Return all six directions."""
        return list(_list_indented_steps().values())

    def indent(self, row: int) -> int:
        """Return 1 for every other row."""
        return (row + 1) % 2

    def locate(self, column: int, row: int, halves: int) -> Spot:
        """Return the centre of a hexagon, whose rows are closer together than its columns."""
        return (column + halves / 2) * TILE, row * (TILE * sqrt(3) / 2)

    def label(self, plan: BoardPlan, places: Mapping[str, Spot]) -> list[Words]:
        """Return the numbers of the columns and rows, each next to its first hexagon.

        On a board around a centre, a column's number is next to its last hexagon.
        """
        across = {column: space for space, (column, _, _) in reversed(list(plan.spots.items()))}
        right, down = TILE * self.label_shift, -TILE * 0.62
        if across[min(across)] != plan.tiles[0][0]:
            # Around a centre, the leftmost columns do not reach the top row, so the numbers are at the lower ends.
            across = {column: space for space, (column, _, _) in plan.spots.items()}
            right, down = -right, TILE * 0.62 + 8
        words = []
        for column, space in across.items():
            x, y = places[space]
            words.append((x - right, y + down, str(column)))
        for row in plan.tiles:
            x, y = places[row[0]]
            words.append((x - TILE * 0.68, y + 4, str(plan.spots[row[0]][1])))
        return words

    def draw_text(self, plan: BoardPlan, cells: TextCells) -> list[str]:
        """Return the lines of the rows with their indents and numbers, and a line with the numbers of the columns.

        Around a centre, a second such line is at the end. Raises `ValueError` if the board has no spaces.
        """
        size = cells.size if cells.measure() > 2 else 2
        half = (size + 2) // 2
        left = min(2 * column + halves for column, _, halves in plan.spots.values())
        lines: list[str] = []
        indent = numbers = ""
        for row in plan.tiles:
            column, number, halves = plan.spots[row[0]]
            joints = ["  " if cells.joins(*pair) else ")(" for pair in pairwise(row)]
            drawn = (cells.draw(tile, size) + joint for tile, joint in zip(row, [*joints, ")"], strict=True))
            contents = f"({''.join(drawn)}"
            numbers = "".join(f"{plan.spots[tile][0]:^{size + 2}}" for tile in row).rstrip()
            before = " " * (half * (2 * column + halves - left))
            indent = " " * 4 + before
            if not lines:
                lines.append(indent + numbers)
            lines.append(f"{before}{number:>3} {contents}")
        first = plan.spots[plan.tiles[0][0]][0]
        # Around a centre, the leftmost columns do not reach the top row, so a second line numbers them below.
        return [*lines, indent + numbers] if any(column < first for column, _, _ in plan.spots.values()) else lines


class SlantedHexagonsShape(HexagonsShape):
    """Hexagons each of whose rows is indented by half a hexagon more than the one above."""

    name = "slanted"
    order = 30
    schema = None
    foot = 1
    label_shift = 0.36

    def list_turns(self) -> list[Step]:
        """Return all six directions."""
        return list(_list_slanted_steps().values())

    def indent(self, row: int) -> int:
        """Return the number of rows above."""
        return row - 1


HEXAGONS = HexagonsShape()
SLANTED = SlantedHexagonsShape()


def _surround_centre(node: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
    """Return all hexagons within a radius of the one in the centre, which a radius of 1 surrounds by six.

    Other sizes than the radius, and an invalid or too large radius, are reported, and the layout has no spaces.
    """
    for key in ("columns", "rows", "slanted"):
        if key in node:
            message = f"a board of hexagons around a centre has a `radius` and cannot have `{key}`"
            hint = f"remove `{key}`; or remove the `radius`, and give `columns` and `rows`"
            diagnostics.add(ruleset_diagnostics.BAD_GRID, message, node.find_key_span(key), suggestion=hint)
            return BoardLayout()
    radius = read_size(node.get("radius"), diagnostics)
    across = range(1, 2 * radius + 2)
    if refuse_large_board(3 * radius * (radius + 1) + 1, f"hexagons of radius {radius:,}", node, diagnostics):
        radius = 0
    middle = 2 * (radius + 1)
    inside = [(c, r) for r in across for c in across if abs(c + r - middle) <= radius] if radius else []
    return lay_out_steps(SLANTED.name, inside, _list_slanted_steps())


def _list_slanted_steps() -> dict[str, Step]:
    return {way: make_step(*by) for way, by in DIRECTIONS.items()}


def _list_indented_steps() -> dict[str, Step]:
    """Return the directions on a board in which only every other row is indented."""

    def make_indented_step(right: int, down: int) -> Step:
        return lambda column, row: (column + right - (row - 1) // 2 + (row + down - 1) // 2, row + down)

    return {way: make_indented_step(*by) for way, by in DIRECTIONS.items()}
