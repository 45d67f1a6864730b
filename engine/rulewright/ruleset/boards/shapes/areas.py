"""Boards of areas that the rules list, with the connections between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, cos, pi, sin
from typing import Any

from rulewright.language.schema_shapes import Leaf, ListOf, Record, optional
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.boards.board_layout import (
    MAX_TILES,
    OWN,
    BoardLayout,
    read_whole_number,
    refuse_large_board,
)
from rulewright.ruleset.boards.board_shape import BoardPlan, BoardShape, Words
from rulewright.ruleset.boards.geometry import TILE, Spot
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, make_title, read_text
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry
from rulewright.source.nodes import Mapping as MappingNode

DISTANCE = 2.2
"""The distance between the centres of areas in neighbouring columns, in tiles."""


class AreasShape(BoardShape):
    """Circles with lines between neighbours."""

    name = "areas"
    order = 50
    noun = "areas"
    singular = "area"
    translations = {"de": {"area": "Gebiet", "areas": "Gebiete"}}
    has_listed_spaces = True
    has_links = True
    corners = ()
    foot = 1
    schema = Record(
        "A board whose spaces are the rows of the table. Each row lists its `neighbours`; connections go both "
        "ways. Its `column` and `row` give its position in the picture.",
        members={
            "ways": optional(
                ListOf(
                    "Named connections, such as `roads`: each row lists the spaces that they lead to. "
                    "Those spaces are neighbours as well.",
                    inner=Leaf("A name.", format="id"),
                )
            ),
        },
    )

    def lay_out(self, node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
        """Return the spaces listed as rows of `table`. Connections go both ways, and named ones also make neighbours.

        Spaces without a `column` or `row` get positions on a circle. A board that is too large, or a direction with a
        name that is taken, is reported and has no spaces. Unknown neighbours, and spaces that are their own, are
        reported and left out. Two areas at one position are reported, and areas too far apart.
        """
        rows = dict(iterate_entries(table.get("rows")))
        if refuse_large_board(len(rows), f"{len(rows):,} areas", node, diagnostics):
            rows = {}
        names = [read_text(name) for name in list_items(node.get("ways"))]
        clash = next((name for name in list_items(node.get("ways")) if read_text(name) in OWN), None)
        if clash is not None:
            message = f"every space already has a column `{read_text(clash)}`"
            diagnostics.add(ruleset_diagnostics.BAD_GRID, message, clash.span, suggestion="choose another name")
            return BoardLayout()
        ways = {way: _both_ways(way, rows, diagnostics) for way in (*names, "neighbours")}
        board_layout = BoardLayout(self.name, several=tuple(names))
        spots = _circle(len(rows))
        areas: dict[tuple[int, int], str] = {}
        for (identity, entry), spot in zip(rows.items(), spots, strict=True):
            row = entry.value if isinstance(entry.value, MappingNode) else None
            own = [read_whole_number(row.get(key)) if row is not None else None for key in ("column", "row")]
            near = tuple(dict.fromkeys(place for way in ways.values() for place in way[identity]))
            at = own[0] or spot[0], own[1] or spot[1]
            if areas.setdefault(at, identity) != identity:
                message = f"`{areas[at]}` and `{identity}` both have the column {at[0]} and the row {at[1]}"
                hint = f"give `{identity}` another `column` or `row`"
                diagnostics.add(ruleset_diagnostics.BAD_GRID, message, entry.span, suggestion=hint)
            cells: dict[str, Any] = {"column": at[0], "row": at[1], "neighbours": near}
            cells.update((way, tuple(ways[way][identity])) for way in names)
            board_layout.places[identity] = make_title(identity), cells
        _refuse_distant(board_layout, rows, diagnostics)
        return board_layout

    def locate(self, column: int, row: int, halves: int) -> Spot:
        """Return the centre of an area."""
        return column * TILE * DISTANCE, row * TILE * DISTANCE

    def label(self, plan: BoardPlan, places: Mapping[str, Spot]) -> list[Words]:
        """Return the title of each area, below it."""
        return [(x, y + TILE * 0.6 + 13, plan.titles[space]) for space, (x, y) in places.items()]


AREAS = AreasShape()


def _both_ways(way: str, rows: Mapping[str, Any], diagnostics: Diagnostics) -> dict[str, dict[str, None]]:
    """Return the connections of each area by one key, in both directions.

    Unknown areas, and areas connected with themselves, are reported and left out.
    """
    results: dict[str, dict[str, None]] = {identity: {} for identity in rows}
    for identity, entry in rows.items():
        row = entry.value
        for node in list_items(row.get(way)) if isinstance(row, MappingNode) else ():
            other = read_text(node)
            if other not in results:
                message = f"`{way}` of `{identity}` leads to `{other}`, which is not a space of this board"
                diagnostics.add(
                    ruleset_diagnostics.BAD_GRID, message, node.span, suggestion=suggest_name(other, list(rows))
                )
            elif other == identity:
                message = f"`{way}` of `{identity}` leads to `{identity}` itself"
                diagnostics.add(ruleset_diagnostics.BAD_GRID, message, node.span, suggestion="leave it out")
            else:
                results[identity][other] = None
                results[other][identity] = None
    return results


def _refuse_distant(board: BoardLayout, rows: Mapping[str, Entry], diagnostics: Diagnostics) -> None:
    """Report the area furthest out if there are more than `MAX_TILES` columns or rows from the first to the last."""
    for axis in ("column", "row") if board.places else ():
        numbers = {identity: cells[axis] for identity, (_, cells) in board.places.items()}
        if max(numbers.values()) - min(numbers.values()) >= MAX_TILES:
            furthest = max(numbers, key=lambda identity: abs(numbers[identity]))
            message = f"the {axis} {numbers[furthest]:,} of `{furthest}` is too far from those of other areas"
            hint = f"use at most {MAX_TILES:,} {axis}s"
            diagnostics.add(ruleset_diagnostics.BAD_GRID, message, rows[furthest].span, suggestion=hint)


def _circle(number: int) -> Iterator[tuple[int, int]]:
    """Yield positions for areas that give none: on a circle, clockwise from the top."""
    radius = max(2, ceil(number / 3))
    for place in range(number):
        angle = 2 * pi * place / max(1, number)
        yield 1 + radius + round(radius * sin(angle)), 1 + radius - round(radius * cos(angle))
