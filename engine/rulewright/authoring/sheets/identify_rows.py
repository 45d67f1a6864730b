"""Find the row of the table that each row of a sheet is, and make ids for those that are new."""

from __future__ import annotations

import re
import unicodedata

from rulewright.authoring.sheets.read_sheet import SheetRow, Spreadsheet, name_cell
from rulewright.authoring.sheets.sheet_diagnostics import SHEET_COLUMN, SHEET_ROW
from rulewright.authoring.sheets.sheet_table import ID, TITLE, Column, SheetTable
from rulewright.language.declarations import is_reserved
from rulewright.language.schema_shapes import POSITIONS
from rulewright.ruleset.elaborate.node_readers import make_title, read_text
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Mapping

_NAME = "name"
"""A column that names rows if the sheet has no titles."""

_VALID = re.compile(r"[a-z][a-z0-9_]*")

_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})


def make_id(text: str) -> str:
    """Return a text as an id. Empty if it has no Latin letters and no digits.

    >>> make_id("Bell-Ringer's Flail"), make_id("3 Geese"), make_id("Übung")
    ('bell_ringer_s_flail', 'row_3_geese', 'ubung')
    """
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    identity = re.sub(r"[^a-z0-9]+", "_", letters).strip("_")
    if identity and (not identity[0].isalpha() or is_reserved(identity) or identity in POSITIONS):
        return f"row_{identity}"
    return identity


def identify_rows(
    table: SheetTable, sheet: Spreadsheet, places: dict[Column, int], diagnostics: Diagnostics
) -> dict[str, SheetRow]:
    """Return the rows of a sheet by id, in the order of the sheet.

    A row is found by its id, or without one by its title, or else by the id that its title makes. Ids are made only for
    new rows, and each is another one. Rows without an id and without a title, and those that occur twice, are reported
    and left out. A sheet without a column for either is reported, and the result is empty.
    """
    known = {column.key: place for column, place in places.items()}
    naming = next((key for key in (TITLE, _NAME) if key in known and _is_text(table, key)), None)
    if naming is None and ID not in known:
        id_header = next(column.header for column in table.columns if column.key == ID)
        message = "no column has ids or titles, so the rows of the sheet cannot be found again"
        hint = f"add a column `{id_header}` or `{TITLE}`"
        diagnostics.add(SHEET_COLUMN, message, sheet.find_span(sheet.header, 0), suggestion=hint)
        return {}
    by_id: dict[str, SheetRow] = {}
    claimed: dict[int, str] = {}
    """The ids of rows by their number in the sheet."""
    titles = _list_titles(table, naming)
    waiting: list[tuple[SheetRow, str]] = []
    seen: dict[str, SheetRow] = {}

    def claim(identity: str, row: SheetRow, place: int) -> None:
        """Give a row an id. If an earlier row has it, report that instead, with the cell in column `place`."""
        if identity in by_id:
            _report_twice(identity, row, by_id[identity], place, sheet, diagnostics)
        else:
            by_id[identity] = row
            claimed[row.number] = identity

    for row in sheet.rows:
        written = row.get_cell(known[ID]).strip() if ID in known else ""
        title = row.get_cell(known[naming]).strip() if naming is not None else ""
        if written:
            identity = written if written in table.rows or _VALID.fullmatch(written) else make_id(written)
            if identity:
                claim(identity, row, known[ID])
            else:
                _report_letters(written, row, known[ID], sheet, diagnostics)
        elif not title:
            place = known[ID] if ID in known else known[naming or TITLE]
            message = f"{name_cell(row, place)}: row {row.number} has neither an id nor a title"
            diagnostics.add(SHEET_ROW, message, sheet.find_span(row, place))
        elif title in seen:
            _report_twice(title, row, seen[title], known[naming or TITLE], sheet, diagnostics)
        else:
            seen[title] = row
            waiting.append((row, title))
    unknown = []
    for row, title in waiting:
        if title in titles and titles[title] not in by_id:
            claim(titles[title], row, 0)
        else:
            unknown.append((row, title))
    numbers: dict[str, int] = {}
    for row, title in unknown:
        identity = make_id(title)
        if not identity:
            _report_letters(title, row, known[naming or TITLE], sheet, diagnostics)
            continue
        base = identity
        while identity in by_id:
            numbers[base] = numbers.get(base, 1) + 1
            identity = f"{base}_{numbers[base]}"
        claim(identity, row, 0)
    return {claimed[row.number]: row for row in sheet.rows if row.number in claimed}


def _is_text(table: SheetTable, key: str) -> bool:
    return any(column.key == key and column.is_text for column in table.columns)


def _list_titles(table: SheetTable, naming: str | None) -> dict[str, str]:
    """Return the rows of the table by title. Of two rows with the same title, the first one counts."""
    titles: dict[str, str] = {}
    for identity, entry in table.rows.items():
        node = entry.value.get(naming or TITLE) if isinstance(entry.value, Mapping) else None
        title = read_text(node) or (make_title(identity) if naming == TITLE else "")
        if title:
            titles.setdefault(title, identity)
    return titles


def _report_letters(text: str, row: SheetRow, place: int, sheet: Spreadsheet, diagnostics: Diagnostics) -> None:
    message = f"{name_cell(row, place)}: no id can be derived from `{text}`, which has no Latin letters"
    hint = "write an id in a column `id`, using lower-case letters, digits and underscores"
    diagnostics.add(SHEET_ROW, message, sheet.find_span(row, place), suggestion=hint)


def _report_twice(
    name: str, row: SheetRow, first: SheetRow, place: int, sheet: Spreadsheet, diagnostics: Diagnostics
) -> None:
    message = f"{name_cell(row, place)}: `{name}` is in row {first.number} already"
    related = (RelatedSpan(sheet.find_span(first, place), f"row {first.number}"),)
    diagnostics.add(SHEET_ROW, message, sheet.find_span(row, place), related=related)
