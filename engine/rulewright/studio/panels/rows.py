"""The Rows panel, which updates the rows of a table from cells that were pasted, and shows the changes first."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.authoring.sheets.load_rules import find_consequences, load_with_errors
from rulewright.authoring.sheets.read_sheet import PASTED, decode_sheet
from rulewright.authoring.sheets.sheet_table import SheetTable, open_table
from rulewright.authoring.sheets.update_report import build_update_data, summarize_update
from rulewright.authoring.sheets.update_rows import RowUpdate, plan_update
from rulewright.authoring.sheets.write_sheet import format_sheet, list_cells
from rulewright.base.errors import RulewrightError
from rulewright.engine.narration.plain_names import Names
from rulewright.ruleset.boards.board_shape import find_shape
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostic, DiagnosticError
from rulewright.source.files.safe_read import normalize_text
from rulewright.source.source_map import SOURCES
from rulewright.studio.panels.cursor_context import (
    build_diagnostics_data,
    find_around,
    list_fitting,
    make_unread_error,
    read_word,
)
from rulewright.studio.panels.panel import Desk, Panel, PanelRequest


def answer(desk: Desk, request: PanelRequest) -> Mapping[str, Any]:
    """Return the tables of the edition, the one to show, and what a sheet changes in it.

    The table is the one that the request names, or else the one at the cursor. `sheet` has pasted cells, and `file` a
    file in Base64. With `write`, the changes are written, one undo step for each file. Raises `RulewrightError` if no
    edition reads the file, if its rules cannot be read, or if a file has changed meanwhile or is read-only.
    """
    edition, catalogue, at_cursor = _look(desk, request)
    # The texts with the new rows are for this answer only.
    with SOURCES.isolate_thread():
        ruleset, before = load_with_errors(catalogue, edition)
        tables = _list_tables(ruleset)
        name = read_word(request.more, "table") or at_cursor
        identity = name if name in tables else next(iter(tables), "")
        head: dict[str, Any] = {
            "ref": edition.id,
            "thing": None,
            "tables": [{"id": each, "title": title} for each, title in tables.items()],
            "at_cursor": at_cursor if at_cursor in tables else None,
            "table": None,
            "update": None,
            "written": [],
        }
        if not identity:
            return head
        table = open_table(ruleset, identity)
        head |= {"table": _describe_table(table), "thing": {"title": tables[identity]}}
        update = _read_update(table, request)
        if update is None:
            return head
        consequences = find_consequences(update, catalogue, before) if update.texts else []
        data = _build_data(desk, update, consequences)
    if request.more.get("write") and update.texts:
        head["written"] = _write(desk, update)
    return {**head, "update": data}


def _look(desk: Desk, request: PanelRequest) -> tuple[Edition, Catalogue, str]:
    """Return the edition that reads the file, a catalogue of its own, and the table at the cursor, or "".

    Raises `RulewrightError` if no edition reads the file.
    """
    path = desk.files.place(request.path) if request.path else None
    with desk.workspace() as workspace:
        fitting = list_fitting(workspace, path, request.ref)
        edition = next((each for each in fitting if each.status != "abstract"), next(iter(fitting), None))
        if edition is None:
            raise make_unread_error(request.ref)
        around = find_around(workspace, path, request.line, request.column) if path is not None else ()
        catalogue = Catalogue(workspace.get_catalogue().paths)
    table = around[1] if len(around) > 1 and around[0] == "tables" else ""
    return edition, catalogue, table


def _list_tables(ruleset: Ruleset) -> dict[str, str]:
    """Return the titles of all tables that list their rows, by id."""
    names = Names(ruleset)
    return {
        table.id: names.format_words(table.title)
        for table in ruleset.declarations.tables.values()
        if not table.shape or find_shape(table.shape).has_listed_spaces
    }


def _describe_table(table: SheetTable) -> dict[str, Any]:
    return {
        "id": table.table.id,
        "columns": [{"header": column.header, "required": column.is_required} for column in table.columns],
        "cells": list_cells(table),
        "sheet": format_sheet(table, separator="\t"),
    }


def _read_update(table: SheetTable, request: PanelRequest) -> RowUpdate | None:
    """Return what the sheet of a request changes, or None if the request has no sheet.

    The faults of the sheet are in the result. Raises `RulewrightError` if the file is not in Base64.
    """
    remove = bool(request.more.get("removal"))
    encoded, text = read_word(request.more, "file"), read_word(request.more, "sheet")
    if not encoded:
        return plan_update(table, text, PASTED, remove=remove) if text.strip() else None
    name = Path(read_word(request.more, "name")).name or PASTED
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise RulewrightError("`file` must be in Base64") from None
    try:
        text, assumed = decode_sheet(data, name)
    except DiagnosticError as error:
        return RowUpdate(table.ruleset.reference, table.table.id, name, diagnostics=error.diagnostics)
    return plan_update(table, text, name, assumed=assumed, remove=remove)


def _build_data(desk: Desk, update: RowUpdate, consequences: Sequence[Diagnostic]) -> dict[str, Any]:
    data = build_update_data(update)
    for each, diagnostic in zip(data["diagnostics"], update.diagnostics, strict=True):
        each["help"] = diagnostic.help
    return {
        **data,
        "summary": summarize_update(update),
        "consequences": build_diagnostics_data(desk, tuple(consequences)),
        "writes": bool(update.texts),
    }


def _write(desk: Desk, update: RowUpdate) -> list[str]:
    """Write the files of an update, and return the page's names for them.

    Raises `RulewrightError`, before any file is written, if one is read-only or has changed.
    """
    named = []
    for path, (before, _) in (update.texts or {}).items():
        file = desk.files.named(path)
        if file is None or file.readonly:
            raise RulewrightError(f"{path.name} belongs to an edition outside this folder: extend it in your own rules")
        text, version = desk.files.version(file.path) if before is not None else ("", None)
        if before is not None and normalize_text(text) != before:
            raise RulewrightError(f"{file.path} has changed in the meantime: try again")
        named.append((file.path, version))
    for (name, version), (_, after) in zip(named, (update.texts or {}).values(), strict=True):
        desk.files.write(name, after, version)
    return [name for name, _ in named]


PANEL = Panel("Rows", 70, answer, guide="design/spreadsheets.md", command="rows")
