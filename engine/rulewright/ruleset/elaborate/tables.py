"""Tables: columns, rows, cells, the tiles of a grid, and the faces of roll tables."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from rulewright.dice.distribution import distribution
from rulewright.dice.errors import DiceError
from rulewright.dice.parse import parse
from rulewright.dice.tree import Roll
from rulewright.language import codes as language_codes
from rulewright.language.declarations import Declarations, Table, TableRow
from rulewright.language.expression.check import is_count, read_type
from rulewright.language.expression.evaluate import as_roll
from rulewright.language.types import INTEGER, Dice, ListOf, Optional, Row, Type, present
from rulewright.ruleset import codes
from rulewright.ruleset.codes import UNKNOWN_COLUMN
from rulewright.ruleset.elaborate.elaboration import Pending, Trail
from rulewright.ruleset.elaborate.faces import Cover, row_faces
from rulewright.ruleset.elaborate.read import called, constant, entries, text, title
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.schema.place import either
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

OWN_KEYS = ("on", "title")
RANK = "rank"
"""What each row has besides its columns: its place in the table, from 1."""


def _instead_of_faces(row: str, on: Node, table: Mapping) -> str:
    """What to write for a row that is one plain value, where the table is not rolled on."""
    if text(on).casefold() in ("none", "null", "no", "delete", "~", "-"):
        return f"to take the row away, write `{row}: {{delete: true}}`"
    columns = [name for name, _ in entries(table.get("columns"))]
    if columns:
        return f"write what it has in each column, such as `{row}: {{{columns[0]}: …}}`; or give the table a `roll:`"
    return "give the table a `roll:`"


def declare_tables(
    rules: Mapping, declarations: Declarations, diagnostics: Diagnostics, top: Layer | None = None
) -> None:
    """Declare every table and its rows; columns and cells come once every table and kind is known.

    `top` is the layer that lies over all others, and says what is to be mended.
    """
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
                # What an upper layer adds comes after what it inherits, and is what has to be mended.
                first, second = (key for key in node.entries if key in ("grid", "rows"))
                related = (Related(node.key_span(first), f"its `{first}` stands here"),)
                hint = f"leave out `{second}` here, or say it of a table of its own"
                diagnostics.add(codes.BAD_GRID, message, node.key_span(second), related=related, suggestion=hint)
        strays = {} if grid is not None else stray_columns(identity, node)
        diagnostics.extend(strays.values())
        faulty = set(strays)
        for row, row_entry in entries(None if grid is not None else node.get("rows")):
            if row in strays:
                continue
            value = row_entry.value
            on = value.get("on") if isinstance(value, Mapping) else None
            told = len(diagnostics)
            faces = row_faces(on, outcomes, diagnostics) if roll is not None else ()
            if len(diagnostics) > told:
                faulty.add(row)
            if on is not None and "roll" not in node:
                diagnostics.add(
                    codes.UNKNOWN_COLUMN,
                    f"{identity} is not rolled on, so `{row}` has no faces",
                    on.span,
                    suggestion=_instead_of_faces(row, on, node),
                )
            name = text(value.get("title")) if isinstance(value, Mapping) else ""
            rows[row] = TableRow(row, faces, {}, row_entry.span, name or title(row))
        if not rows and not isinstance(grid, Mapping):
            diagnostics.add(codes.NO_ROWS, f"{identity} has no rows", entry.key.span)
        if roll is not None:
            by_face = Cover(identity, rows, outcomes, node, faulty, top).check(diagnostics)
        name, names = text(node.get("title")) or title(identity), called(node.get("names"))
        declarations.tables[identity] = Table(identity, name, roll, {}, rows, entry.span, by_face, names)


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


def fill_tables(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics, trail: Trail) -> None:
    """Read every column's type, and promise every cell."""
    nodes = {identity: entry.value for identity, entry in entries(rules.get("tables"))}
    for identity, node in nodes.items():
        assert isinstance(node, Mapping)
        columns = declarations.tables[identity].columns
        assert isinstance(columns, dict)
        if "grid" in node:
            columns.update(grid_columns(identity))
        for name, entry in entries(node.get("columns")):
            if name in (*OWN_KEYS, RANK):
                message = f"every row has a `{name}` already, so no column can be called that"
                diagnostics.add(codes.NAME_CLASH, message, entry.key.span)
                continue
            columns[name] = read_type(entry.value, declarations, diagnostics)
    for identity, node in nodes.items():
        assert isinstance(node, Mapping)
        table = declarations.tables[identity]
        if "grid" not in node:
            declared = table.rows
            assert isinstance(declared, dict)
            for row in list(declared):
                cells = _Row(table, declared[row], node, declarations, trail).cells()
                declared[row] = replace(declared[row], cells=cells)


