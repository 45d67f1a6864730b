"""Read the text of a spreadsheet: what was pasted, or a file with separated values."""

from __future__ import annotations

import codecs
import csv
import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from rulewright.authoring.sheets.sheet_diagnostics import SHEET_UNREADABLE
from rulewright.base.errors import replace_surrogates
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.files.safe_read import (
    DEFAULT_LIMITS,
    FILE_MISSING,
    FILE_TOO_LARGE,
    NOT_UTF8,
    check_size,
    normalize_text,
    read_regular,
)
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas"}
"""The separators that spreadsheets write, with their names."""

PASTED = "<pasted cells>"
"""The file name of cells that come from no file."""

_WORKBOOKS = {b"PK\x03\x04": "an Excel or OpenDocument workbook", b"\xd0\xcf\x11\xe0": "an Excel workbook"}
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_SEPARATOR_LINE = re.compile(r'"?sep=([\t;,])"?\n', re.IGNORECASE)
"""The first line by which Excel learns the separator. It is no row of the sheet."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row with its cells. `number` is its number in the spreadsheet, and `line` its first line in the text."""

    number: int
    line: int
    cells: tuple[str, ...]

    def get_cell(self, column: int) -> str:
        """Return the text of a cell, which is empty beyond the end of the row."""
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Spreadsheet:
    r"""The cells of a spreadsheet, without empty rows.

    Attributes:
        name: The name of its file, for diagnostics.
        header: The first row.
        rows: The other rows.
        separator: The character between two cells.
        assumed: What was assumed in order to read it, one phrase each.
        quoted: Whether quotation marks enclose cells.
        lines: The lines of the text, with `\n` as line breaks.
    """

    name: str
    header: SheetRow
    rows: tuple[SheetRow, ...]
    separator: str
    assumed: tuple[str, ...]
    quoted: bool
    lines: tuple[str, ...]

    def find_span(self, row: SheetRow, column: int) -> Span:
        """Return the span of the first line of a cell, or of the end of the row if it has no such cell."""
        at, line = 0, row.line
        for _ in range(column):
            line, at = self._skip_cell(line, at)
            if at < 0:
                break
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        if at < 0:
            return Span(self.name, line, len(text) + 1, line, len(text) + 1)
        next_line, next_at = self._skip_cell(line, at)
        last = next_at - 1 if next_line == line and next_at > 0 else len(text)
        return Span(self.name, line, at + 1, line, last + 1)

    def _skip_cell(self, line: int, at: int) -> tuple[int, int]:
        """Return where the cell after the one at a position begins. The position is -1 after the last one of a row."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        if self.quoted and text[at : at + 1] == '"':
            at += 1
            while True:
                at = text.find('"', at)
                if at < 0 and line < len(self.lines):
                    line, at = line + 1, 0
                    text = self.lines[line - 1]
                elif at >= 0 and text[at + 1 : at + 2] == '"':
                    at += 2
                else:
                    break
        end = text.find(self.separator, max(at, 0))
        return (line, end + 1) if end >= 0 else (line, -1)


def name_cell(row: SheetRow, column: int) -> str:
    """Return the address of a cell as spreadsheets show it: `C7` for the third cell of row 7.

    >>> name_cell(SheetRow(7, 7, ()), 2), name_cell(SheetRow(1, 1, ()), 26)
    ('C7', 'AA1')
    """
    letters = ""
    column += 1
    while column:
        column, place = divmod(column - 1, 26)
        letters = chr(ord("A") + place) + letters
    return f"{letters}{row.number}"


def find_sheet(rules: Path, table: str) -> Path | None:
    """Return the file with the rows of a table, which has its name and is beside a rules file, or None."""
    if re.fullmatch(r"\w+", table) is None:
        return None
    paths = (rules.with_name(f"{table}{ending}") for ending in (".csv", ".tsv"))
    return next((path for path in paths if path.is_file()), None)


def read_sheet_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file. Raises `DiagnosticError` if it is missing, unreadable, too large, or no file."""
    file = os.fspath(path)
    try:
        return read_regular(Path(file), DEFAULT_LIMITS.bytes)
    except FileNotFoundError:
        _refuse(FILE_MISSING, f"there is no file `{file}`", Span.for_file(file))
    except (OSError, ValueError) as error:  # ValueError means a NUL in the name
        if isinstance(error, OSError) and error.errno == errno.EFBIG:
            _refuse(FILE_TOO_LARGE, f"`{file}` has more than {DEFAULT_LIMITS.bytes:,} bytes", Span.for_file(file))
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        _refuse(SHEET_UNREADABLE, f"`{file}` cannot be read: {reason[:1].lower()}{reason[1:]}", Span.for_file(file))


