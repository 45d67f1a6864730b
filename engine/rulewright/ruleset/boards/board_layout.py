"""The spaces of a board and the connections between them, as a board shape computes them from YAML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import Any

from rulewright.language.schema_shapes import Leaf, Member, optional
from rulewright.language.types import INTEGER, ListOf, MapOf, Optional, Row, Type
from rulewright.ruleset import ruleset_diagnostics
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar

MAX_TILES = 10_000
"""The maximum number of spaces of a board, and of the columns and the rows from its first space to its last."""

TOWARD = "toward"
"""The column with the neighbour of a space for each row of a table of directions."""

OWN = ("column", "row", "neighbours", TOWARD)
"""The columns that any board can have: the position of a space, its neighbours, and these by direction."""

DIRECTIONS_KEY: Mapping[str, Member] = {
    "directions": optional(
        Leaf(
            "A table whose rows are directions of the board, such as `north`. Every space then has `toward`, a map "
            "from them to the next space or none.",
            format="reference",
        )
    )
}
"""The key of every shape with named directions."""


@dataclass(slots=True)
class BoardLayout:
    """The spaces of a board, each with its title and cells, and its named directions.

    `shape` is how the board is drawn. `ways` maps each direction with at most one neighbour to a noun for that
    neighbour. `several` are directions with any number of them. `directions` is the table of directions, if any.
    """

    shape: str = ""
    ways: Mapping[str, str] = field(default_factory=dict)
    several: tuple[str, ...] = ()
    places: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    directions: str = ""

    def list_columns(self, table: str) -> dict[str, Type]:
        """Return the types of the columns that the shape gives the board, by name.

        `table` is the id of the board's table.
        """
        place = Row(table)
        columns: dict[str, Type] = {"column": INTEGER, "row": INTEGER, "neighbours": ListOf(place)}
        columns.update((way, Optional(place)) for way in self.ways)
        columns.update((way, ListOf(place)) for way in self.several)
        if self.directions:
            columns[TOWARD] = MapOf(self.directions, Optional(place))
        return columns


def check_layout(layout: BoardLayout) -> None:
    """Check the layout that a board shape returns. Raises `TypeError` or `ValueError` for a mistake of the shape.

    Every space needs a title, a column and a row of its own, and a cell for each direction. The cells for directions
    may only contain ids of spaces, also of the space itself. Spaces may have other cells, and directions may lead one
    way.
    """
    if not isinstance(layout, BoardLayout):
        raise TypeError(f"`lay_out` must return a BoardLayout, not {type(layout).__name__}")
    known: dict[tuple[int, int], str] = {}
    for space, (title, cells) in layout.places.items():
        if not isinstance(title, str):
            raise TypeError(f"the title of `{space}` must be a text, not {title!r}")
        lacking = [column for column in layout.list_columns("") if column != TOWARD and column not in cells]
        if lacking:
            raise ValueError(f"the space `{space}` has no cell `{lacking[0]}`")
        spot = cells["column"], cells["row"]
        if not all(type(number) is int for number in spot):
            raise TypeError(f"the column and the row of `{space}` must be integers, not {spot}")
        if known.setdefault(spot, space) != space:
            raise ValueError(f"`{known[spot]}` and `{space}` have the same column and row, {spot}")
        for way in layout.ways:
            if not (cells[way] is None or _is_space(cells[way], layout)):
                raise ValueError(f"`{way}` of `{space}` must be the id of a space or None, not {cells[way]!r}")
        for way in ("neighbours", *layout.several):
            if not (isinstance(cells[way], tuple) and all(_is_space(each, layout) for each in cells[way])):
                raise ValueError(f"`{way}` of `{space}` must be a tuple of ids of spaces, not {cells[way]!r}")
    for axis, places in zip(("columns", "rows"), zip(*known, strict=True), strict=False):
        if max(places) - min(places) >= MAX_TILES:
            raise ValueError(f"the spaces are in more than {MAX_TILES:,} {axis}, from {min(places)} to {max(places)}")


def _is_space(value: object, layout: BoardLayout) -> bool:
    return isinstance(value, str) and value in layout.places


Step = Callable[[int, int], tuple[int, int]]
"""A direction: a function from the column and row of a space to those of its neighbour."""


def make_step(right: int, down: int) -> Step:
    """Return the direction that moves this many columns to the right and rows down."""
    return lambda column, row: (column + right, row + down)


def lay_out_steps(shape: str, places: list[tuple[int, int]], steps: Mapping[str, Step]) -> BoardLayout:
    """Return the layout of spaces given by column and row, with ids such as `c1r2` and titles such as `[1, 2]`.

    Each direction in `steps` is a function from a column and row to the next position. A position without a space
    becomes None. Neighbours are the spaces in all directions, in the order of `steps`.
    """
    known = {place: f"c{place[0]}r{place[1]}" for place in places}
    out_steps = BoardLayout(shape, ways={way: f"neighbour to the {way}" for way in steps})
    for (column, row), identity in known.items():
        ways = {way: known.get(step(column, row)) for way, step in steps.items()}
        near = tuple(place for place in ways.values() if place is not None)
        cells: dict[str, Any] = {"column": column, "row": row, "neighbours": near, **ways}
        out_steps.places[identity] = f"[{column}, {row}]", cells
    return out_steps


def write_letters(number: int) -> str:
    """Return a number of at least 1 in letters, as the columns of a spreadsheet are named: `a`, `z`, `aa`."""
    letters = ""
    while number > 0:
        number, letter = divmod(number - 1, len(ascii_lowercase))
        letters = ascii_lowercase[letter] + letters
    return letters


def read_whole_number(node: Node | None) -> int | None:
    """Return the integer that a node is, or None if it is anything else."""
    return node.value if isinstance(node, Scalar) and type(node.value) is int else None


def read_flag(node: MappingNode, key: str) -> bool:
    """Return whether a key of the mapping is `true`."""
    flag = node.get(key)
    return isinstance(flag, Scalar) and flag.value is True


def read_size(
    node: Node | None,
    diagnostics: Diagnostics,
    reason: str = "a board needs at least one column and one row",
    *,
    minimum: int = 1,
) -> int:
    """Return an integer of at least `minimum`. Report any other value with `reason`, and return 0.

    Also 0, without a report, if `node` is None.
    """
    number = read_whole_number(node)
    if number is not None and number >= minimum:
        return number
    if node is not None:
        hint = f"write a whole number of at least {minimum}"
        diagnostics.add(ruleset_diagnostics.BAD_GRID, reason, node.span, suggestion=hint)
    return 0


def refuse_large_board(number: int, size: str, node: MappingNode, diagnostics: Diagnostics) -> bool:
    """Return whether a board has more than `MAX_TILES` spaces, and report it in that case.

    `number` is the number of spaces, `size` the same in words for the message, and `node` the mapping with the sizes.
    """
    if number <= MAX_TILES:
        return False
    # If an upper layer changed one of the sizes, point to that size, because it made the inherited board too large.
    sizes = [entry.value.span for entry in node.entries.values() if read_whole_number(entry.value) is not None]
    own = [span for span in sizes if span.file != node.span.file]
    message = f"{size} exceed the limit of {MAX_TILES:,} for a board"
    diagnostics.add(ruleset_diagnostics.BAD_GRID, message, own[-1] if own else node.span, suggestion="make it smaller")
    return True
