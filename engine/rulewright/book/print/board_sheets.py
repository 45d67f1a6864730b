"""The boards of a game to print on several sheets, which overlap and are glued together.

A board is as large as the fewest sheets of A4 or Letter make it whose tiles have room for pieces. Nothing is drawn
that the book does not draw of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, floor

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.example_maps import LegendView, build_printed_legend, draw_empty_board
from rulewright.book.parts.table_views import list_printed_boards
from rulewright.book.parts.template_loader import render
from rulewright.book.style.content_security import FILES
from rulewright.book.style.rule_locations import build_anchor
from rulewright.book.style.text_style import translate_number
from rulewright.engine.boards.board_svg import draw_form
from rulewright.language.declarations import Table
from rulewright.ruleset.boards.board_layout import write_letters
from rulewright.ruleset.boards.board_shape import BoardPlan, make_plan
from rulewright.ruleset.boards.geometry import TILE, BoardGeometry, Spot

WIDTH, HEIGHT = 186.0, 244.0
"""The size of a sheet's part of a board in millimetres, which fits on A4 and Letter with margins, text and marks."""

OVERLAP = 8.0
"""The overlap of neighbouring sheets in millimetres, for the glue."""

SMALLEST, LARGEST = 28.0, 60.0
"""The minimum and maximum side length of a tile in millimetres."""

FEW_SHEETS = 12
"""The number of sheets up to which a board is printed with its blank sheets, which carry the lines between spaces."""

LETTER = 10.0
"""The width of a letter of a label, in units of the drawing."""

EDGE = 2.0
"""The margin around the drawing in millimetres, for the marks."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The division of a board: sheets across and down, and the millimetres per unit of its drawing."""

    across: int
    down: int
    scale: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet with its name, part of the drawing (left, top, width, height), size on paper, and neighbours.

    `right` and `below` are the names of the sheets glued to its edges, or empty.
    """

    name: str
    column: int
    row: int
    view: str
    width: float
    height: float
    right: str
    below: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board in sheets. `places` are the texts on its spaces, by left and top, and `legend` explains its marks.

    `pieces` are the titles and drawings of pieces of several spaces.
    """

    id: str
    title: str
    drawing: str
    width: float
    height: float
    tile: str
    cut: Cut
    places: tuple[tuple[float, float, str], ...]
    sheets: tuple[Sheet, ...]
    legend: tuple[LegendView, ...]
    pieces: tuple[tuple[str, str], ...]


def render_board_page(writer: PageWriter) -> str:
    """Return every board of the game as one HTML file. The rules have at least one."""
    ruleset = writer.ruleset
    return render(
        "board.html.j2",
        writer.language,
        policy=FILES,
        assets=writer.assets,
        title=writer.html.escape(ruleset.title),
        version=ruleset.version,
        boards=[_board(writer, table) for table in list_printed_boards(ruleset)],
        overlap=OVERLAP,
        edge=EDGE,
    )


def _board(writer: PageWriter, table: Table) -> BoardView:
    """Return the view of a board, with the sheets on which it is printed."""
    board = make_plan(table)
    geometry = board.geometry
    width, height = geometry.width, geometry.height
    cut = choose_cut(width, height)
    return BoardView(
        build_anchor(f"tables.{table.id}"),
        writer.escaped(table.title),
        draw_empty_board(table, writer.plain),
        width,
        height,
        translate_number(f"{cut.scale * TILE / 10:.1f}", writer.language),
        cut,
        tuple(_coordinates(board, geometry.places)),
        tuple(list_sheets(geometry, cut)),
        build_printed_legend(table, writer.html),
        tuple(_draw_pieces(writer, board, cut.scale)),
    )


def _draw_pieces(writer: PageWriter, board: BoardPlan, scale: float) -> Iterator[tuple[str, str]]:
    """Yield the title and the drawing of each piece of several spaces, as large as on the printed board."""
    tables = writer.ruleset.declarations.tables
    every = [table.placements for table in tables.values() if table.placements is not None]
    for of, form in dict.fromkeys((each.of, each.form) for each in every if each.on == board.table):
        for row in tables[of].rows.values():
            if row.cells[form]:
                yield writer.escaped(row.title), draw_form(row.cells[form], board.shape, scale=scale, unit="mm")


