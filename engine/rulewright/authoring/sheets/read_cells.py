"""Read the cells of a sheet as values of their columns' types, and report those that do not fit."""

from __future__ import annotations

from collections.abc import Collection

from rulewright.authoring.sheets.cell_values import (
    Value,
    find_decimal_mark,
    format_cell,
    is_fraction,
    read_number,
    read_value,
    split_items,
)
from rulewright.authoring.sheets.read_sheet import SheetRow, Spreadsheet, name_cell
from rulewright.authoring.sheets.sheet_table import FACES, TITLE, Column, SheetTable, simplify_header
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.language.language_diagnostics import WRONG_TYPE
from rulewright.language.types import TEXT, Boolean, Choice, Integer, ListOf, Row, Type, present
from rulewright.ruleset.elaborate.node_readers import read_constant
from rulewright.ruleset.elaborate.table_faces import read_row_faces
from rulewright.ruleset.ruleset_diagnostics import MISSING_CELL
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.diagnostics.suggestions import TRUTHS
from rulewright.source.files.safe_read import normalize_text
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.source.span import Span
from rulewright.source.yaml.core_schema import resolve
from rulewright.source.yaml.yaml_reader import read_unlisted

_TRUTHS = {**TRUTHS, "wahr": "true", "falsch": "false", "vrai": "true", "faux": "false"}
"""Boolean values as people and spreadsheets write them."""


