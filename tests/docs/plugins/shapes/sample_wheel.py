"""Boards with a hub in the middle, from which spokes lead through rings."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from rulewright.language.schema_shapes import Leaf, Record, required
from rulewright.ruleset.boards.board_layout import BoardLayout, read_size, refuse_large_board
from rulewright.ruleset.boards.board_shape import BoardPlan, BoardShape, SizeWords
from rulewright.ruleset.boards.geometry import CIRCLE, MARGIN, TILE, BoardGeometry
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping as MappingNode

HUB = "hub"


class WheelShape(BoardShape):
    """Circles, joined along the spokes and around the rings."""

    name = "sample_wheel"
    order = 55
    noun = "spaces"
    translations = {
        "de": {
            "space": "Feld",
            "spaces": "Felder",
            "%(rings)s rings of %(spokes)s spaces": "%(rings)s Ringe mit %(spokes)s Feldern",
        }
    }
    has_links = True
    corners = ()
    schema = Record(
        "A board with a `hub`, and around it rings of spaces, one on each spoke: `s2r1` is the innermost on the second "
        "spoke. Each space has the one `clockwise`, `counter` and `inward` of it, and a list of those `outward`.",
        members={
            "spokes": required(Leaf("The number of spokes, at least 3.", format="integer")),
            "rings": required(Leaf("The number of rings.", format="integer")),
        },
    )

    def lay_out(self, node: MappingNode, table: MappingNode, diagnostics: Diagnostics) -> BoardLayout:
        """Return the hub, and the spaces ring by ring. The column of a space is its spoke, the row its ring plus 1."""
        spokes = read_size(node.get("spokes"), diagnostics, "a wheel has at least 3 spokes", minimum=3)
        rings = read_size(node.get("rings"), diagnostics, "a wheel has at least one ring")
        number = spokes * rings + 1
        if refuse_large_board(number, f"{number:,} spaces", node, diagnostics):
            spokes = 0
        ways = {"clockwise": "next space clockwise", "counter": "next space counterclockwise", "inward": "inner space"}
        board = BoardLayout(self.name, ways=ways, several=("outward",))
        if not spokes or not rings:
            return board
        first = tuple(f"s{spoke}r1" for spoke in range(1, spokes + 1))
        cells: dict[str, Any] = {"column": 1, "row": 1, "neighbours": first, **dict.fromkeys(ways), "outward": first}
        board.places[HUB] = "Hub", cells
        for ring in range(1, rings + 1):
            for spoke in range(1, spokes + 1):
                clockwise, counter = f"s{spoke % spokes + 1}r{ring}", f"s{(spoke - 2) % spokes + 1}r{ring}"
                inward = f"s{spoke}r{ring - 1}" if ring > 1 else HUB
                outward = (f"s{spoke}r{ring + 1}",) if ring < rings else ()
                board.places[f"s{spoke}r{ring}"] = (
                    f"{spoke}/{ring}",
                    {
                        "column": spoke,
                        "row": ring + 1,
                        "neighbours": (clockwise, counter, inward, *outward),
                        "clockwise": clockwise,
                        "counter": counter,
                        "inward": inward,
                        "outward": outward,
                    },
                )
        return board

    def describe_size(self, plan: BoardPlan, translate: SizeWords) -> str:
        """Return the numbers of rings and spokes."""
        spokes = max(column for column, _, _ in plan.spots.values())
        rings = max(row for _, row, _ in plan.spots.values()) - 1
        return translate("%(rings)s rings of %(spokes)s spaces", rings=rings, spokes=spokes)

    def make_geometry(self, plan: BoardPlan) -> BoardGeometry:
        """Return the picture with the hub in the middle, and the first spoke pointing up.

        Raises `ValueError` if the board has no spaces.
        """
        spokes = max(column for column, _, _ in plan.spots.values())
        rings = max(row for _, row, _ in plan.spots.values()) - 1
        apart = TILE * max(1.5, 1.5 * spokes / (2 * pi))
        middle = MARGIN + CIRCLE + apart * rings
        places = {}
        for space, (column, row, _) in plan.spots.items():
            angle, far = 2 * pi * (column - 1) / spokes, apart * (row - 1)
            places[space] = (middle + far * sin(angle), middle - far * cos(angle))
        return BoardGeometry(2 * middle, 2 * middle, places, self.corners, (), plan.links)


WHEEL = WheelShape()
