"""Boards whose spaces follow one another: a track that turns at the end of each row, or a ring."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from rulewright.language.schema_shapes import Leaf, Record, optional, required
from rulewright.ruleset.boards.board_layout import DIRECTIONS_KEY, BoardLayout, read_flag, read_size, refuse_large_board
from rulewright.ruleset.boards.board_shape import BoardPlan, BoardShape, PageStyle, TextCells, Words
from rulewright.ruleset.boards.geometry import TILE, Spot
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping as MappingNode

LONGEST_ROW = 12
"""The default number of track spaces per row; a longer track continues backwards in the next row."""


class TrackShape(BoardShape):
    """Squares in order, each with its number at its upper edge."""

    name = "track"
    order = 40
    noun = "places"
    singular = "place"
    translations = {"de": {"place": "Feld", "places": "Felder"}}
    lists_positions = True
    head = 13
    page_style = PageStyle(shift=4)
    schema = Record(
        "A board of spaces in a line. Each space is a row of the table, starting with `p1`, and has its "
        "`neighbours` and the spaces `ahead` and `back`.",
        members={
            "places": required(Leaf("The number of spaces.", format="integer")),
            "ring": optional(Leaf("Whether the last space leads to the first.", format="flag")),
            "width": optional(Leaf("The number of spaces drawn in each row.", format="integer")),
            **DIRECTIONS_KEY,
        },
    )

    def lay_out(self, node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
        """Return the spaces of a track in order, with ids from `p1`. If it is a ring, the last one leads to the first.

        A track without `places` or with too many has no spaces. An invalid size is reported, and an invalid `width` is
        taken as 1. A missing neighbour is None.
        """
        number = read_size(node.get("places"), diagnostics, "a track needs at least one space")
        ring = read_flag(node, "ring")
        if refuse_large_board(number, f"{number:,} places", node, diagnostics):
            number = 0
        width = (
            read_size(node.get("width"), diagnostics, "a row needs at least one space")
            if "width" in node
            else LONGEST_ROW
        )
        spots = _around(number) if ring else [_place_turning(place, width or 1) for place in range(number)]
        board_layout = BoardLayout(self.name, ways={"ahead": "next place", "back": "place before it"})
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
            board_layout.places[f"p{place + 1}"] = str(place + 1), cells
        return board_layout

    def label(self, plan: BoardPlan, places: Mapping[str, Spot]) -> list[Words]:
        """Return the number of each space, or its title."""
        left, top = TILE / 2 - 9, TILE / 2 - self.head + 1
        return [(x - left, y - top, plan.titles[space]) for space, (x, y) in places.items()]

    def draw_text(self, plan: BoardPlan, cells: TextCells) -> list[str]:
        """Return the lines of a track as it turns, with the number of each space.

        Raises `ValueError` if it has no spaces.
        """
        longest = max(map(len, plan.titles.values()))
        at = {(column, row): space for space, (column, row, _) in plan.spots.items()}
        blank = " " * (longest + cells.size + 3)
        lines = []
        for row in range(1, max(row for _, row in at) + 1):
            spaces = [at.get((column, row)) for column in range(1, max(column for column, _ in at) + 1)]
            cell_texts = [
                blank if space is None else f"[{plan.titles[space]:>{longest}} {cells.draw(space)}]" for space in spaces
            ]
            lines.append("    " + "".join(cell_texts).rstrip())
        return lines


TRACK = TrackShape()


def _place_turning(place: int, width: int) -> tuple[int, int]:
    row, along = divmod(place, width)
    return (along if row % 2 == 0 else width - 1 - along) + 1, row + 1


def _around(number: int) -> list[tuple[int, int]]:
    """Return the positions of a ring's spaces, as column and row counted from 1.

    They follow the edge of a rectangle, clockwise from the top left. The last positions of the edge may stay empty.
    """
    width = max(2, ceil(number / 4) + 1)
    height = max(2, ceil((number + 4 - 2 * width) / 2))
    top = [(column, 1) for column in range(1, width + 1)]
    right = [(width, row) for row in range(2, height + 1)]
    bottom = [(column, height) for column in range(width - 1, 0, -1)]
    left = [(1, row) for row in range(height - 1, 1, -1)]
    return [*top, *right, *bottom, *left][:number]
