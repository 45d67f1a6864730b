"""A table of the rules as a spreadsheet has it: its columns, and its rows with the layers that they come from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass

from rulewright.authoring.sheets.read_sheet import SheetRow, Spreadsheet, name_cell
from rulewright.authoring.sheets.sheet_diagnostics import SHEET_COLUMN, SHEET_TABLE
from rulewright.base.errors import RulewrightError
from rulewright.engine.narration.plain_names import Names
from rulewright.language.declarations import Table
from rulewright.language.expressions.type_checker import is_count
from rulewright.language.types import TEXT, Dice, Integer, ListOf, Optional, Type, present
from rulewright.ruleset.boards.board_shape import find_shape
from rulewright.ruleset.elaborate.column_formulas import find_column_type
from rulewright.ruleset.elaborate.node_readers import iterate_entries, read_names
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.resolve_layers import lay
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry, Mapping, Node

ID, FACES, TITLE = "id", "on", "title"
"""The columns of a sheet that are no columns of the table."""

_SPELLINGS = {ID: ("id", "row id"), FACES: ("on", "faces"), TITLE: ("title", "name")}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a sheet. `key` is that of a row in YAML, or `ID`. `type` is None for ids and faces."""

    key: str
    header: str
    type: Type | None
    is_count: bool = False

    @property
    def is_required(self) -> bool:
        """Whether each row needs a value."""
        return self.key == FACES or (self.type is not None and self.key != TITLE and not self.may_be_empty)

    @property
    def may_be_empty(self) -> bool:
        """Whether a row without a value is complete."""
        return self.key == TITLE or isinstance(self.type, (Optional, ListOf))

    @property
    def is_number(self) -> bool:
        """Whether a cell has a whole number."""
        return self.type is not None and isinstance(present(self.type), Integer)

    @property
    def is_text(self) -> bool:
        """Whether a cell has text for readers."""
        return self.type is not None and present(self.type) == TEXT

    @property
    def is_roll(self) -> bool:
        """Whether a cell has dice."""
        return self.type is not None and isinstance(present(self.type), Dice)


@dataclass(frozen=True, slots=True, eq=False)
class SheetTable:
    """A table, with its columns as those of a sheet.

    Attributes:
        ruleset: The ruleset that the table belongs to, which may have errors.
        table: The declared table.
        columns: The columns of a sheet.
        spellings: The column that each simplified header names.
        rows: The rows of all layers merged, in order.
        inherited: The rows without those of the top layer.
        own: For each row, its entries in the files of the top layer.
    """

    ruleset: Ruleset
    table: Table
    columns: tuple[Column, ...]
    spellings: ReadOnlyMapping[str, Column]
    rows: ReadOnlyMapping[str, Entry]
    inherited: ReadOnlyMapping[str, Entry]
    own: ReadOnlyMapping[str, tuple[Entry, ...]]

    @property
    def layer(self) -> Layer:
        """The layer to which rows are written."""
        return self.ruleset.resolved.layers[-1]

    def find_column(self, header: str) -> Column | None:
        """Return the column that a header names, or None."""
        return self.spellings.get(simplify_header(header))

    def is_column(self, header: str) -> bool:
        """Return whether a header names a column."""
        return self.find_column(header) is not None


def simplify_header(header: str) -> str:
    """Return a header without differences of case, width and spaces.

    >>> simplify_header(" Hand_Size "), simplify_header("hand  size")
    ('hand size', 'hand size')
    """
    return " ".join(re.split(r"[\s_-]+", unicodedata.normalize("NFKC", header).casefold().strip()))


def open_table(ruleset: Ruleset, identity: str, diagnostics: Sequence[Diagnostic] = ()) -> SheetTable:
    """Return a table of a ruleset, which may have errors. These are `diagnostics`.

    Raises `RulewrightError` if there is no such table, and `DiagnosticError` if errors may be the reason, or if the
    shape of a board determines its rows.
    """
    identity = identity.removeprefix("tables.")
    table = ruleset.declarations.tables.get(identity)
    if table is None:
        Diagnostics(diagnostics).raise_if_errors()
        tables = list(ruleset.declarations.tables)
        hint = suggest_name(identity, tables) or (f"its tables are {_quote(tables)}" if tables else "it has no tables")
        raise RulewrightError(f"{ruleset.reference} has no table `{identity}`: {hint}")
    if table.shape and not find_shape(table.shape).has_listed_spaces:
        message = f"the rows of {identity} are the spaces of a board, so its `{table.shape}` determines them"
        raise DiagnosticError([Diagnostic(SHEET_TABLE, message, table.span)])
    layers = ruleset.resolved.layers
    merged = find_table(lay(layers, Diagnostics()).rules, identity)
    below = find_table(lay(layers[:-1], Diagnostics()).rules, identity) if len(layers) > 1 else None
    columns = _list_columns(table, merged)
    return SheetTable(
        ruleset,
        table,
        columns,
        _spell(columns, merged, Names(ruleset)),
        _list_rows(merged),
        {} if _is_replaced(layers[-1], identity) else _list_rows(below),
        _list_own_rows(layers[-1], identity),
    )


