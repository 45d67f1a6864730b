"""Declare tables: columns, rows, cells, board spaces, and the faces of roll tables."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import replace
from functools import partial
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.language import language_diagnostics as language_codes
from rulewright.language.checked_steps import read_names as read_step_names
from rulewright.language.declarations import Declarations, StepsColumn, Table, TableRow
from rulewright.language.expressions.evaluator import as_roll
from rulewright.language.expressions.name_resolution import list_ids
from rulewright.language.expressions.type_checker import is_count, read_type
from rulewright.language.types import TEXT, Dice, ListOf, Optional, Type, present
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.boards.board_layout import TOWARD, BoardLayout
from rulewright.ruleset.boards.board_shape import find_shape, find_shape_key, lay_out_board
from rulewright.ruleset.elaborate.column_formulas import (
    check_column,
    find_column_type,
    find_default,
    is_computed,
)
from rulewright.ruleset.elaborate.combined_rows import combine_rows, list_combined_tables
from rulewright.ruleset.elaborate.elaboration import LazyMapping, Trail
from rulewright.ruleset.elaborate.node_readers import iterate_entries, make_title, read_constant, read_names, read_text
from rulewright.ruleset.elaborate.placement_rows import NOUNS, place_pieces, read_placements
from rulewright.ruleset.elaborate.row_procedures import find_steps, iterate_steps_columns
from rulewright.ruleset.elaborate.table_faces import Cover, read_row_faces
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.ruleset_diagnostics import UNKNOWN_COLUMN
from rulewright.ruleset.schema.canonical_form import holds_step
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

OWN_KEYS = ("on", "title", "reviewed")


def _instead_of_faces(row: str, on: Node, table: Mapping) -> str:
    """Return a hint for a row that has faces although the table is not rolled on.

    `on` is the node with the faces, which may have been meant as something else.
    """
    if read_text(on).casefold() in ("none", "null", "no", "delete", "~", "-"):
        return f"to delete the row, write `{row}: {{delete: true}}`"
    columns = [name for name, _ in iterate_entries(table.get("columns"))]
    if columns:
        return f"give it a value for each column, such as `{row}: {{{columns[0]}: …}}`; or give the table a `roll:`"
    return "give the table a `roll:`"


def declare_tables(
    rules: Mapping, declarations: Declarations, diagnostics: Diagnostics, top: Layer | None = None
) -> None:
    """Declare every table and its rows, without columns, and without cells except those of a board's shape.

    `fill_tables` adds the others once all tables and kinds are known. Errors in rolls, faces, combinations and boards
    go to `diagnostics`, and so do columns among the rows and tables without rows. `top` is the top layer, in which
    diagnostics suggest fixes, or None for no such fixes.
    """
    names = [identity for identity, _ in iterate_entries(rules.get("tables"))]
    for identity, entry in _in_order_of_use(rules):
        assert isinstance(entry.value, Mapping)
        reported = len(diagnostics)
        node = _compute_rows(identity, entry.value, rules, declarations, diagnostics)
        is_impossible = len(diagnostics) > reported
        roll = _roll(node.get("roll"), declarations, diagnostics)
        rows: dict[str, TableRow] = {}
        by_face: dict[int, str] = {}
        outcomes = tuple(compute_distribution(roll).outcomes) if roll is not None else ()
        shape = find_shape_key(node)
        shape_name, ways = "", dict[str, str]()
        several: tuple[str, ...] = ()
        if shape:
            earlier = len(diagnostics)
            board = lay_out_board(identity, node, diagnostics)
            is_impossible = len(diagnostics) > earlier
            shape_name = board.shape or shape
            ways, several = {**dict.fromkeys(board.several, ""), **board.ways}, board.several
            for place, (given, cells) in board.places.items():
                written = _read(node, place)
                own = read_text(written.value.get("title")) if written and isinstance(written.value, Mapping) else ""
                span = written.span if written else entry.span
                rows[place] = TableRow(place, (), cells, span, own or given, given if own else "")
            if not _lists_rows(shape_name) and not is_impossible:
                _check_places(identity, node, shape, rows, diagnostics)
        strays = {} if shape else find_stray_columns(identity, node)
        diagnostics.extend(strays.values())
        faulty = set(strays)
        for row, row_entry in iterate_entries(None if shape else node.get("rows")):
            if row in strays:
                continue
            value = row_entry.value
            on = value.get("on") if isinstance(value, Mapping) else None
            earlier = len(diagnostics)
            faces = read_row_faces(on, outcomes, diagnostics) if roll is not None else ()
            if len(diagnostics) > earlier:
                faulty.add(row)
            if on is not None and "roll" not in node:
                diagnostics.add(
                    ruleset_diagnostics.UNKNOWN_COLUMN,
                    f"{identity} has no `roll:`, so `{row}` cannot have faces",
                    on.span,
                    suggestion=_instead_of_faces(row, on, node),
                )
            name = read_text(value.get("title")) if isinstance(value, Mapping) else ""
            rows[row] = TableRow(row, faces, {}, row_entry.span, name or make_title(row))
        if not rows and not is_impossible:
            diagnostics.add(ruleset_diagnostics.NO_ROWS, f"{identity} has no rows", entry.key.span)
        if roll is not None:
            by_face = Cover(identity, rows, outcomes, node, faulty, top).check(diagnostics)
        name, nouns = read_text(node.get("title")) or make_title(identity), read_names(node.get("names"))
        placements = read_placements(node)
        given_nouns = NOUNS if placements is not None else {way: text for way, text in ways.items() if text}
        nouns = {**given_nouns, **nouns}
        table = Table(identity, name, roll, {}, rows, entry.span, by_face, nouns, shape_name, tuple(ways), several)
        declarations.tables[identity] = replace(table, placements=placements)
    for identity in names:
        declarations.tables[identity] = declarations.tables.pop(identity)
    for identity, entry in iterate_entries(rules.get("tables")):
        form = entry.value.get(find_shape_key(entry.value)) if isinstance(entry.value, Mapping) else None
        named = form.get("directions") if isinstance(form, Mapping) else None
        if isinstance(named, Scalar):
            _point_to_neighbours(declarations.tables, identity, named, diagnostics)


def _point_to_neighbours(tables: dict[str, Table], board: str, named: Scalar, diagnostics: Diagnostics) -> None:
    """Give every space of a board its neighbours by direction. `named` is the id of the table of directions.

    Reports a table that does not exist, and rows that are not directions of the board. The board then stays as it is.
    """
    table = tables[board]
    directions = tables.get(named.text)
    if directions is None or named.text == board:
        hint = suggest_name(named.text, [each for each in tables if each != board])
        message = (
            f"the directions of {board} must be the rows of another table, but `{named.text}` is not another table"
        )
        diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, named.span, suggestion=hint)
        return
    single = [way for way in table.ways if way not in table.several]
    strays = [row for row in directions.rows.values() if row.id not in single]
    for row in strays if table.rows else ():
        unused = [way for way in single if way not in directions.rows]
        hint = suggest_name(row.id, unused) or list_ids(single)
        message = f"`{row.id}` of {named.text} is not a direction of {board}"
        related = (RelatedSpan(named.span, "its directions are named here"),)
        diagnostics.add(ruleset_diagnostics.BAD_GRID, message, row.span, related=related, suggestion=hint)
    if strays:
        return
    tables[board] = replace(table, directions=named.text, called={TOWARD: "neighbour"} | dict(table.called))
    for space in table.rows.values():
        assert isinstance(space.cells, dict)
        space.cells[TOWARD] = tuple(space.cells[way] for way in directions.rows)


def _compute_rows(
    identity: str, node: Mapping, rules: Mapping, declarations: Declarations, diagnostics: Diagnostics
) -> Mapping:
    """Return a table with the rows that it combines or places, or as it is if it lists its rows."""
    tables = rules.get("tables")
    assert isinstance(tables, Mapping)
    placed = read_placements(node)
    if placed is not None:
        pieces = tables.get(placed.of)
        if isinstance(pieces, Mapping) and placed.of != identity:
            pieces = combine_rows(placed.of, pieces, tables.entries, declarations, Diagnostics())
        return place_pieces(identity, node, pieces, declarations, diagnostics)
    return combine_rows(identity, node, tables.entries, declarations, diagnostics)


def _list_sources(node: Node) -> list[str]:
    """Return the tables of whose rows the rows of a table are made."""
    placed = read_placements(node)
    return [*list_combined_tables(node), *((placed.of, placed.on) if placed is not None else ())]


def _in_order_of_use(rules: Mapping) -> Iterator[tuple[str, Entry]]:
    """Yield every table after those of whose rows its own are made. Of a circle, the first in the file comes first."""
    waiting = dict(iterate_entries(rules.get("tables")))
    while waiting:
        ready = {
            identity: entry
            for identity, entry in waiting.items()
            if not any(other in waiting for other in _list_sources(entry.value))
        } or dict([next(iter(waiting.items()))])
        yield from ready.items()
        waiting = {identity: entry for identity, entry in waiting.items() if identity not in ready}


def _lists_rows(shape: str) -> bool:
    """Return whether the rules list the rows of a table with this board shape, or with none."""
    return not shape or find_shape(shape).has_listed_spaces


def _read(node: Mapping, place: str) -> Entry | None:
    rows = node.get("rows")
    return rows.entries.get(place) if isinstance(rows, Mapping) else None


def _check_places(
    identity: str, node: Mapping, shape: str, places: ReadOnlyMapping[str, TableRow], diagnostics: Diagnostics
) -> None:
    """Report the first row of a board that is not one of its spaces, and rows that have faces."""
    for row, entry in iterate_entries(node.get("rows")):
        if row in places:
            if isinstance(entry.value, Mapping) and _is_bare(entry.value):
                hint = _instead_of_faces(row, entry.value.entries["on"].value, node)
                message = f"{identity} has no `roll:`, so `{row}` cannot have faces"
                diagnostics.add(ruleset_diagnostics.UNKNOWN_COLUMN, message, entry.value.span, suggestion=hint)
            continue
        message = f"the rows of {identity} are the spaces of its board, but `{row}` is not one of them"
        # Whichever key an upper layer added later is the one to fix.
        first, second = (key for key in node.entries if key in (shape, "rows"))
        at = entry.key.span if second == "rows" else node.find_key_span(second)
        related = (RelatedSpan(node.find_key_span(first), f"its `{first}` is here"),)
        hint = suggest_name(row, list(places)) or f"{list_ids(list(places))}; put other rows in another table"
        diagnostics.add(language_codes.UNKNOWN_ROW, message, at, related=related, suggestion=hint)
        return


def _roll(node: Node | None, declarations: Declarations, diagnostics: Diagnostics) -> Roll | None:
    """Return the roll of a table, or None if it has none.

    A roll that is invalid or too large is reported, and also None.
    """
    if not isinstance(node, Scalar):
        return None
    try:
        roll = declarations.read_dice(node.text)
        compute_distribution(roll)
    except DiceError as error:
        span = node.position(error.start, max(1, error.end - error.start))
        diagnostics.add(language_codes.DICE_NOTATION, error.message, span, suggestion=error.suggestion)
        return None
    return roll


def fill_tables(rules: Mapping, declarations: Declarations, diagnostics: Diagnostics, trail: Trail) -> None:
    """Read the type of every column, and register every cell to be computed on demand. Changes the declared tables.

    Errors of columns, unknown columns of rows and missing cells are reported now, and errors in a cell when it is first
    read.
    """
    nodes = {
        # What cannot be combined was reported when the table was declared.
        identity: _compute_rows(identity, entry.value, rules, declarations, Diagnostics())
        for identity, entry in iterate_entries(rules.get("tables"))
        if isinstance(entry.value, Mapping)
    }
    for identity, node in nodes.items():
        assert isinstance(node, Mapping)
        columns = declarations.tables[identity].columns
        assert isinstance(columns, dict)
        own = list_own_columns(declarations.tables[identity])
        columns.update(own)
        steps = dict(iterate_steps_columns(node))
        for name, entry in iterate_entries(node.get("columns")):
            if name in (*OWN_KEYS, *own):
                message = f"every row already has `{name}`, so no column can have that name"
                diagnostics.add(ruleset_diagnostics.NAME_CLASH, message, entry.key.span)
                continue
            check_column(entry, diagnostics)
            if name not in steps and not is_computed(entry.value):
                columns[name] = read_type(find_column_type(entry.value), declarations, diagnostics)
        for name, entry in iterate_entries(node.get("columns")):
            if name in steps:
                _declare_steps(declarations.tables[identity], node, entry, steps[name], declarations, diagnostics)
    for identity, node in nodes.items():
        assert isinstance(node, Mapping)
        table = declarations.tables[identity]
        declared = table.rows
        assert isinstance(declared, dict)
        if set(table.columns) == set(list_own_columns(table)) and "rows" not in node:
            continue
        results = {row: _Row(table, declared[row], node, declarations, trail) for row in declared}
        for row, each in results.items():
            declared[row] = replace(declared[row], cells=each.cells())
        _report_lacking(table, node, results, diagnostics)


def _declare_steps(
    table: Table, node: Mapping, entry: Entry, form: Mapping, declarations: Declarations, diagnostics: Diagnostics
) -> None:
    """Declare a column of steps, and report rows that lack steps although the column or its results require them.

    Default steps are reported if the rows of the table are not listed one by one.
    """
    assert isinstance(table.steps, dict)
    name = entry.key.text
    if "default" in form and ("every" in node or not _lists_rows(table.shape)):
        message = f"the rows of {table.id} are not listed one by one, so they cannot have default steps"
        hint = "write the steps in a procedure, and call it where a row takes effect"
        code = ruleset_diagnostics.BAD_COMBINATION if "every" in node else ruleset_diagnostics.BAD_GRID
        diagnostics.add(code, message, form.find_key_span("default"), suggestion=hint)
    given, gives = (
        {key: read_type(each.value, declarations, diagnostics) for key, each in iterate_entries(form.get(part))}
        for part in ("given", "gives")
    )
    required = read_text(form.get("every_row")) == "true"
    # Without steps there are no results, so rows need steps unless all results are optional.
    produced = [key for key, kind in gives.items() if not isinstance(kind, Optional)]
    text = _find_text_column(table, form, diagnostics)
    wording = read_text(entry.value.get("wording")) if isinstance(entry.value, Mapping) else ""
    called, clauses = read_step_names(form.get("names"))
    table.steps[name] = StepsColumn(
        name, given, gives, required, entry.key.span, text, wording, called=called, clauses=clauses
    )
    if not required and not produced:
        return
    for row in table.rows.values():
        written = _read(node, row.id)
        if written is None or find_steps(written.value, name, form) is None:
            why = "which the column requires" if required else f"which give `{produced[0]}`"
            message = f"`{row.id}` of {table.id} has no steps in `{name}`, {why}"
            hint = f"add `{name}:` to the row, or `default:` to the column"
            diagnostics.add(ruleset_diagnostics.MISSING_CELL, message, row.span, suggestion=hint)


def _find_text_column(table: Table, form: Mapping, diagnostics: Diagnostics) -> str:
    """Return the column with the texts for a column of steps, or empty.

    Reports a column that does not exist or has no texts, and then returns empty.
    """
    named = form.get("text")
    if not isinstance(named, Scalar) or present(table.columns.get(named.text, TEXT)) == TEXT:
        if not isinstance(named, Scalar) or named.text in table.columns:
            return read_text(named)
        hint = suggest_name(named.text, table.columns) or f"declare it above, as `{named.text}: optional text`"
        message = f"{table.id} has no column `{named.text}`"
        diagnostics.add(UNKNOWN_COLUMN, message, named.span, suggestion=hint)
        return ""
    message = f"`{named.text}` is {table.columns[named.text]}, not text"
    diagnostics.add(language_codes.WRONG_TYPE, message, named.span)
    return ""


def _report_lacking(table: Table, node: Mapping, rows: ReadOnlyMapping[str, _Row], diagnostics: Diagnostics) -> None:
    """Report missing cells by row, or once per column if the rows are not listed one by one.

    Nothing is reported for a board if it lists a row that is not one of its spaces.
    """
    if _lists_rows(table.shape) and "every" not in node and table.placements is None:
        for row in rows.values():
            if row.lacking:
                named = join_alternatives((f"`{name}`" for name in row.lacking), word="and no")
                diagnostics.add(
                    ruleset_diagnostics.MISSING_CELL, f"`{row.row.id}` of {table.id} has no {named}", row.row.span
                )
        return
    if any(row not in table.rows for row, _ in iterate_entries(node.get("rows"))):
        # A row that is not a space of the board was reported. Perhaps the table is not meant as a board.
        return
    for name, entry in iterate_entries(node.get("columns")):
        places = [row.row.id for row in rows.values() if name in row.lacking]
        if places:
            more = f" and {len(places) - 1:,} more" if len(places) > 1 else ""
            message = f"the column `{name}` of {table.id} has no value for `{places[0]}`{more}"
            diagnostics.add(
                ruleset_diagnostics.MISSING_CELL, message, entry.value.span, suggestion=_suggest_default(entry)
            )


def _suggest_default(column: Entry) -> str:
    """Return a hint for a column without values."""
    if not isinstance(column.value, Scalar):
        return "add `default: …`, or make its type `optional`"
    return f"give it a default: `{column.key.text}: {{type: {column.value.text}, default: …}}`, or make it `optional`"


def list_own_columns(table: Table) -> ReadOnlyMapping[str, Type]:
    """Return the columns that a table has because it is a board."""
    ways = {way: "" for way in table.ways if way not in table.several}
    return (
        BoardLayout(ways=ways, several=table.several, directions=table.directions).list_columns(table.id)
        if table.shape
        else {}
    )


class _Row:
    """A row while its cells are read."""

    def __init__(self, table: Table, row: TableRow, node: Mapping, declarations: Declarations, trail: Trail) -> None:
        rows = node.get("rows")
        columns = node.get("columns")
        self.table = table
        self.row = row
        self.laid_out = row.cells
        self.lacking: list[str] = []
        self.written = rows.get(row.id) if isinstance(rows, Mapping) else None
        self.columns = columns if isinstance(columns, Mapping) else None
        # The cells were read as faces, which was reported.
        self.is_misread = "roll" not in node and isinstance(self.written, Mapping) and "on" in self.written
        self.declarations = declarations
        self.diagnostics = trail.diagnostics
        self.trail = trail

    def cells(self) -> LazyMapping[Any]:
        """Return a mapping that computes the cell of each column on demand.

        A missing cell is an empty list or None. The call itself adds the missing cells of types that are neither list
        nor optional to `lacking` (not for a misread row), and reports unknown columns, cells that the shape of the
        board determines, and columns of steps with anything but steps. Errors in a cell are reported on demand.
        """
        cells: LazyMapping[Any] = LazyMapping(self.trail, lambda name: _default(self.table.columns[name]))
        for name, entry in iterate_entries(self.written):
            known = (*self.table.columns, *self.table.formulas, *self.table.steps, *OWN_KEYS)
            if name in self.table.steps:
                self._refuse_value(name, entry.value)
            elif name not in known:
                hint = suggest_name(name, known)
                message = f"{self.table.id} has no column `{name}`"
                self.diagnostics.add(ruleset_diagnostics.UNKNOWN_COLUMN, message, entry.key.span, suggestion=hint)
        for name, kind in self.table.columns.items():
            if name in self.laid_out:
                cells.promise(name, partial(self.laid_out.__getitem__, name), self.table.id, self.row.span)
                self._refuse_change(name)
                continue
            value = self._find(name)
            place = f"{self.table.id}.{self.row.id}.{name}"
            if value is not None:
                cells.promise(name, partial(self._cell, name, value), place, value.span)
                continue
            cells.promise(name, partial(_default, kind), place, self.row.span)
            self._require(name, kind)
        for name, column in self.table.formulas.items():
            if self._find(name) is None:
                self._require(name, column.type)
        return cells

    def _find(self, name: str) -> Node | None:
        """Return the node with the cell of a column, or else the default of the column, or None."""
        value = self.written.get(name) if isinstance(self.written, Mapping) else None
        return value if value is not None else find_default(self.columns.get(name) if self.columns else None)

    def _require(self, name: str, kind: Type) -> None:
        """Note a missing cell, unless its type allows that."""
        if not isinstance(kind, (Optional, ListOf)):
            self.lacking += () if self.is_misread else (name,)

    def _refuse_value(self, name: str, node: Node) -> None:
        """Report a cell of a column of steps that is not a list of steps."""
        if not isinstance(node, Sequence) or not all(isinstance(item, Mapping) for item in node.items):
            message = f"`{name}` is a column of steps, so a list of steps is needed here, not {node.kind}"
            self.diagnostics.add(language_codes.STEP_SHAPE, message, node.span)

    def _refuse_change(self, name: str) -> None:
        """Report a cell that a row sets although the shape of the board determines it."""
        if not _lists_rows(self.table.shape) and isinstance(self.written, Mapping) and name in self.written:
            message = f"the shape of the board determines `{name}` of `{self.row.id}`, so the row cannot set it"
            self.diagnostics.add(
                ruleset_diagnostics.BAD_GRID, message, self.written.find_key_span(name), suggestion="leave it out"
            )

    def _cell(self, name: str, node: Node) -> Any:
        """Return the value of a cell, or None after a report of an error in it.

        A number in a column of dice becomes a roll.

        A negative value of a count is reported, but returned.
        """
        kind = self.table.columns[name]
        if isinstance(node, Sequence) and any(map(holds_step, node.items)):
            message = f"`{name}` is {kind}, not a column of steps"
            hint = f"declare the column as `{name}: {{steps: {{}}}}`"
            self.diagnostics.add(language_codes.WRONG_TYPE, message, node.span, suggestion=hint)
            return None
        _, value = read_constant(node, self.declarations, self.diagnostics, expected=kind)
        column = self.columns.get(name) if self.columns else None
        if isinstance(value, int) and value < 0 and is_count(find_column_type(column)):
            self.diagnostics.add(
                language_codes.WRONG_TYPE, f"`{name}` cannot be below 0, but this is {value}", node.span
            )
        return as_roll(value) if isinstance(present(kind), Dice) and value is not None else value


def _default(kind: Type) -> Any:
    return () if isinstance(kind, ListOf) else None


def find_stray_columns(table: str, node: Mapping) -> dict[str, Diagnostic]:
    """Return a diagnostic for each row that is really a cell at the wrong indentation, by the column's name.

    Empty if there are none. Diagnostics are not added anywhere.
    """
    columns, rows = node.get("columns"), node.get("rows")
    if not isinstance(columns, Mapping) or not isinstance(rows, Mapping):
        return {}
    return {
        name: _stray(table, entry, rows)
        for name, entry in iterate_entries(rows)
        if name in columns and _is_bare(entry.value)
    }


def _is_bare(row: Node) -> bool:
    """Return whether a row is one plain value, the short form of its faces."""
    if not isinstance(row, Mapping) or list(row.entries) != ["on"]:
        return False
    return row.entries["on"].key.span == row.entries["on"].value.span


def _stray(table: str, cell: Entry, rows: Mapping) -> Diagnostic:
    """Return the diagnostic for a cell among the rows.

    It has an edit that indents the cell, unless there is no row above, or that row is on one line.
    """
    name, at = cell.key.text, cell.key.span
    message = f"`{name}` is a column of {table}, but appears here among its rows"
    above = _above(cell, rows)
    if above is None:
        return Diagnostic(UNKNOWN_COLUMN, message, at, suggestion="write it in the row it belongs to")
    row, inside = above.key.text, _first_cell(above, at.file)
    assert inside is not None
    related = (RelatedSpan(inside, f"`{row}` is the row above"),)
    line = SOURCES.find_line(at.file, inside.line) or ""
    depth = len(line) - len(line.lstrip(" "))
    if depth < at.column or line.lstrip(" ").startswith(f"{row}:"):
        hint = f"write it inside the braces of the row it belongs to, such as `{row}`"
        return Diagnostic(UNKNOWN_COLUMN, message, at, related, hint)
    hint = f"indent it by {depth} spaces, so that it belongs to `{row}`"
    edit = Edit(Span(at.file, at.line, at.column, at.line, at.column), " " * (depth - at.column + 1))
    return Diagnostic(UNKNOWN_COLUMN, message, at, related, hint, (edit,))


def _above(cell: Entry, rows: Mapping) -> Entry | None:
    """Return the row with the last cell above `cell` in the same file, or None if there is none."""
    place = cell.key.span
    results = [
        (inside.line, position, each)
        for position, (_, each) in enumerate(iterate_entries(rows))
        if each is not cell and (inside := _first_cell(each, place.file)) is not None and inside.line < place.line
    ]
    return max(results)[2] if results else None


def _first_cell(row: Entry, file: str) -> Span | None:
    """Return the span of the first cell of a row in that file, or None if all its cells are in other files."""
    spans = [cell.value.span for _, cell in iterate_entries(row.value) if cell.value.span.file == file]
    return min(spans, default=None)