def choose_cut(width: float, height: float) -> Cut:
    """Return the division of a drawing into the fewest sheets on which its tiles are large enough.

    Tiles are as large as these sheets allow, up to `LARGEST`. `width` and `height` are in the units of the drawing.
    """
    across, down = _count_sheets(width, WIDTH), _count_sheets(height, HEIGHT)
    scales = (LARGEST / TILE, _measure_sheets(across, WIDTH) / width, _measure_sheets(down, HEIGHT) / height)
    return Cut(across, down, min(scales))


def _count_sheets(length: float, each: float) -> int:
    """Return the fewest sheets in one direction on which a tile has at least the side length `SMALLEST`."""
    return max(1, ceil((length * SMALLEST / TILE - OVERLAP) / (each - OVERLAP)))


def _measure_sheets(sheets: int, each: float) -> float:
    """Return the length in millimetres that a number of sheets cover in one direction."""
    return sheets * (each - OVERLAP) + OVERLAP


def list_sheets(geometry: BoardGeometry, cut: Cut) -> Iterator[Sheet]:
    """Yield the sheets of a drawing, row by row, each with the names of the sheets to its right and below it.

    If there are more sheets than spaces, those without a space or a label are left out.
    """
    net_across, net_down = WIDTH - OVERLAP, HEIGHT - OVERLAP
    is_sparse = cut.across * cut.down > max(FEW_SHEETS, len(geometry.places))
    every = ((row, column) for row in range(cut.down) for column in range(cut.across))
    used = dict.fromkeys(sorted(_find_used(geometry, cut)) if is_sparse else every)
    for row, column in used:
        left, top = column * net_across, row * net_down
        wide, high = min(WIDTH, geometry.width * cut.scale - left), min(HEIGHT, geometry.height * cut.scale - top)
        view = " ".join(f"{value / cut.scale:.2f}" for value in (left, top, wide, high))
        right = _name(column + 1, row) if (row, column + 1) in used else ""
        below = _name(column, row + 1) if (row + 1, column) in used else ""
        yield Sheet(_name(column, row), column, row, view, round(wide, 2), round(high, 2), right, below)


def _find_used(geometry: BoardGeometry, cut: Cut) -> set[tuple[int, int]]:
    """Return the row and column of each sheet with a part of a space or of a label."""
    spaces = [(x, y, TILE / 2, TILE / 2) for x, y in geometry.places.values()]
    labels = [(x, y, len(text) * LETTER / 2, LETTER) for x, y, text in geometry.words]
    return {
        (row, column)
        for x, y, half_width, half_height in (*spaces, *labels)
        for row in _list_covered(y - half_height, y + half_height, cut.scale, HEIGHT, cut.down)
        for column in _list_covered(x - half_width, x + half_width, cut.scale, WIDTH, cut.across)
    }


def _list_covered(start: float, end: float, scale: float, each: float, sheets: int) -> range:
    """Return the sheets in one direction, counted from 0, that show a part of the drawing from `start` to `end`."""
    net = each - OVERLAP
    first, last = ceil((start * scale - each) / net), floor(end * scale / net)
    return range(max(0, first), min(sheets - 1, last) + 1)


def _name(column: int, row: int) -> str:
    """Return the name of a sheet, like that of a cell in a spreadsheet: `A1`, `Z1`, `AA1`."""
    return f"{write_letters(column + 1).upper()}{row + 1}"


def _coordinates(board: BoardPlan, places: Mapping[str, Spot]) -> Iterator[tuple[float, float, str]]:
    """Yield for each space the position of its label and the label, if the shape has labels."""
    if board.shape.coordinates is None:
        return
    left, up = board.shape.coordinates
    for place, (x, y) in places.items():
        column, row, _ = board.spots[place]
        yield round(x - left, 1), round(y - up, 1), board.shape.name_space(column, row, len(board.tiles))
