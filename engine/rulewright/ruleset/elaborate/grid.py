"""Boards: a table with a row for each tile of a grid."""

from __future__ import annotations

from typing import Any

from rulewright.language.declarations import TableRow
from rulewright.language.types import INTEGER, ListOf, Row, Type
from rulewright.ruleset import codes
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.span import Span

MOST_TILES = 2_500

STRAIGHT = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west: the order in which neighbours are listed."""

DIAGONAL = ((1, -1), (1, 1), (-1, 1), (-1, -1))


def grid_columns(table: str) -> dict[str, Type]:
    """The columns that every board has."""
    return {"column": INTEGER, "row": INTEGER, "neighbours": ListOf(Row(table))}


def grid_rows(node: Mapping, span: Span, diagnostics: Diagnostics) -> dict[str, TableRow]:
    """The tiles, row by row from the top left, each with its cells."""
    columns, rows = (_size(node.get(key), diagnostics) for key in ("columns", "rows"))
    if columns * rows > MOST_TILES:
        message = f"{columns:,} × {rows:,} tiles are more than the {MOST_TILES:,} a board may have"
        # Of a grid that is inherited, the number that an upper layer changed is at fault.
        sizes = [entry.value.span for key, entry in node.entries.items() if key in ("columns", "rows")]
        own = [size for size in sizes if size.file != node.span.file]
        diagnostics.add(codes.BAD_GRID, message, own[-1] if own else node.span)
        return {}
    flag = node.get("diagonal")
    steps = STRAIGHT + (DIAGONAL if isinstance(flag, Scalar) and flag.value is True else ())
    found = {}
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            near = [
                f"c{column + right}r{row + down}"
                for right, down in steps
                if 1 <= column + right <= columns and 1 <= row + down <= rows
            ]
            cells: dict[str, Any] = {"column": column, "row": row, "neighbours": tuple(near)}
            identity = f"c{column}r{row}"
            found[identity] = TableRow(identity, (), cells, span, f"[{column}, {row}]")
    return found


def _size(node: Node | None, diagnostics: Diagnostics) -> int:
    if isinstance(node, Scalar) and type(node.value) is int and node.value >= 1:
        return node.value
    if node is not None:
        diagnostics.add(codes.BAD_GRID, "a board has at least one column and one row", node.span)
    return 0
