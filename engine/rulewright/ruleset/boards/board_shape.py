"""Board shapes: the interface of one, and the registry that loads them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Any, ClassVar, Protocol, TypeVar

from rulewright.base.errors import RulewrightError
from rulewright.base.lazy import compute_once
from rulewright.base.plugins import Failure, PluginError, PluginFolder, attempt
from rulewright.language.declarations import Table
from rulewright.language.schema_shapes import Record
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.boards.board_layout import BoardLayout, Step, check_layout
from rulewright.ruleset.boards.geometry import MARGIN, SQUARE, TILE, BoardGeometry, Spot
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.internal_failures import PART_FAILED, attempt_plugin
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node

FOLDER = PluginFolder("rulewright.ruleset.boards.shapes", "the board shape")

GRID = "grid"
"""The shape of a board whose table lists its own columns and rows."""

T = TypeVar("T")

TABLE_KEYS = frozenset(
    (
        *("title", "about", "internal", "roll", "columns", "headings", "names", "every", "placements"),
        *("any_order", "row_title", "rows"),
    )
)
"""The keys of a table that declare no board, so that no shape can have their names."""

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
        """Return the size of the board in words, in the language with this tag as far as its shape has the words.

        Raises `RulewrightError` with the name and the file of the shape if its code fails, as all methods do.
        """
        words = self.shape.translations.get(language, {})

        def translate(text: str, /, **values: object) -> str:
            return words.get(text, text) % values

        return self._call_shape(lambda: _expect(str, self.shape.describe_size(self, translate), "describe_size"))

    @property
    def geometry(self) -> BoardGeometry:
        """The picture of the board."""
        return self._call_shape(self._make_geometry)

    def draw_text(self, cells: TextCells) -> list[str]:
        """Return the lines of the board in a terminal."""
        return self._call_shape(lambda: _expect(list, self.shape.draw_text(self, cells), "draw_text"))

    def check_pictures(self) -> None:
        """Draw the board without pieces. Raises `RulewrightError` if its shape cannot do that."""
        self.describe_size()
        self.draw_text(EmptyCells())
        _ = self.geometry

    def _make_geometry(self) -> BoardGeometry:
        """Return the picture of the board. Raises `TypeError` or `ValueError` if the shape returns anything else."""
        geometry = _expect(BoardGeometry, self.shape.make_geometry(self), "make_geometry")
        lacking = next((space for space in self.spots if space not in geometry.places), None)
        if lacking is not None:
            raise ValueError(f"the picture of `make_geometry` lacks the space `{lacking}`")
        numbers = (geometry.width, geometry.height, *(number for spot in geometry.places.values() for number in spot))
        if not all(map(isfinite, numbers)) or min(geometry.width, geometry.height) <= 0:
            raise ValueError("`make_geometry` must return lengths above 0 and finite positions")
        return geometry

    def _call_shape(self, work: Callable[[], T]) -> T:
        """Run code of the shape. If it fails, raise `RulewrightError` with the shape, its file and the board."""
        failures: list[Failure] = []
        part = f"{FOLDER.kind} `{self.shape.name}` ({find_shape_file(self.shape)})"
        result = attempt(part, f"`{self.table}`", work, failures.append)
        for failure in failures:
            raise RulewrightError(str(failure)) from failure.error
        assert result is not None
        return result


class EmptyCells:
    """The cells of a board without pieces."""

    size = 1

    def draw(self, space: str, size: int | None = None) -> str:
        """Return blanks."""
        return " " * (size or self.size)

    def joins(self, one: str, other: str) -> bool:
        """Return False."""
        return False

    def measure(self) -> int:
        """Return 0."""
        return 0


def _expect(kind: type[T], result: object, hook: str) -> T:
    """Return what a method of a shape returned. Raises `TypeError` if it is of another type."""
    if not isinstance(result, kind):
        raise TypeError(f"`{hook}` must return a {kind.__name__}, not {result!r}")
    return result


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

    A text without a translation is printed in English. The shapes of the project need their nouns in German.
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

    def name_column(self, column: int) -> str:
        """Return the label of a column, which is counted from 1."""
        return str(column)

    def name_row(self, row: int, rows: int) -> str:
        """Return the label of a row of a board with this number of rows. It is counted from 1 at the top."""
        return str(row)

    def name_space(self, column: int, row: int, rows: int) -> str:
        """Return the text on a space on printed sheets, on a board with this number of rows."""
        return f"{column}, {row}"

    def locate(self, column: int, row: int, halves: int) -> Spot:
        """Return the centre of a space in a picture. `halves` is the indent of its row. The origin does not matter."""
        return column * TILE, row * TILE

    def label(self, plan: BoardPlan, places: Mapping[str, Spot]) -> list[Words]:
        """Return the texts of a picture whose spaces have the centres `places`."""
        return []

    def make_geometry(self, plan: BoardPlan) -> BoardGeometry:
        """Return the picture of a board. A tile is `TILE` units wide.

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
    """Return every board shape by name, in the order of the reference.

    A shape with an unsuitable attribute is reported on stderr and left out.
    """
    shapes: dict[str, BoardShape] = {}
    # mypy rejects an abstract class as an argument, although this one is never instantiated.
    for module, shape in FOLDER.iterate_objects(BoardShape):  # type: ignore[type-abstract]
        # A module may import the shape of another one.
        if shape not in shapes.values() and FOLDER.check(module, partial(_check_shape, shape, shapes)):
            shapes[shape.name] = shape
    return dict(sorted(shapes.items(), key=lambda item: item[1].order))