def find_table(rules: Node | None, identity: str) -> Mapping | None:
    """Return a table of rules or of one file, or None."""
    tables = rules.get("tables") if isinstance(rules, Mapping) else None
    node = tables.get(identity) if isinstance(tables, Mapping) else None
    return node if isinstance(node, Mapping) else None


def _list_rows(table: Mapping | None) -> dict[str, Entry]:
    return dict(iterate_entries(table.get("rows") if table is not None else None))


def _is_replaced(layer: Layer, identity: str) -> bool:
    """Return whether a layer replaces the whole table, so that nothing of its rows is inherited."""
    parts = [table for file in layer.files if (table := find_table(file, identity)) is not None]
    return any("replace" in part or "replace" in (part.get("rows") or ()) for part in parts)  # type: ignore[operator]


def _list_own_rows(layer: Layer, identity: str) -> dict[str, tuple[Entry, ...]]:
    """Return the entries of each row in the files of a layer, in the order of the files."""
    own: dict[str, tuple[Entry, ...]] = {}
    for file in layer.files:
        for row, entry in _list_rows(find_table(file, identity)).items():
            own[row] = (*own.get(row, ()), entry)
    return own


def _list_columns(table: Table, node: Mapping | None) -> tuple[Column, ...]:
    """Return the columns of a sheet: ids, faces if the table has a roll, titles, and the declared columns."""
    declared = node.get("columns") if node is not None else None
    types = {name: find_column_type(entry.value) for name, entry in iterate_entries(declared)}
    kinds = {name: kind for name, kind in table.columns.items() if name in types}
    columns = [Column(ID, next(each for each in (*_SPELLINGS[ID], "key") if each not in kinds), None)]
    if table.roll is not None:
        columns.append(Column(FACES, FACES, None))
    columns.append(Column(TITLE, TITLE, TEXT))
    return (*columns, *(Column(name, name, kind, is_count(types[name])) for name, kind in kinds.items()))


def _spell(columns: Sequence[Column], node: Mapping | None, names: Names) -> dict[str, Column]:
    """Return the column of each simplified header: its id, its heading, the noun for it or another usual spelling.

    The id of a column counts before the headings of other ones.
    """
    own = {simplify_header(column.header): column for column in columns}
    spelt: dict[str, Column] = {}
    headings, nouns = (read_names(node.get(key)) if node is not None else {} for key in ("headings", "names"))
    for column in columns:
        words = [each[column.key] for each in (headings, nouns) if column.key in each]
        known = [*_SPELLINGS.get(column.key, ()), *words, *(names.format_words(each) for each in words)]
        for each in known:
            spelt.setdefault(simplify_header(each), column)
    return spelt | own


def match_header(table: SheetTable, sheet: Spreadsheet, diagnostics: Diagnostics) -> dict[Column, int]:
    """Return the place of each column of a sheet. Headers that fit no column, or the same one, are reported.

    A cell beyond the header is reported too.
    """
    places: dict[Column, int] = {}
    listed = _quote(column.header for column in table.columns)
    width = max((len(row.cells) for row in (sheet.header, *sheet.rows)), default=0)
    for place in range(width):
        text = sheet.header.get_cell(place)
        column = table.find_column(text)
        at = name_cell(sheet.header, place)
        if column is not None and column in places:
            first = name_cell(sheet.header, places[column])
            message = f"{at}: `{text.strip()}` and {first} name the same column, `{column.header}`"
            diagnostics.add(SHEET_COLUMN, message, sheet.find_span(sheet.header, place))
        elif column is not None:
            places[column] = place
        elif text.strip():
            message = f"{at}: `{text.strip()}` is not a column of {table.table.id}"
            near = suggest_name(simplify_header(text), table.spellings)
            hint = f"the columns are {listed}" + (f"; {near}" if near else "")
            diagnostics.add(SHEET_COLUMN, message, sheet.find_span(sheet.header, place), suggestion=hint)
        else:
            _report_nameless(sheet, place, diagnostics)
    return places


def _quote(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _report_nameless(sheet: Spreadsheet, place: int, diagnostics: Diagnostics) -> None:
    """Report the first cell in a column without a header."""
    row: SheetRow | None = next((row for row in sheet.rows if row.get_cell(place).strip()), None)
    if row is not None:
        message = f"{name_cell(row, place)}: `{row.get_cell(place).strip()}` is in a column without a name"
        hint = f"write the name of the column into {name_cell(sheet.header, place)}, or delete the cell"
        diagnostics.add(SHEET_COLUMN, message, sheet.find_span(row, place), suggestion=hint)
