"""Read the columns of a table: the type and the default of each, and the formula of a column of expressions."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import ROW_NAME, Declarations, FormulaColumn, Scope, Table
from rulewright.language.expressions.type_checker import check_expression, read_type
from rulewright.language.expressions.typed_ast import BROKEN, Comparison, Constant, If, Items, Typed, Variable
from rulewright.language.types import BOOLEAN, ListOf, Type
from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Entry, Mapping, Node, Scalar

DEFAULT = "default"
"""The key of a column with the value of rows that have none."""


def find_column_type(column: Node | None) -> Node | None:
    """Return the node with the type of a column, or None if the column has none, such as a column of steps."""
    return column.get("type") if isinstance(column, Mapping) else column


def find_default(column: Node | None) -> Node | None:
    """Return the node with the value of rows that have none in a column, or None if there is no such value."""
    return column.get(DEFAULT) if isinstance(column, Mapping) else None


def is_computed(column: Node | None) -> bool:
    """Return whether the cells of a column are expressions with parameters."""
    return isinstance(column, Mapping) and "given" in column


def check_column(column: Entry, diagnostics: Diagnostics) -> None:
    """Report a column that has neither a type nor steps, or both."""
    if isinstance(column.value, Mapping) and ("type" in column.value) == ("steps" in column.value):
        has = "both `type:` and `steps:`" if "type" in column.value else "neither `type:` nor `steps:`"
        message = f"the column `{column.key.text}` has {has}"
        hint = "write `type:` for a column of values, or `steps:` for a column of steps"
        diagnostics.add(language_codes.UNKNOWN_TYPE, message, column.key.span, suggestion=hint)


def iterate_formula_columns(rules: Mapping) -> Iterator[tuple[str, Mapping, Entry]]:
    """Yield the columns of expressions of all tables: the id of the table, its node, and the entry of the column."""
    for table, entry in iterate_entries(rules.get("tables")):
        if isinstance(entry.value, Mapping):
            for _, column in iterate_entries(entry.value.get("columns")):
                if is_computed(column.value):
                    yield table, entry.value, column


def declare_column(table: Table, column: Entry, declarations: Declarations, diagnostics: Diagnostics) -> FormulaColumn:
    """Add a column of expressions to its table, and return it. Errors in its types are reported."""
    assert isinstance(column.value, Mapping)
    assert isinstance(table.formulas, dict)
    given = {
        name: read_type(each.value, declarations, diagnostics)
        for name, each in iterate_entries(column.value.get("given"))
    }
    kind = read_type(find_column_type(column.value), declarations, diagnostics)
    result = FormulaColumn(column.key.text, table.id, given, kind, column.key.span)
    table.formulas[column.key.text] = result
    return result


def find_cell(table: Node, row: str, column: Entry) -> Node | None:
    """Return the node with the cell of a row, or else the default of the column, or None."""
    rows = table.get("rows") if isinstance(table, Mapping) else None
    written = rows.get(row) if isinstance(rows, Mapping) else None
    cell = written.get(column.key.text) if isinstance(written, Mapping) else None
    return cell if cell is not None else find_default(column.value)


def check_cells(
    table: Table, node: Mapping, entry: Entry, column: FormulaColumn, scope: Scope, diagnostics: Diagnostics
) -> dict[str, Typed]:
    """Return the typed expression of each row of a table in a column. Errors are reported, and are then `BROKEN`."""
    checked: dict[int, Typed] = {}
    results = {}
    for row in table.rows:
        cell = find_cell(node, row, entry)
        if id(cell) not in checked:
            checked[id(cell)] = _check_cell(cell, column.type, scope, diagnostics)
        results[row] = checked[id(cell)]
    return results


def _check_cell(cell: Node | None, kind: Type, scope: Scope, diagnostics: Diagnostics) -> Typed:
    if isinstance(cell, Scalar):
        return check_expression(cell, scope, diagnostics, expected=kind)
    if cell is not None:
        message = f"an expression is needed here, not {cell.kind}"
        hint = "put quotes around it, so that it is read as one expression"
        diagnostics.add(language_codes.WRONG_TYPE, message, cell.span, suggestion=hint)
        return BROKEN
    return Items(kind, ()) if isinstance(kind, ListOf) else Constant(kind, None)


def choose_cell(table: Table, cells: dict[str, Typed]) -> Typed:
    """Return the expression for the cell of the row `self`, which searches the rows by halves."""
    row = Variable(table.type, ROW_NAME)
    runs: list[tuple[str, Typed]] = []
    for each, cell in cells.items():
        if not runs or runs[-1][1] is not cell:
            runs.append((each, cell))

    def search(first: int, end: int) -> Typed:
        if end - first <= 1:
            return runs[first][1]
        middle = (first + end) // 2
        start = runs[middle][0]
        condition = Comparison(BOOLEAN, "<", row, Constant(table.type, start, start), table.id)
        left, right = search(first, middle), search(middle, end)
        return If(left.type, condition, left, right)

    return search(0, len(runs)) if runs else BROKEN