def _check_shape(shape: BoardShape, others: Mapping[str, BoardShape]) -> bool:
    """Return True if the attributes of a shape are suitable. Raises `PluginError` with its file otherwise.

    `others` are the shapes loaded so far, whose names are taken.
    """
    file = find_shape_file(shape)
    expected: dict[str, type] = {"name": str, "order": int, "noun": str, "singular": str, "translations": Mapping}
    expected |= {} if shape.schema is None else {"schema": Record}
    for attribute, kind in expected.items():
        value: Any = getattr(shape, attribute, None)
        if not isinstance(value, kind):
            raise PluginError(f"{file}: `{attribute}` must be of the type {kind.__name__}, not {value!r}")
    if not re.fullmatch("[a-z][a-z0-9_]*", shape.name) or shape.name in TABLE_KEYS:
        why = "is a key of every table" if shape.name in TABLE_KEYS else "is not an id"
        raise PluginError(f"{file}: choose another `name`, because `{shape.name}` {why}")
    if shape.name in others:
        other = find_shape_file(others[shape.name])
        raise PluginError(f"{file}: choose another `name`, because `{shape.name}` is declared in {other}")
    return True


def find_shape_file(shape: BoardShape) -> str:
    """Return the file of a shape, as messages name it."""
    return f"{type(shape).__module__.replace('.', '/')}.py"


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

    reported, span = len(diagnostics), table.find_key_span(key)

    def lay_out() -> tuple[BoardLayout, BoardPlan | None]:
        layout = shape.lay_out(node, table, diagnostics)
        # After an error in the rules, the layout may be incomplete.
        if len(diagnostics) > reported:
            return layout, None
        check_layout(layout)
        if layout.shape not in ("", *load_shapes()):
            raise ValueError(f"there is no shape `{layout.shape}` to draw the board as")
        drawn = find_shape(layout.shape or key)
        _expect(list, drawn.list_turns(), "list_turns")
        return layout, _build_plan(identity, drawn, layout.places) if layout.places else None

    part, file = f"{FOLDER.kind} `{key}`", find_shape_file(shape)
    layout, plan = attempt_plugin(part, file, f"`{identity}`", span, diagnostics, lay_out) or (BoardLayout(), None)
    if plan is not None:
        # A shape that cannot draw a board is reported here, and not only by the book or in a game.
        try:
            plan.check_pictures()
        except RulewrightError as error:
            diagnostics.add(PART_FAILED, str(error), span)
            return BoardLayout()
    return layout


def make_plan(table: Table, titles: Mapping[str, str] | None = None) -> BoardPlan:
    """Return the board that a table is, with its tiles in rows, from top to bottom and left to right.

    `titles` are the titles of the spaces for readers. Without them, those in the rules are used as written, with their
    placeholders. Each link occurs once, and only if the shape has links. The table must be a board: its rows need the
    cells `column`, `row` and `neighbours`. Raises `KeyError` if one lacks them.
    """
    spaces = {row.id: (row.title if titles is None else titles[row.id], row.cells) for row in table.rows.values()}
    return _build_plan(table.id, find_shape(table.shape), spaces)


def _build_plan(table: str, shape: BoardShape, spaces: Mapping[str, tuple[str, Mapping[str, Any]]]) -> BoardPlan:
    """Return the board `table` with these spaces, given by id with their titles and cells."""
    indents = {row: shape.indent(row) for row in sorted({cells["row"] for _, cells in spaces.values()})}
    spots = {space: (cells["column"], cells["row"], indents[cells["row"]]) for space, (_, cells) in spaces.items()}
    pairs = {tuple(sorted((space, other))) for space, (_, cells) in spaces.items() for other in cells["neighbours"]}
    links = tuple(sorted((one, other) for one, other in pairs)) if shape.has_links else ()
    rows: dict[int, dict[int, str]] = {row: {} for row in indents}
    for space, (column, row, _) in spots.items():
        rows[row][column] = space
    tiles = tuple(tuple(space for _, space in sorted(columns.items())) for columns in rows.values())
    return BoardPlan(table, shape, tiles, {space: title for space, (title, _) in spaces.items()}, spots, links)
