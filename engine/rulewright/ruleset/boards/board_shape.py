"""Board shapes: the interface of one, and the registry that loads them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from rulewright.base.lazy import compute_once
from rulewright.base.plugins import PluginFolder
from rulewright.language.declarations import Table
from rulewright.language.schema_shapes import Record
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.boards.board_layout import BoardLayout, Step, check_layout
from rulewright.ruleset.boards.geometry import MARGIN, SQUARE, TILE, BoardGeometry, Spot
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.internal_failures import attempt_plugin
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node

FOLDER = PluginFolder("rulewright.ruleset.boards.shapes", "the board shape")

GRID = "grid"
"""The shape of a board whose table lists its own columns and rows."""

Words = tuple[float, float, str]
"""A label in a picture: x and y of its centre, and the text."""


class SizeWords(Protocol):
    """The translation of a text of a shape into the language of a book."""

    def __call__(self, text: str, /, **values: object) -> str:
        """Return the translation of an English text with its `%(name)s` filled in."""


class TextCells(Protocol):
    """The contents of the spaces of a board in a terminal."""

    size: int

    def draw(self, space: str, size: int | None = None) -> str:
        """Return the content of a space, padded to `size` columns of the terminal (default: its own size)."""

    def joins(self, one: str, other: str) -> bool:
        """Return whether a piece of several spaces lies on both spaces, so that no line is between them."""

    def measure(self) -> int:
        """Return the number of terminal columns that the widest content takes."""


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board without its pieces.

    `tiles` are the spaces row by row, `titles` their titles, `spots` the column and row of each and by how many half
    tiles its row is indented. `links` are the pairs of spaces that a line connects.
    """

    table: str
    shape: BoardShape
    tiles: tuple[tuple[str, ...], ...]
    titles: Mapping[str, str]
    spots: Mapping[str, tuple[int, int, int]]
    links: tuple[tuple[str, str], ...]

    def describe_size(self, language: str = "en") -> str:
        """Return the size of the board in words, in the language with this tag as far as its shape has the words."""
        words = self.shape.translations.get(language, {})

        def translate(text: str, /, **values: object) -> str:
            return words.get(text, text) % values

        return self.shape.describe_size(self, translate)

    @property
    def geometry(self) -> BoardGeometry:
        """The picture of the board."""
        return self.shape.make_geometry(self)


@dataclass(frozen=True, slots=True)
class PageStyle:
    """How the Play page draws the spaces of a board.

    `checkered` draws every other tile darker, and `seeds` shows the number on a space as seeds. A single piece leaves
    `inset` of its tile free. Pieces are drawn `shift` below the centre of their space.
    """

    checkered: bool = False
    seeds: bool = False
    inset: int = 10
    shift: int = 0


