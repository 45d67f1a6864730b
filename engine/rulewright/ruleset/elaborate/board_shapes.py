"""Lay out boards: compute the spaces of each board shape and the connections between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, cos, pi, sin
from typing import Any

from rulewright.language.types import INTEGER, ListOf, Optional, Row, Type
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, make_title, read_text
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar

MOST_TILES = 2_500

OWN = ("column", "row", "neighbours")
"""The columns of every board: the position of a space, and its neighbours."""


@dataclass(slots=True)
class BoardLayout:
    """The spaces of a board, each with its title and cells, and its named directions.

    `shape` is how the board is drawn. `ways` maps each direction with at most one neighbour to a noun for that
    neighbour; `several` are directions with any number of them.
    """

    shape: str = ""
    ways: Mapping[str, str] = field(default_factory=dict)
    several: tuple[str, ...] = ()
    places: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)

    def list_columns(self, table: str) -> dict[str, Type]:
        """Return the types of the columns that the shape gives the board."""
        place = Row(table)
        found: dict[str, Type] = {"column": INTEGER, "row": INTEGER, "neighbours": ListOf(place)}
        found.update((way, Optional(place)) for way in self.ways)
        found.update((way, ListOf(place)) for way in self.several)
        return found


def find_shape_key(table: Node) -> str:
    """Return the key with which a table declares its board shape; empty if it is not a board."""
    return next((key for key in SHAPES if isinstance(table, MappingNode) and key in table), "")


def lay_out_board(table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
    """Return the layout of a table that is a board. An impossible layout is reported and has no spaces."""
    shape = find_shape_key(table)
    others = [key for key in SHAPES if key in table and key != shape]
    if others:
        message = f"a board has one shape, and this is `{shape}` and `{others[0]}`"
        diagnostics.add(
            ruleset_diagnostics.BAD_GRID, message, table.find_key_span(others[0]), suggestion="keep one of them"
        )
        return BoardLayout()
    node = table.get(shape)
    if not isinstance(node, MappingNode):
        return BoardLayout()
    return SHAPES[shape](node, table, diagnostics)


# -- squares ----------------------------------------------------------------------------------

STRAIGHT = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
"""Offsets by direction, in the order in which neighbours are listed."""

DIAGONAL = {"northeast": (1, -1), "southeast": (1, 1), "southwest": (-1, 1), "northwest": (-1, -1)}


def _grid(node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
    """Return squares, row by row from the top left."""
    columns, rows = (_size(node.get(key), diagnostics) for key in ("columns", "rows"))
    if _too_many(columns * rows, f"{columns:,} × {rows:,} tiles", node, diagnostics):
        return BoardLayout()
    steps = STRAIGHT | (DIAGONAL if _flag(node, "diagonal") else {})
    places = [(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    return _stepped("grid", places, {way: _by(*by) for way, by in steps.items()})


# -- hexagons ---------------------------------------------------------------------------------

HEXAGONAL = {
    "northeast": (1, -1),
    "east": (1, 0),
    "southeast": (0, 1),
    "southwest": (-1, 1),
    "west": (-1, 0),
    "northwest": (0, -1),
}
"""Offsets by direction for pointy-top hexagons, if each row is shifted by half a hexagon to the right."""


def _hexagons(node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
    """Return hexagons, row by row: a given number of columns and rows, or all within a radius of a centre."""
    if "radius" in node:
        for key in ("columns", "rows", "slanted"):
            if key in node:
                message = f"hexagons around one in the middle have a `radius`, and no `{key}`"
                hint = f"leave `{key}` out; or leave the `radius` out, and say `columns` and `rows`"
                diagnostics.add(ruleset_diagnostics.BAD_GRID, message, node.find_key_span(key), suggestion=hint)
                return BoardLayout()
        radius = _size(node.get("radius"), diagnostics)
        across = range(1, 2 * radius + 2)
        if _too_many(3 * radius * (radius + 1) + 1, f"hexagons of radius {radius:,}", node, diagnostics):
            return BoardLayout()
        middle = 2 * (radius + 1)
        inside = [(c, r) for r in across for c in across if abs(c + r - middle) <= radius] if radius else []
        return _stepped("slanted", inside, _slanting())
    columns, rows = (_size(node.get(key), diagnostics) for key in ("columns", "rows"))
    for key in ("columns", "rows"):
        if key not in node:
            message = "hexagons have `columns` and `rows`, or a `radius`"
            hint = f"say how many {key} there are"
            diagnostics.add(ruleset_diagnostics.BAD_GRID, message, table.find_key_span("hexagons"), suggestion=hint)
            return BoardLayout()
    if _too_many(columns * rows, f"{columns:,} × {rows:,} hexagons", node, diagnostics):
        return BoardLayout()
    places = [(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    if _flag(node, "slanted"):
        return _stepped("slanted", places, _slanting())
    return _stepped("hexagons", places, _indented())


_Step = Callable[[int, int], tuple[int, int]]


def _by(right: int, down: int) -> _Step:
    return lambda column, row: (column + right, row + down)


def _slanting() -> dict[str, _Step]:
    return {way: _by(*by) for way, by in HEXAGONAL.items()}


def _indented() -> dict[str, _Step]:
    """Return the steps for a board in which only every second row is shifted by half a hexagon to the right."""

    def by(right: int, down: int) -> _Step:
        return lambda column, row: (column + right - (row - 1) // 2 + (row + down - 1) // 2, row + down)

    return {way: by(*steps) for way, steps in HEXAGONAL.items()}


def _stepped(shape: str, places: list[tuple[int, int]], steps: Mapping[str, _Step]) -> BoardLayout:
    """Return the layout of spaces given by column and row; each direction is a function from a position to the next."""
    known = {place: f"c{place[0]}r{place[1]}" for place in places}
    found = BoardLayout(shape, ways={way: f"neighbour to the {way}" for way in steps})
    for (column, row), identity in known.items():
        ways = {way: known.get(step(column, row)) for way, step in steps.items()}
        near = tuple(place for place in ways.values() if place is not None)
        cells: dict[str, Any] = {"column": column, "row": row, "neighbours": near, **ways}
        found.places[identity] = f"[{column}, {row}]", cells
    return found


# -- tracks -----------------------------------------------------------------------------------

LONGEST_ROW = 12
"""The default number of track spaces per row; a longer track continues backwards in the next row."""


def _track(node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
    """Return the spaces of a track in order; if it is a ring, the last one leads to the first."""
    number = _size(node.get("places"), diagnostics, "a track has at least one place")
    ring = _flag(node, "ring")
    if _too_many(number, f"{number:,} places", node, diagnostics):
        return BoardLayout()
    width = _size(node.get("width"), diagnostics, "a row has at least one place") if "width" in node else LONGEST_ROW
    spots = _around(number) if ring else [_turning(place, width or 1) for place in range(number)]
    found = BoardLayout("track", ways={"ahead": "next place", "back": "place before it"})
    for place, (column, row) in enumerate(spots):
        ahead, back = place + 1, place - 1
        if ring:
            ahead, back = ahead % number, back % number
        ways = {
            way: f"p{other + 1}" if 0 <= other < number and other != place else None
            for way, other in (("ahead", ahead), ("back", back))
        }
        near = tuple(dict.fromkeys(other for other in ways.values() if other is not None))
        cells: dict[str, Any] = {"column": column, "row": row, "neighbours": near, **ways}
        found.places[f"p{place + 1}"] = str(place + 1), cells
    return found


def _turning(place: int, width: int) -> tuple[int, int]:
    row, along = divmod(place, width)
    return (along if row % 2 == 0 else width - 1 - along) + 1, row + 1


def _around(number: int) -> list[tuple[int, int]]:
    """Return the positions of a ring's spaces: along a rectangle's edge, clockwise from the top left."""
    width = max(2, ceil(number / 4) + 1)
    height = max(2, ceil((number + 4 - 2 * width) / 2))
    top = [(column, 1) for column in range(1, width + 1)]
    right = [(width, row) for row in range(2, height + 1)]
    bottom = [(column, height) for column in range(width - 1, 0, -1)]
    left = [(1, row) for row in range(height - 1, 1, -1)]
    return [*top, *right, *bottom, *left][:number]


# -- areas ------------------------------------------------------------------------------------


def _areas(node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
    """Return the spaces listed as rows. Connections go both ways."""
    rows = dict(iterate_entries(table.get("rows")))
    if _too_many(len(rows), f"{len(rows):,} areas", node, diagnostics):
        return BoardLayout()
    names = [read_text(name) for name in list_items(node.get("ways"))]
    clash = next((name for name in list_items(node.get("ways")) if read_text(name) in OWN), None)
    if clash is not None:
        message = f"every place has `{read_text(clash)}` already"
        diagnostics.add(ruleset_diagnostics.BAD_GRID, message, clash.span, suggestion="call the way otherwise")
        return BoardLayout()
    ways = {way: _both_ways(way, rows, diagnostics) for way in (*names, "neighbours")}
    found = BoardLayout("areas", several=tuple(names))
    spots = _circle(len(rows))
    for (identity, entry), spot in zip(rows.items(), spots, strict=True):
        row = entry.value if isinstance(entry.value, MappingNode) else None
        own = [_whole_number(row.get(key)) if row is not None else None for key in ("column", "row")]
        near = tuple(dict.fromkeys(place for way in ways.values() for place in way[identity]))
        cells: dict[str, Any] = {"column": own[0] or spot[0], "row": own[1] or spot[1], "neighbours": near}
        cells.update((way, tuple(ways[way][identity])) for way in names)
        found.places[identity] = make_title(identity), cells
    return found


def _both_ways(way: str, rows: Mapping[str, Any], diagnostics: Diagnostics) -> dict[str, dict[str, None]]:
    found: dict[str, dict[str, None]] = {identity: {} for identity in rows}
    for identity, entry in rows.items():
        row = entry.value
        for node in list_items(row.get(way)) if isinstance(row, MappingNode) else ():
            other = read_text(node)
            if other not in found:
                message = f"`{way}` of `{identity}` leads to `{other}`, which is no place of this board"
                diagnostics.add(
                    ruleset_diagnostics.BAD_GRID, message, node.span, suggestion=suggest_name(other, list(rows))
                )
            elif other == identity:
                message = f"`{way}` of `{identity}` leads to `{identity}` itself"
                diagnostics.add(ruleset_diagnostics.BAD_GRID, message, node.span, suggestion="leave it out")
            else:
                found[identity][other] = None
                found[other][identity] = None
    return found


def _circle(number: int) -> Iterator[tuple[int, int]]:
    """Yield positions for areas that give none: on a circle, clockwise from the top."""
    radius = max(2, ceil(number / 3))
    for place in range(number):
        angle = 2 * pi * place / max(1, number)
        yield 1 + radius + round(radius * sin(angle)), 1 + radius - round(radius * cos(angle))


# -- reading ----------------------------------------------------------------------------------


def _whole_number(node: Node | None) -> int | None:
    return node.value if isinstance(node, Scalar) and type(node.value) is int else None


def _flag(node: MappingNode, key: str) -> bool:
    flag = node.get(key)
    return isinstance(flag, Scalar) and flag.value is True


def _size(
    node: Node | None, diagnostics: Diagnostics, least: str = "a board has at least one column and one row"
) -> int:
    number = _whole_number(node)
    if number is not None and number >= 1:
        return number
    if node is not None:
        diagnostics.add(ruleset_diagnostics.BAD_GRID, least, node.span, suggestion="write a whole number from 1 on")
    return 0


def _too_many(number: int, said: str, node: MappingNode, diagnostics: Diagnostics) -> bool:
    if number <= MOST_TILES:
        return False
    # If an upper layer changed a size of an inherited board, that is the cause.
    sizes = [entry.value.span for entry in node.entries.values() if _whole_number(entry.value) is not None]
    own = [size for size in sizes if size.file != node.span.file]
    message = f"{said} are more than the {MOST_TILES:,} a board may have"
    diagnostics.add(ruleset_diagnostics.BAD_GRID, message, own[-1] if own else node.span, suggestion="make it smaller")
    return True


SHAPES: Mapping[str, Callable[[MappingNode, MappingNode, Diagnostics], BoardLayout]] = {
    "grid": _grid,
    "hexagons": _hexagons,
    "track": _track,
    "areas": _areas,
}
"""The functions that lay out each board shape, by the key that declares it."""