def decode_sheet(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    r"""Return the text of a file with `\n` as line breaks, and what was assumed to read it.

    Raises `DiagnosticError` for a file that is too large, a workbook, any other binary file, or an unknown encoding.
    """
    SOURCES.forget(name)  # another sheet may have had this name
    check_size(len(data), name, DEFAULT_LIMITS)
    for mark, what in _WORKBOOKS.items():
        if data.startswith(mark):
            _refuse(SHEET_UNREADABLE, f"`{name}` is {what}, not text", Span.for_file(name))
    encoding = next((encoding for mark, encoding in _UTF16.items() if data.startswith(mark)), "utf-8-sig")
    try:
        text = normalize_text(data.decode(encoding))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        SOURCES.remember(name, normalize_text(data.decode(encoding, errors="replace")))
        at = Span(name, line, 1, line, 1)
        if encoding != "utf-8-sig" or b"\0" in data:
            _refuse(SHEET_UNREADABLE, f"`{name}` is a binary file, not text", at)
        message = f"the byte 0x{data[error.start]:02X} in line {line} is not UTF-8"
        _refuse(NOT_UTF8, message, at, 'export it again, as "CSV UTF-8" or with the character set UTF-8')
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        SOURCES.remember(name, text)
        _refuse(SHEET_UNREADABLE, f"`{name}` is a binary file, not text", Span(name, line, 1, line, 1))
    if encoding != "utf-8-sig":
        return text, ("the file is UTF-16",)
    return text, ("the file is UTF-8 with a byte order mark",) if data.startswith(codecs.BOM_UTF8) else ()


def parse_sheet(text: str, name: str, is_column: Callable[[str], bool]) -> Spreadsheet:
    """Return the cells of a text. `is_column` tells headers that fit, by which the separator is chosen.

    Remembers the text under `name` for diagnostics. Raises `DiagnosticError` for a text that is too large or without
    cells, and if a quotation mark is never closed.
    """
    check_size(len(text.encode("utf-8", errors="surrogatepass")), name, DEFAULT_LIMITS)
    text = replace_surrogates(normalize_text(text))
    SOURCES.remember(name, text)
    lines = tuple(text.split("\n"))
    separator_line = _SEPARATOR_LINE.match(text)
    first = 2 if separator_line else 1
    assumed = []
    if separator_line:
        separator = separator_line.group(1)
    else:
        separator = _choose_separator(lines, is_column)
        if any(separator in line for line in lines):
            assumed.append(f"cells are separated by {SEPARATORS[separator]}")
    quoted = True
    try:
        try:
            rows = list(_read_rows(lines, first, separator, quoted))
        except csv.Error:
            if separator != "\t":
                raise
            # Cells that were copied are quoted only if they have line breaks.
            quoted = False
            assumed.append("quotation marks are part of the cells")
            rows = list(_read_rows(lines, first, separator, quoted))
    except csv.Error as error:
        _refuse_cells(error, lines, first, separator, name)
    rows = [row for row in rows if any(cell.strip() for cell in row.cells)]
    if not rows or not set(text) - set('"\n ' + "".join(SEPARATORS)):
        hint = "the first row names columns, and each row below it is a row of the table"
        _refuse(SHEET_UNREADABLE, "the sheet is empty", Span.for_file(name), hint)
    return Spreadsheet(name, rows[0], tuple(rows[1:]), separator, tuple(assumed), quoted, lines)


def _choose_separator(lines: tuple[str, ...], is_column: Callable[[str], bool]) -> str:
    """Return the separator with which the first row has the most headers that fit, or else the most cells."""

    def rate(separator: str) -> tuple[int, int]:
        """Return the number of headers that fit, and of cells in the first row, with a separator."""
        try:
            rows = _read_rows(lines, 1, separator, True)
            header = next((row.cells for row in rows if any(cell.strip() for cell in row.cells)), ())
        except csv.Error:
            header = tuple(next(filter(str.strip, lines), "").split(separator))
        return sum(map(is_column, header)), len(header)

    return max(SEPARATORS, key=rate)


def _read_rows(lines: tuple[str, ...], first: int, separator: str, quoted: bool) -> Iterator[SheetRow]:
    """Yield the rows from line `first` on. Raises `csv.Error` if quotation marks do not fit."""
    last = len(lines) - (not lines[-1])
    reader = csv.reader(
        (f"{line}\n" for line in lines[first - 1 : last]),
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=True,
    )
    start = 0
    for number, cells in enumerate(reader, start=1):
        yield SheetRow(number, start + first, tuple(cells))
        start = reader.line_num


def _refuse_cells(error: csv.Error, lines: tuple[str, ...], first: int, separator: str, name: str) -> NoReturn:
    """Raise `DiagnosticError` at the row that cannot be split into cells."""
    line = first
    with suppress(csv.Error):
        for row in _read_rows(lines, first, separator, True):
            line = row.line + 1 + sum(cell.count("\n") for cell in row.cells)
    text = lines[line - 1] if line <= len(lines) else ""
    message = f"the row that begins in line {line} cannot be split into cells: {error}"
    hint = 'put a cell with quotation marks in quotation marks, and double those within: `"5"" nail"`'
    _refuse(SHEET_UNREADABLE, message, Span(name, line, 1, line, len(text) + 1), hint)


def _refuse(code: Code, message: str, span: Span, suggestion: str | None = None) -> NoReturn:
    raise DiagnosticError([Diagnostic(code, message, span, suggestion=suggestion)]) from None
