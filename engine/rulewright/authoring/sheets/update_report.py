"""Describe what a sheet changes in a table, as lines of text and as JSON data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.authoring.sheets.update_rows import CellChange, RowChange, RowUpdate
from rulewright.source.diagnostics.formats.json import as_data

_LONGEST = 60
"""The maximum length of a cell's text in a line."""


def format_update(update: RowUpdate) -> Iterator[str]:
    """Yield a line for each row that changes, and for what was assumed. Faults of the sheet are not among them."""
    for note in update.assumed:
        yield f"assumed: {note}"
    for row in update.added:
        yield f"+ {row.id}" + "".join(_list_cells(row, is_new=True))
    for row in update.changed:
        yield f"~ {row.id}" + "".join(_list_cells(row, is_new=False))
    for identity in update.removed:
        yield f"- {identity}"
    if update.missing:
        named = ", ".join(update.missing[:10]) + (
            f" and {len(update.missing) - 10} more" if len(update.missing) > 10 else ""
        )
        yield f"kept, although not in the sheet: {named}"
    yield summarize_update(update)


def summarize_update(update: RowUpdate) -> str:
    """Return how many rows are added, changed, removed and unchanged."""
    counts = {"added": len(update.added), "changed": len(update.changed), "removed": len(update.removed)}
    counts_text = [f"{count:,} {word}" for word, count in counts.items() if count]
    unchanged = update.unchanged + len(update.missing)
    return f"{update.table}: {', '.join([*counts_text, f'{unchanged:,} unchanged'])}"


def _list_cells(row: RowChange, *, is_new: bool) -> Iterator[str]:
    for place, cell in enumerate(row.cells):
        start = ": " if place == 0 else ", "
        change = _shorten(cell.after) if is_new else f"{_shorten(cell.before)} → {_shorten(cell.after)}"
        yield f"{start}{cell.column} {change}"


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return (line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…") or "(empty)"


def build_update_data(update: RowUpdate) -> dict[str, Any]:
    """Return an update as JSON data. `written` is not part of it."""
    return {
        "ruleset": update.ruleset,
        "table": update.table,
        "sheet": update.sheet,
        "assumed": list(update.assumed),
        "added": [_build_row_data(row) for row in update.added],
        "changed": [_build_row_data(row) for row in update.changed],
        "removed": list(update.removed),
        "missing": list(update.missing),
        "unchanged": update.unchanged,
        "diagnostics": [as_data(each) for each in update.diagnostics],
        "files": sorted(map(str, update.texts or ())),
    }


def _build_row_data(row: RowChange) -> dict[str, Any]:
    return {"id": row.id, "row": row.number, "cells": [_build_cell_data(cell) for cell in row.cells]}


def _build_cell_data(cell: CellChange) -> dict[str, str]:
    return {"column": cell.column, "before": cell.before, "after": cell.after, "cell": cell.cell}