class CellReader:
    """A reader of the cells of one sheet. Errors go to `diagnostics`, with the address of the cell.

    `new_rows` are the ids of rows that the sheet adds to the table, to which its cells may refer.
    """

    def __init__(
        self,
        table: SheetTable,
        sheet: Spreadsheet,
        places: dict[Column, int],
        new_rows: Collection[str],
        diagnostics: Diagnostics,
    ) -> None:
        self.table = table
        self.sheet = sheet
        self.places = places
        self.diagnostics = diagnostics
        numbers = [place for column, place in places.items() if column.is_number]
        self.mark = find_decimal_mark(sheet.separator, (row.get_cell(at) for at in numbers for row in sheet.rows))
        self.is_mark_used = False
        roll = table.table.roll
        self._outcomes = tuple(compute_distribution(roll).outcomes) if roll is not None else ()
        self._new_rows = new_rows
        self._ids: dict[Type, dict[str, str]] = {}
        self._valid: set[tuple[Type, str]] = set()
        """Texts that were read as values of a type without an error."""

    def read(self, row: SheetRow, column: Column, current: Node | None, of: str) -> Value:
        """Return the value of a cell of the row `of`, whose present value is `current`.

        A text that the present value would have in a sheet stands for that value. Another text that does not fit is
        reported, and the present value is returned. An empty cell is None, which is reported if the column needs a
        value, or for some columns of texts an empty text.
        """
        text = normalize_text(row.get_cell(self.places[column]))
        present_value = read_value(current)
        if text == format_cell(current) and (current is not None or column.may_be_empty):
            return present_value
        earlier = len(self.diagnostics)
        if not text.strip():
            if column.is_text:
                return None if column.may_be_empty else text
            if not column.may_be_empty:
                self._report(MISSING_CELL, f"`{of}` needs a value here", row, column)
            return None
        value = self._read(text, row, column)
        return present_value if len(self.diagnostics) > earlier else value

    def _read(self, text: str, row: SheetRow, column: Column) -> Value:
        """Return the value of a text that is not empty. Reports an invalid text. The result then has no meaning."""
        if column.key == TITLE:
            return text.strip()
        if column.is_text:
            return text
        if column.key == FACES:
            return self._read_faces(text, row, column)
        assert column.type is not None
        kind = present(column.type)
        if isinstance(kind, ListOf):
            inner = kind.inner
            return tuple(self._read_scalar(item, inner, row, column) for item in self._list_items(text, row, column))
        return self._read_scalar(text.strip(), column.type, row, column)

    def _read_faces(self, text: str, row: SheetRow, column: Column) -> Value:
        """Return the faces of a row: a single one as text, several as a tuple.

        Reports faces that the roll does not have.
        """
        items = split_items(text, column)
        span = self._find_span(row, column)
        faults = Diagnostics()
        read_row_faces(Sequence(tuple(_make_node(item, span) for item in items), span), self._outcomes, faults)
        self._pass_on(faults, row, column)
        return items[0] if len(items) == 1 else items

    def _list_items(self, text: str, row: SheetRow, column: Column) -> tuple[str, ...]:
        """Return the elements of a list. If a text begins with a bracket but is no list, report that and return ()."""
        if not text.strip().startswith("["):
            return split_items(text, column)
        try:
            node = read_unlisted(text.strip(), self.sheet.name)
        except DiagnosticError:
            node = None
        if isinstance(node, Sequence) and all(isinstance(item, Scalar) for item in node.items):
            return tuple(item.text for item in node.items if isinstance(item, Scalar))
        message = f"`{text.strip()}` is not a list: put commas between its elements, and brackets around all of them"
        self._report(WRONG_TYPE, message, row, column)
        return ()

    def _read_scalar(self, text: str, kind: Type, row: SheetRow, column: Column) -> str:
        """Return the text of a value of a type, as the rules write it.

        Reports a text that is no such value. The result then has no meaning.
        """
        type_ = present(kind)
        if type_ == TEXT:
            return text
        if isinstance(type_, Integer):
            number = read_number(text, self.mark)
            if number is not None:
                self.is_mark_used |= number != text and is_fraction(text)
                if column.is_count and number.startswith("-"):
                    self._report(WRONG_TYPE, f"this is {number}, and cannot be below 0", row, column)
                return number
            if is_fraction(text):
                hint = None if self.mark else "write thousands without a mark between them"
                self._report(WRONG_TYPE, f"`{text}` is not a whole number", row, column, hint)
                return text
        if isinstance(type_, Boolean) and text.casefold() in _TRUTHS:
            return _TRUTHS[text.casefold()]
        if isinstance(type_, (Row, Choice)):
            ids = self._find_ids(type_)
            known = ids.get(text) or ids.get(simplify_header(text))
            if known is not None:
                return known
        if (kind, text) not in self._valid:
            faults = Diagnostics()
            _, value = read_constant(
                _make_node(text, self._find_span(row, column)),
                self.table.ruleset.declarations,
                faults,
                expected=kind,
            )
            if column.is_count and isinstance(value, int) and value < 0:
                faults.add(WRONG_TYPE, f"this is {value}, and cannot be below 0", self._find_span(row, column))
            self._pass_on(faults, row, column)
            if not faults.errors:
                self._valid.add((kind, text))
        return text

    def _find_ids(self, kind: Row | Choice) -> dict[str, str]:
        """Return the ids of a closed set by their spellings: ids and titles, simplified, but no title of several."""
        if kind in self._ids:
            return self._ids[kind]
        if isinstance(kind, Choice):
            titles = dict.fromkeys(kind.ids, "")
        else:
            rows = self.table.ruleset.declarations.tables[kind.table].rows
            titles = {row.id: row.title for row in rows.values()}
            if kind.table == self.table.table.id:
                titles |= {row: titles.get(row, "") for row in self._new_rows}
        named: dict[str, str] = {}
        for spellings in (titles, dict(zip(titles, titles, strict=True))):
            counted: dict[str, list[str]] = {}
            for row, spelling in spellings.items():
                counted.setdefault(simplify_header(spelling), []).append(row)
            named |= {each: rows[0] for each, rows in counted.items() if len(rows) == 1 and each}
        self._ids[kind] = {**named, **{row: row for row in titles}}
        return self._ids[kind]

    def _find_span(self, row: SheetRow, column: Column) -> Span:
        return self.sheet.find_span(row, self.places[column])

    def _pass_on(self, faults: Diagnostics, row: SheetRow, column: Column) -> None:
        for each in faults:
            hint = str(each.suggestion) if each.suggestion is not None else None
            self._report(each.code, each.message, row, column, hint)

    def _report(self, code: Code, message: str, row: SheetRow, column: Column, suggestion: str | None = None) -> None:
        """Report a fault of a cell, with its address and the header of its column."""
        at = f"{name_cell(row, self.places[column])}, {column.header}"
        self.diagnostics.add(code, f"{at}: {message}", self._find_span(row, column), suggestion=suggestion)


def _make_node(text: str, span: Span) -> Scalar:
    value = resolve(text, digits=1_000)
    return Scalar(text, text if not isinstance(value, (bool, int, float, str, type(None))) else value, span, raw="")
