"""A column among the rows of its table: a cell whose line is indented a level less than that of its row."""

from __future__ import annotations

from rulewright.ruleset.codes import UNKNOWN_COLUMN
from rulewright.ruleset.elaborate.read import entries
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulewright.source.nodes import Entry, Mapping, Node
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span


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