class _Row:
    """One row while its cells are read."""

    def __init__(self, table: Table, row: TableRow, node: Mapping, declarations: Declarations, trail: Trail) -> None:
        rows = node.get("rows")
        columns = node.get("columns")
        assert isinstance(rows, Mapping)
        self.table = table
        self.row = row
        self.written = rows.get(row.id)
        self.columns = columns if isinstance(columns, Mapping) else None
        self.declarations = declarations
        self.diagnostics = trail.diagnostics
        self.trail = trail

    def cells(self) -> Pending[Any]:
        """A value for every column, each worked out when it is asked for."""
        cells: Pending[Any] = Pending(self.trail, lambda name: _default(self.table.columns[name]))
        for name, entry in entries(self.written):
            if name not in self.table.columns and name not in (*OWN_KEYS, RANK):
                hint = did_you_mean(name, [*self.table.columns, *OWN_KEYS])
                message = f"{self.table.id} has no column `{name}`"
                self.diagnostics.add(codes.UNKNOWN_COLUMN, message, entry.key.span, suggestion=hint)
        lacking = []
        for name, kind in self.table.columns.items():
            value = self.written.get(name) if isinstance(self.written, Mapping) else None
            place = f"{self.table.id}.{self.row.id}.{name}"
            if value is not None:
                cells.promise(name, partial(self._cell, name, value), place, value.span)
                continue
            cells.promise(name, partial(_default, kind), place, self.row.span)
            if not isinstance(kind, (Optional, ListOf)):
                lacking.append(name)
        if lacking:
            named = either((f"`{name}`" for name in lacking), word="and no")
            self.diagnostics.add(
                codes.MISSING_CELL, f"`{self.row.id}` of {self.table.id} has no {named}", self.row.span
            )
        return cells

    def _cell(self, name: str, node: Node) -> Any:
        kind = self.table.columns[name]
        _, value = constant(node, self.declarations, self.diagnostics, expected=kind)
        if isinstance(value, int) and value < 0 and is_count(self.columns.get(name) if self.columns else None):
            self.diagnostics.add(
                language_codes.WRONG_TYPE, f"`{name}` is never below 0, and this is {value}", node.span
            )
        return as_roll(value) if isinstance(present(kind), Dice) and value is not None else value


def _default(kind: Type) -> Any:
    return () if isinstance(kind, ListOf) else None


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


def stray_columns(table: str, node: Mapping) -> dict[str, Diagnostic]:
    """The rows of a table that are no rows but cells, by the column's name, each with what is to be said of it."""
    columns, rows = node.get("columns"), node.get("rows")
    if not isinstance(columns, Mapping) or not isinstance(rows, Mapping):
        return {}
    return {
        name: _stray(table, entry, rows) for name, entry in entries(rows) if name in columns and _is_bare(entry.value)
    }


def _is_bare(row: Node) -> bool:
    """Whether a row is one plain value, which stands for its faces."""
    if not isinstance(row, Mapping) or list(row.entries) != ["on"]:
        return False
    return row.entries["on"].key.span == row.entries["on"].value.span


def _stray(table: str, cell: Entry, rows: Mapping) -> Diagnostic:
    name, at = cell.key.text, cell.key.span
    message = f"`{name}` is a column of {table}, and stands here among its rows"
    above = _above(cell, rows)
    if above is None:
        return Diagnostic(UNKNOWN_COLUMN, message, at, suggestion="write it in the row it belongs to")
    row, inside = above.key.text, _first_cell(above, at.file)
    assert inside is not None
    related = (Related(inside, f"`{row}` is the row above"),)
    line = SOURCES.line(at.file, inside.line) or ""
    depth = len(line) - len(line.lstrip(" "))
    if depth < at.column or line.lstrip(" ").startswith(f"{row}:"):
        hint = f"write it between the braces of the row it belongs to, such as `{row}`"
        return Diagnostic(UNKNOWN_COLUMN, message, at, related, hint)
    hint = f"indent it by {depth} spaces, so that it belongs to `{row}`"
    edit = Edit(Span(at.file, at.line, at.column, at.line, at.column), " " * (depth - at.column + 1))
    return Diagnostic(UNKNOWN_COLUMN, message, at, related, hint, (edit,))


def _above(cell: Entry, rows: Mapping) -> Entry | None:
    """The row of which something is written last before the cell, in the same file."""
    place = cell.key.span
    found = [
        (inside.line, position, each)
        for position, (_, each) in enumerate(entries(rows))
        if each is not cell and (inside := _first_cell(each, place.file)) is not None and inside.line < place.line
    ]
    return max(found)[2] if found else None


def _first_cell(row: Entry, file: str) -> Span | None:
    """Where the first cell stands that a file writes of a row: what else it has may come from another layer."""
    spans = [cell.value.span for _, cell in entries(row.value) if cell.value.span.file == file]
    return min(spans, default=None)
