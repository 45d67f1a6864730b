"""Plan the update of a table from a sheet: which rows are added, changed and removed, and the edits that do it."""

from __future__ import annotations

from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.authoring.sheets.cell_values import Value, format_cell, format_value, read_value
from rulewright.authoring.sheets.identify_rows import identify_rows
from rulewright.authoring.sheets.read_cells import CellReader
from rulewright.authoring.sheets.read_sheet import SheetRow, Spreadsheet, name_cell, parse_sheet
from rulewright.authoring.sheets.row_edits import RowContent, build_row_texts
from rulewright.authoring.sheets.sheet_diagnostics import SHEET_COLUMN
from rulewright.authoring.sheets.sheet_table import ID, TITLE, Column, SheetTable, match_header
from rulewright.ruleset.elaborate.node_readers import make_title
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.nodes import Mapping, Node


@dataclass(frozen=True, slots=True)
class CellChange:
    """A cell with another value than before, both as texts of a sheet. `cell` is its address, such as `C7`."""

    column: str
    before: str
    after: str
    cell: str


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row that is added or changed, with its cells. `number` is that of the row in the sheet."""

    id: str
    number: int
    cells: tuple[CellChange, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RowUpdate:
    """What a sheet changes in a table.

    Attributes:
        ruleset: The reference of the edition.
        table: The id of the table.
        sheet: The name of the sheet.
        assumed: What was assumed in order to read the sheet.
        added: The new rows.
        changed: The rows of which a cell changes.
        removed: The ids of the rows that are removed.
        missing: The ids of the rows that the sheet lacks and that are kept.
        unchanged: How many rows stay as they are.
        diagnostics: The faults of the sheet. With any, nothing can be written.
        texts: The files that change, each with its text before, None for a new file, and after.
    """

    ruleset: str
    table: str
    sheet: str
    assumed: tuple[str, ...] = ()
    added: tuple[RowChange, ...] = ()
    changed: tuple[RowChange, ...] = ()
    removed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unchanged: int = 0
    diagnostics: tuple[Diagnostic, ...] = ()
    texts: ReadOnlyMapping[Path, tuple[str | None, str]] | None = None

    @property
    def is_change(self) -> bool:
        """Whether the rules change."""
        return bool(self.added or self.changed or self.removed)


def plan_update(
    table: SheetTable, text: str, name: str, *, assumed: tuple[str, ...] = (), remove: bool = False
) -> RowUpdate:
    """Return what the text of a sheet changes in a table. Nothing is written.

    Rows are found by id, or else by title. Cells that the sheet does not have stay as they are, and so do rows, unless
    `remove` is true. All faults of the sheet are in the result. `assumed` are assumptions from before. Raises
    `DiagnosticError` if the table is written in a way in which rows cannot be added or removed.
    """
    reference = table.ruleset.reference
    diagnostics = Diagnostics()
    try:
        sheet = parse_sheet(text, name, table.is_column)
    except DiagnosticError as error:
        return RowUpdate(reference, table.table.id, name, assumed, diagnostics=error.diagnostics)
    places = match_header(table, sheet, diagnostics)
    has_header = not diagnostics.errors
    rows = identify_rows(table, sheet, places, diagnostics) if places else {}
    new = [row for row in rows if row not in table.rows]
    if new and has_header:
        _report_lacking_columns(table, sheet, places, rows[new[0]], diagnostics)
    reader = CellReader(table, sheet, places, new, diagnostics)
    contents: list[RowContent] = []
    added: list[RowChange] = []
    changed: list[RowChange] = []
    for identity, row in rows.items():
        entry = table.rows.get(identity)
        node = entry.value if entry is not None else None
        values, cells = _compare(reader, places, identity, row, node)
        contents.append(RowContent(identity, values, is_new=entry is None))
        if entry is None:
            added.append(RowChange(identity, row.number, cells))
        elif cells:
            changed.append(RowChange(identity, row.number, cells))
    absent = tuple(row for row in table.rows if row not in rows)
    if not rows:
        absent = ()  # the rows of the sheet are unknown
    faults = tuple(sorted(diagnostics, key=lambda each: each.span))
    removed = absent if remove else ()
    notes = [*assumed, *sheet.assumed]
    if reader.is_mark_used:
        notes.append(f"`{reader.mark}` is the decimal mark")
    if _is_reordered(table, rows):
        notes.append("rows that the rules have keep their order")
    texts = None if faults or not (added or changed or removed) else build_row_texts(table, contents, removed)
    return RowUpdate(
        reference,
        table.table.id,
        name,
        tuple(notes),
        tuple(added),
        tuple(changed),
        removed,
        () if remove else absent,
        len(rows) - len(added) - len(changed),
        faults,
        texts,
    )


def _compare(
    reader: CellReader, places: dict[Column, int], identity: str, row: SheetRow, node: Node | None
) -> tuple[dict[Column, Value], tuple[CellChange, ...]]:
    """Return the values of a row that differ from the present ones, and these changes for people.

    The values of a new row (`node` is None) are all of them. Cells that do not fit are reported by the reader.
    """
    values: dict[Column, Value] = {}
    cells: list[CellChange] = []
    for column, place in places.items():
        if column.key == ID:
            continue
        current = node.get(column.key) if isinstance(node, Mapping) else None
        value = reader.read(row, column, current, identity)
        if column.key == TITLE and node is not None and current is None and format_value(value) == make_title(identity):
            continue  # the default title of the row
        is_other = value != read_value(current)
        if is_other or node is None:
            values[column] = value
        if is_other:
            cells.append(CellChange(column.header, format_cell(current), format_value(value), name_cell(row, place)))
    return values, tuple(cells)


def _report_lacking_columns(
    table: SheetTable, sheet: Spreadsheet, places: dict[Column, int], first: SheetRow, diagnostics: Diagnostics
) -> None:
    """Report each column that new rows need and the sheet lacks. `first` is the first new row."""
    for column in table.columns:
        if column.is_required and column not in places:
            message = f"the sheet has no column `{column.header}`, which the new row {first.number} needs"
            hint = "add the column, or make it `optional` in the rules"
            diagnostics.add(SHEET_COLUMN, message, sheet.find_span(sheet.header, 0), suggestion=hint)


def _is_reordered(table: SheetTable, rows: ReadOnlyMapping[str, SheetRow]) -> bool:
    """Return whether the rows that the table has are in another order in the sheet."""
    order = {row: place for place, row in enumerate(table.rows)}
    places = [order[row] for row in rows if row in order]
    return places != sorted(places)
