"""Tables: columns, rows, cells, and the faces of roll tables."""

from __future__ import annotations

from typing import Any

from rulewright.dice.distribution import distribution
from rulewright.dice.errors import DiceError
from rulewright.dice.parse import parse
from rulewright.dice.tree import Roll
from rulewright.language import codes as language_codes
from rulewright.language.declarations import Declarations, Table, TableRow
from rulewright.language.read_type import read_type
from rulewright.language.types import ListOf, Optional, Type
from rulewright.ruleset import codes
from rulewright.ruleset.elaborate.faces import ranges, row_faces
from rulewright.ruleset.elaborate.grid import grid_columns, grid_rows
from rulewright.ruleset.elaborate.read import constant, entries, text, title
from rulewright.source.diagnostic import Related
from rulewright.source.diagnostics import Diagnostics
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.suggest import did_you_mean

OWN_KEYS = ("on", "title")


def declare_tables(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Declare every table and its rows; columns and cells come once every table and kind is known."""
    for identity, entry in entries(rules.get("tables")):
        node = entry.value
        assert isinstance(node, Mapping)
        roll = _roll(node.get("roll"), declarations, diagnostics)
        rows: dict[str, TableRow] = {}
        by_face: dict[int, str] = {}
        outcomes = tuple(distribution(roll).outcomes) if roll is not None else ()
        grid = node.get("grid")
        if isinstance(grid, Mapping):
            rows = grid_rows(grid, entry.span, diagnostics)
            if "rows" in node:
                message = f"{identity} is a board, whose rows are its tiles"
                diagnostics.add(codes.BAD_GRID, message, node.key_span("rows"))
        if not rows and "rows" not in node:
            diagnostics.add(codes.NO_ROWS, f"{identity} has no rows", entry.key.span)
        for row, row_entry in entries(None if grid is not None else node.get("rows")):
            value = row_entry.value
            on = value.get("on") if isinstance(value, Mapping) else None
            faces = row_faces(on, outcomes, diagnostics) if roll is not None else ()
            if roll is None and on is not None:
                diagnostics.add(
                    codes.UNKNOWN_COLUMN,
                    f"{identity} is not rolled on, so `{row}` has no faces",
                    on.span,
                    suggestion="give the table a `roll:`",
                )
            name = text(value.get("title")) if isinstance(value, Mapping) else ""
            rows[row] = TableRow(row, faces, {}, row_entry.span, name or title(row))
        if roll is not None:
            by_face = _cover(identity, rows, outcomes, node, diagnostics)
        declarations.tables[identity] = Table(
            identity, text(node.get("title")) or title(identity), roll, {}, rows, entry.span, by_face
        )


def _roll(node: Node | None, declarations: Declarations, diagnostics: Diagnostics) -> Roll | None:
    if not isinstance(node, Scalar):
        return None
    try:
        roll = parse(node.text, dice=declarations.dice)
        distribution(roll)
    except DiceError as error:
        span = node.position(error.start, max(1, error.end - error.start))
        diagnostics.add(language_codes.DICE_NOTATION, error.message, span, suggestion=error.suggestion)
        return None
    return roll


def _cover(
    identity: str, rows: dict[str, TableRow], outcomes: tuple[int, ...], node: Mapping, diagnostics: Diagnostics
) -> dict[int, str]:
    """Each outcome's row. Gaps and overlaps are reported with their faces."""
    by_face: dict[int, str] = {}
    doubled: dict[tuple[str, str], list[int]] = {}
    for row in rows.values():
        if not row.faces:
            diagnostics.add(codes.FACES_GAP, f"`{row.id}` of {identity} has no face, so it never comes up", row.span)
        for face in row.faces:
            if face in by_face:
                doubled.setdefault((by_face[face], row.id), []).append(face)
            by_face.setdefault(face, row.id)
    for (first, second), faces in doubled.items():
        message = f"{said(faces, outcomes)} of {identity} belongs to `{first}` and to `{second}`"
        related = (Related(rows[first].span, f"`{first}` has it here"),)
        diagnostics.add(codes.FACES_OVERLAP, message, rows[second].span, related=related)
    missing = [outcome for outcome in outcomes if outcome not in by_face]
    if missing:
        message = f"{identity} says nothing about {said(missing, outcomes)}"
        diagnostics.add(codes.FACES_GAP, message, node.key_span("rows"))
    return by_face


def said(faces: list[int] | tuple[int, ...], outcomes: tuple[int, ...]) -> str:
    """Faces in words: `10 to 70, 90`."""
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in ranges(faces, outcomes))


def fill_tables(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> None:
    """Read every column's type and every cell."""
    nodes = {identity: entry.value for identity, entry in entries(rules.get("tables"))}
    for identity, node in nodes.items():
        assert isinstance(node, Mapping)
        columns = declarations.tables[identity].columns
        assert isinstance(columns, dict)
        if "grid" in node:
            columns.update(grid_columns(identity))
        for name, entry in entries(node.get("columns")):
            columns[name] = read_type(entry.value, declarations, diagnostics)
    for identity, node in nodes.items():
        assert isinstance(node, Mapping)
        table = declarations.tables[identity]
        for row, entry in entries(None if "grid" in node else node.get("rows")):
            _fill_row(table, table.rows[row], entry.value, declarations, diagnostics)


def _fill_row(table: Table, row: TableRow, node: Node, declarations: Declarations, diagnostics: Diagnostics) -> None:
    cells = row.cells
    assert isinstance(cells, dict)
    for name, entry in entries(node):
        if name not in table.columns and name not in OWN_KEYS:
            hint = did_you_mean(name, [*table.columns, *OWN_KEYS])
            diagnostics.add(codes.UNKNOWN_COLUMN, f"{table.id} has no column `{name}`", entry.key.span, suggestion=hint)
    for name, kind in table.columns.items():
        value = node.get(name) if isinstance(node, Mapping) else None
        if value is None:
            cells[name] = _default(kind)
            if not isinstance(kind, (Optional, ListOf)):
                message = f"`{row.id}` of {table.id} has no `{name}`"
                diagnostics.add(codes.MISSING_CELL, message, row.span)
        else:
            cells[name] = _cell(value, kind, declarations, diagnostics)


def _default(kind: Type) -> Any:
    return () if isinstance(kind, ListOf) else None


def _cell(node: Node, kind: Type, declarations: Declarations, diagnostics: Diagnostics) -> Any:
    from rulewright.dice.tree import Constant
    from rulewright.language.types import Dice

    _, value = constant(node, declarations, diagnostics, expected=kind)
    return Constant(value) if isinstance(kind, Dice) and isinstance(value, int) else value
