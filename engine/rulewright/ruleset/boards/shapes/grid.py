"""Boards of squares in columns and rows."""

from __future__ import annotations

from itertools import pairwise

from rulewright.language.schema_shapes import Leaf, Record, optional, required
from rulewright.ruleset.boards.board_layout import (
    DIRECTIONS_KEY,
    BoardLayout,
    Step,
    lay_out_steps,
    make_step,
    read_flag,
    read_size,
    refuse_large_board,
    write_letters,
)
from rulewright.ruleset.boards.board_shape import BoardPlan, BoardShape, PageStyle, TextCells
from rulewright.ruleset.boards.geometry import MARGIN, SQUARE, TILE, BoardGeometry
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping as MappingNode

STRAIGHT = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
"""Offsets by direction, in the order in which neighbours are listed."""

DIAGONAL = {"northeast": (1, -1), "southeast": (1, 1), "southwest": (-1, 1), "northwest": (-1, -1)}


class GridShape(BoardShape):
    """Squares, row by row from the top left."""

    name = "grid"
    order = 10
    is_rectangular = True
    lists_positions = True
    noun = "tiles"
    singular = "tile"
    translations = {"de": {"tile": "Feld", "tiles": "Felder"}}
    is_croppable = True
    page_style = PageStyle(checkered=True)
    coordinates = (TILE * 0.46, TILE * 0.38)
    schema: Record | None = Record(
        "A board of squares. Each is a row of the table, starting with `c1r1` at the top left, and has a `column`, "
        "a `row`, its `neighbours`, and the neighbour to the `north`, `east`, `south` and `west`.",
        members={
            "columns": required(Leaf("The number of columns.", format="integer")),
            "rows": required(Leaf("The number of rows.", format="integer")),
            "diagonal": optional(Leaf("Whether tiles that share only a corner are neighbours.", format="flag")),
            "lettered": optional(
                Leaf(
                    "Whether tiles are called `a1`, `b1` and so on: letters for the columns from the left, numbers for "
                    "the rows from the bottom. Otherwise they are called `[1, 1]` and so on, from the top left.",
                    format="flag",
                )
            ),
            **DIRECTIONS_KEY,
        },
    )

    def lay_out(self, node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
        """Return the squares row by row, counted from 1. `diagonal` adds four directions.

        An invalid or too large size is reported, and the layout has no spaces.
        """
        columns, rows = (read_size(node.get(key), diagnostics) for key in ("columns", "rows"))
        if refuse_large_board(columns * rows, f"{columns:,} × {rows:,} tiles", node, diagnostics):
            columns = 0
        steps = STRAIGHT | (DIAGONAL if read_flag(node, "diagonal") else {})
        places = [(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1)]
        layout = lay_out_steps(self.name, places, {way: make_step(*by) for way, by in steps.items()})
        if read_flag(node, "lettered"):
            layout.shape = LETTERED_GRID.name
            for space, (_, cells) in layout.places.items():
                layout.places[space] = LETTERED_GRID.name_space(cells["column"], cells["row"], rows), cells
        return layout

    def list_turns(self) -> list[Step]:
        """Return the four straight directions."""
        return [make_step(*by) for by in STRAIGHT.values()]

    def make_geometry(self, plan: BoardPlan) -> BoardGeometry:
        """Return squares with the names of the columns above them and of the rows to their left.

        Raises `IndexError` if the board has no spaces.
        """
        columns, rows = len(plan.tiles[0]), len(plan.tiles)
        places = {
            tile: (MARGIN + TILE * (across + 0.5), MARGIN + TILE * (down + 0.5))
            for down, row in enumerate(plan.tiles)
            for across, tile in enumerate(row)
        }
        above = [(MARGIN + TILE * (at + 0.5), MARGIN - 8.0, self.name_column(at + 1)) for at in range(columns)]
        left = [(MARGIN / 2, MARGIN + TILE * (at + 0.5) + 4, self.name_row(at + 1, rows)) for at in range(rows)]
        width, height = MARGIN + TILE * columns + 2, MARGIN + TILE * rows + 2
        return BoardGeometry(width, height, places, SQUARE, (*above, *left), ())

    def draw_text(self, plan: BoardPlan, cells: TextCells) -> list[str]:
        """Return the lines of the squares, with lines between them and the names of columns and rows.

        No line is between two squares of the same piece. Raises `IndexError` if the board has no spaces.
        """
        rule, gap = "-" * cells.size, " " * cells.size
        edge = "   +" + (rule + "+") * len(plan.tiles[0])
        columns = (self.name_column(plan.spots[tile][0]) for tile in plan.tiles[0])
        lines = ["    " + " ".join(f"{name:^{cells.size}}" for name in columns), edge]
        for number, row in enumerate(plan.tiles):
            ends = [" " if cells.joins(*pair) else "|" for pair in pairwise(row)]
            cells_text = "".join(cells.draw(tile) + end for tile, end in zip(row, [*ends, "|"], strict=True))
            lines.append(f"{self.name_row(plan.spots[row[0]][1], len(plan.tiles)):>2} |{cells_text}")
            below = plan.tiles[number + 1] if number + 1 < len(plan.tiles) else ()
            joints = [(gap if cells.joins(*pair) else rule) + "+" for pair in zip(row, below, strict=False)]
            lines.append("   +" + "".join(joints) if joints else edge)
        return lines


class LetteredGridShape(GridShape):
    """Squares with letters for the columns, and with rows that are counted from the bottom."""

    name = "lettered"
    order = 15
    schema = None

    def name_column(self, column: int) -> str:
        """Return the letters of a column, as in a spreadsheet: `a`, `z`, `aa`."""
        return write_letters(column)

    def name_row(self, row: int, rows: int) -> str:
        """Return the number of a row, counted from the bottom."""
        return str(rows + 1 - row)

    def name_space(self, column: int, row: int, rows: int) -> str:
        """Return the letters of the column and the number of the row."""
        return self.name_column(column) + self.name_row(row, rows)


GRID = GridShape()
LETTERED_GRID = LetteredGridShape()
