"""Write a table as a spreadsheet."""

from __future__ import annotations

import csv
import io
from typing import Any

from rulewright.authoring.sheets.cell_values import format_cell, read_value
from rulewright.authoring.sheets.sheet_table import ID, TITLE, Column, SheetTable
from rulewright.source.nodes import Mapping


def format_sheet(table: SheetTable, *, separator: str = ",") -> str:
    r"""Return all rows of a table with a header, as comma-separated values by RFC 4180, but with `\n` as line breaks.

    Read again, the text changes nothing. Titles are left out if no row has any.
    """
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(list_cells(table))
    return text.getvalue()


def list_cells(table: SheetTable) -> list[list[str]]:
    """Return the header and all rows of a table, each as the texts of its cells."""
    columns = _list_columns(table)
    rows = [[column.header for column in columns]]
    for identity, entry in table.rows.items():
        node = entry.value if isinstance(entry.value, Mapping) else None
        rows.append(
            [identity if each.key == ID else format_cell(node.get(each.key) if node else None) for each in columns]
        )
    return rows


def build_rows_data(table: SheetTable) -> dict[str, Any]:
    """Return all rows of a table as JSON data, each value with the text of the rules, None for no value."""
    columns = _list_columns(table)
    rows = []
    for identity, entry in table.rows.items():
        node = entry.value if isinstance(entry.value, Mapping) else None
        cells = {
            column.key: read_value(node.get(column.key) if node else None) for column in columns if column.key != ID
        }
        rows.append({"id": identity, "cells": cells})
    return {
        "ruleset": table.ruleset.reference,
        "table": table.table.id,
        "columns": [
            {"key": column.key, "header": column.header, "required": column.is_required, "type": _describe_type(column)}
            for column in columns
        ],
        "rows": rows,
    }


def _describe_type(column: Column) -> str:
    if column.type is None:
        return "an id" if column.key == ID else "faces"
    return str(column.type)


def _list_columns(table: SheetTable) -> list[Column]:
    """Return the columns that a sheet of the table has."""
    nodes = [entry.value for entry in table.rows.values()]
    titled = any(isinstance(node, Mapping) and TITLE in node for node in nodes)
    return [column for column in table.columns if column.key != TITLE or titled or not nodes]