class BoardShape(ABC):
    """A shape of a board. All code that reads, shows or prints a board asks its shape and knows no shape by name.

    A subclass sets `name` and `noun`, and overrides what differs from a board of squares. With a `schema`, the key
    `name` in a table declares a board of this shape, and `lay_out` computes its spaces. Without one, another shape
    declares it as a variant of its own.
    """

    name: str
    """The name of the shape in views, and in the styles of the Play page."""

    order: int
    """The sort key of the shape in the reference."""

    noun: str
    """The noun for its spaces, in the plural."""

    singular = "space"
    """The noun for one space."""

    translations: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Its nouns and the texts of `describe_size` in other languages: by language tag, the translations by English text.

    A text without a translation is printed in English.
    """

    schema: Record | None = None
    """The schema of the keys below `name:` in a table; None if the shape is a variant of another one."""

    has_listed_spaces = False
    """Whether the table lists the spaces as its rows; otherwise the shape generates them."""

    lists_positions = False
    """Whether a list of spaces shows the generated title behind one of the rules, such as `Corner [1, 1]`."""

    has_links = False
    """Whether pictures connect neighbours with lines."""

    is_rectangular = False
    """Whether the size of a board without gaps is described by its numbers of columns and rows."""

    is_croppable = False
    """Whether a picture can be cropped to some of the columns and rows."""

    corners: tuple[Spot, ...] = SQUARE
    """The corners of a space in a picture, relative to its centre; empty for a circle."""

    head = 0
    """The height of the label at the upper edge of a space, which pieces do not cover."""

    page_style = PageStyle()
    """How the Play page draws the spaces and their pieces."""

    foot = 0.6
    """The distance from the centre of the lowest space to the edge of the picture, in tiles."""

    coordinates: Spot | None = None
    """The distance from the label with column and row to the centre of a space on printed sheets; None for no label."""

    @abstractmethod
    def lay_out(self, node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
        """Return the spaces of a board. `node` is the mapping below the key of the shape, which `table` has.

        An impossible board is reported and has no spaces.
        """

    def describe_size(self, plan: BoardPlan, translate: SizeWords) -> str:
        """Return the size of a board in words: columns × rows of a whole rectangle, or else the number of spaces.

        `translate` takes the texts that `translations` has.
        """
        columns, rows = len(plan.tiles[0]), len(plan.tiles)
        noun = translate(self.noun)
        if self.is_rectangular and columns * rows == len(plan.spots):
            return f"{columns} × {rows} {noun}"
        return f"1 {translate(self.singular)}" if len(plan.spots) == 1 else f"{len(plan.spots)} {noun}"

    def list_turns(self) -> list[Step]:
        """Return the directions clockwise. The second one leads to the right, and half of them are opposite to others.

        Pieces of several spaces are turned from one to the next. Empty if they cannot be placed on the board.
        """
        return []

    def indent(self, row: int) -> int:
        """Return the indent of a row in half tiles."""
        return 0

    def locate(self, column: int, row: int, halves: int) -> Spot:
        """Return the centre of a space in a picture. `halves` is the indent of its row. The origin does not matter."""
        return column * TILE, row * TILE

    def label(self, plan: BoardPlan, places: Mapping[str, Spot]) -> list[Words]:
        """Return the texts of a picture whose spaces have the centres `places`."""
        return []

    def make_geometry(self, plan: BoardPlan) -> BoardGeometry:
        """Return the picture of a board, with lengths in units of which a tile has `TILE`.

        The origin is at the top left. Raises `ValueError` if the board has no spaces.
        """
        spots = {space: self.locate(*spot) for space, spot in plan.spots.items()}
        left, top = min(x for x, _ in spots.values()), min(y for _, y in spots.values())
        edge = MARGIN + TILE * 0.6
        places = {space: (x - left + edge, y - top + edge) for space, (x, y) in spots.items()}
        width = max(x for x, _ in places.values()) + TILE * 0.6 + 8
        height = max(y for _, y in places.values()) + TILE * self.foot + 8
        return BoardGeometry(width, height, places, self.corners, tuple(self.label(plan, places)), plan.links)

    def draw_text(self, plan: BoardPlan, cells: TextCells) -> list[str]:
        """Return the lines of a board in a terminal. By default, a line for each space with its linked neighbours.

        Raises `ValueError` if the board has no spaces.
        """
        longest = max(map(len, plan.titles.values()))
        near: dict[str, list[str]] = {space: [] for space in plan.spots}
        for one, other in plan.links:
            near[one].append(plan.titles[other])
            near[other].append(plan.titles[one])
        return [
            f"    {title:<{longest}} |{cells.draw(space)}| {', '.join(near[space])}".rstrip()
            for space, title in plan.titles.items()
        ]


@compute_once
def load_shapes() -> Mapping[str, BoardShape]:
    """Return every board shape by name, in the order of the reference."""
    # mypy rejects an abstract class as an argument, although this one is never instantiated.
    objects = FOLDER.iterate_objects(BoardShape)  # type: ignore[type-abstract]
    shapes = sorted((shape for _, shape in objects), key=lambda shape: shape.order)
    return {shape.name: shape for shape in shapes}


def find_shape(name: str) -> BoardShape:
    """Return the shape of a table by `Table.shape`. A board that lists its own columns and rows is a grid."""
    return load_shapes()[name or GRID]


def list_shape_keys() -> list[str]:
    """Return the keys that make a table a board."""
    return [name for name, shape in load_shapes().items() if shape.schema is not None]


def find_shape_key(table: Node) -> str:
    """Return the key with which a table declares its board shape, or empty if it is not a board."""
    return next((key for key in list_shape_keys() if isinstance(table, MappingNode) and key in table), "")


def lay_out_board(identity: str, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
    """Return the layout of a table that is a board. `identity` is the id of the table, for reports.

    If the layout is impossible, or the code of the shape fails or returns an invalid layout, reports that and returns a
    layout without spaces. Other columns of the table are ignored.
    """
    key = find_shape_key(table)
    others = [other for other in list_shape_keys() if other in table and other != key]
    if others:
        message = f"a board has one shape, but this one has `{key}` and `{others[0]}`"
        diagnostics.add(
            ruleset_diagnostics.BAD_GRID, message, table.find_key_span(others[0]), suggestion="keep one of them"
        )
        return BoardLayout()
    node = table.get(key)
    if not isinstance(node, MappingNode):
        return BoardLayout()
    shape = load_shapes()[key]

    def lay_out() -> BoardLayout:
        reported = len(diagnostics)
        layout = shape.lay_out(node, table, diagnostics)
        # After an error in the rules, the layout may be incomplete.
        if len(diagnostics) == reported:
            check_layout(layout)
        return layout

    part, file = f"{FOLDER.kind} `{key}`", f"{type(shape).__module__.replace('.', '/')}.py"
    result = attempt_plugin(part, file, f"`{identity}`", table.find_key_span(key), diagnostics, lay_out)
    return result or BoardLayout()


def make_plan(table: Table) -> BoardPlan:
    """Return the board that a table is, with its tiles in rows, from top to bottom and left to right.

    Each link occurs once, and only if the shape has links. The table must be a board: its rows need the cells `column`,
    `row` and `neighbours`. Raises `KeyError` if one lacks them.
    """
    shape = find_shape(table.shape)
    rows = table.rows.values()
    spots = {each.id: (each.cells["column"], each.cells["row"], shape.indent(each.cells["row"])) for each in rows}
    pairs = {tuple(sorted((each.id, other))) for each in rows for other in each.cells["neighbours"]}
    links = tuple(sorted((one, other) for one, other in pairs)) if shape.has_links else ()
    return BoardPlan(table.id, shape, _arrange_tiles(table), {each.id: each.title for each in rows}, spots, links)


def _arrange_tiles(table: Table) -> tuple[tuple[str, ...], ...]:
    rows: dict[int, dict[int, str]] = {}
    for tile in table.rows.values():
        rows.setdefault(tile.cells["row"], {})[tile.cells["column"]] = tile.id
    return tuple(tuple(columns[c] for c in sorted(columns)) for _, columns in sorted(rows.items()))
