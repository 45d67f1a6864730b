"""Tables and overviews as readers see them, with faces, results, cells, chances and shading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import NameWords, Naming, humanize, list_headings
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.dice_icons import roll_picture
from rulewright.book.style.fill_placeholders import fill, format_faces, format_value, name_row
from rulewright.book.style.text_style import HtmlStyle, Style, format_mean, format_range
from rulewright.dice.ast import Constant, Roll
from rulewright.dice.bounds import compute_mean
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.engine.boards.board_svg import draw_form
from rulewright.language.checked_steps import CellSteps
from rulewright.language.declarations import ROW_NAME, Formula, Placements, Table, TableRow
from rulewright.language.expressions import typed_ast
from rulewright.language.types import Boolean, Dice, Integer, Type, present
from rulewright.ruleset.boards.board_layout import OWN
from rulewright.ruleset.boards.board_shape import find_shape
from rulewright.ruleset.elaborate.table_faces import group_ranges
from rulewright.ruleset.prose.book_language import ENGLISH, Language
from rulewright.ruleset.prose.explained_rules import list_internal_rules
from rulewright.ruleset.queries.name_uses import find_ranked_tables
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.overviews import Overview, OverviewColumn


def list_boards(ruleset: Ruleset) -> list[Table]:
    """Return the boards that players lay on the table. Internal boards only compute something."""
    internal = list_internal_rules(ruleset)
    tables = ruleset.declarations.tables.values()
    return [table for table in tables if table.is_board and f"tables.{table.id}" not in internal]


def list_printed_boards(ruleset: Ruleset) -> list[Table]:
    """Return the boards that players lay on the table before the game: those that do not grow."""
    layouts = ruleset.layouts
    return [table for table in list_boards(ruleset) if table.id not in layouts or not layouts[table.id].grows]


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell with its text, and the mean and range of dice."""

    words: str
    numeric: bool
    mean: str = ""
    range: str = ""


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a table. `share` is its chance as a percentage for a bar, and `chance` is the text of it.

    Both are empty if the table is not rolled on. `on` lists the faces for scripts as ranges, such as `10:40 60:60`.
    """

    id: str
    title: str
    faces: str
    cells: tuple[CellView, ...]
    chance: str
    share: str
    on: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class TableView:
    """A table, ready for a template. `die` is the name of the drawing of its dice.

    `names` are the columns as the rules name them, without those that only the view has. `ranked` is whether the rules
    compare the rows, which go from the lowest to the highest.
    """

    id: str
    dice: str
    die: str
    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[RowView, ...]
    ranked: bool = False
    names: tuple[str, ...] = ()


def build_table_view(table: Table, style: Style) -> TableView:
    """Return the view of a table with all its rows and columns, or of placements, with a row for each piece."""
    if table.placements is not None:
        return _view_placements(table, table.placements, style)
    return _view(table, list(table.rows.values()), list(table.columns), style)


def _view_placements(table: Table, placements: Placements, style: Style) -> TableView:
    """Return the form of each piece and the number of its placements, which are too many to list."""
    pieces = style.ruleset.declarations.tables[placements.of]
    count = Counter(row.cells["piece"] for row in table.rows.values())
    rows = tuple(
        RowView(
            row.id,
            name_row(row, style),
            "",
            (_view_form(row.cells[placements.form], placements, style), CellView(str(count[row.id]), True)),
            "",
            "",
            picture=style.row_picture(pieces, row),
        )
        for row in pieces.rows.values()
        if row.id in count
    )
    translate = style.language.translate
    return TableView(table.id, "", "", (translate("Form"), translate("Placements")), (False, True), rows)


def _view_form(lines: tuple[str, ...], placements: Placements, style: Style) -> CellView:
    """Return the form of a piece, as a drawing if the style is HTML."""
    shape = find_shape(style.ruleset.declarations.tables[placements.on].shape)
    if not lines or not isinstance(style, HtmlStyle):
        return CellView(style.escape(" / ".join(lines)), False)
    return CellView(draw_form(lines, shape), False)


def find_forms(table: Table, ruleset: Ruleset) -> dict[str, Placements]:
    """Return the columns of a table with forms of its pieces, each with placements of these pieces."""
    tables = ruleset.declarations.tables.values()
    every = [each.placements for each in tables if each.placements is not None]
    return {each.form: each for each in every if each.of == table.id}


def list_own_columns(table: Table) -> list[str]:
    """Return the columns of a table without those that every board has, and without connections of its spaces."""
    return [name for name in table.columns if name not in OWN and name not in table.ways]


def build_places_view(table: Table, style: Style) -> TableView | None:
    """Return the spaces of a board with names or values that its picture does not show, or None if there are none."""
    own = list_own_columns(table)
    # If the rules list the spaces one by one, the picture already shows their titles.
    shape = find_shape(table.shape)
    titled = not shape.has_listed_spaces
    lines = [
        replace(row, title=f"{row.title} {row.space_title}".strip()) if shape.lists_positions else row
        for row in table.rows.values()
        if (row.space_title and titled)
        or any(row.cells[name] not in (None, (), False) for name in own)
        or any(CellSteps(table.id, row.id, name).id in style.ruleset.procedures for name in table.steps)
    ]
    return _view(table, lines, own, style) if lines else None


def _view(table: Table, listed: list[TableRow], names: list[str], style: Style) -> TableView:
    """Return the view of some rows and columns of a table. Columns that repeat the names of the rows are left out."""
    naming = Naming(style)
    heads = list_headings(table, style)
    text_columns = list_text_columns(table)
    columns = [name for name in names if listed and name not in text_columns and not _repeats(table, name, style)]
    likely = list_chances(table)
    outcomes = tuple(sorted(table.by_face))
    forms = find_forms(table, style.ruleset)
    rows = tuple(
        RowView(
            row.id,
            name_row(row, style),
            format_faces(row.faces, outcomes) if row.faces else "",
            (
                *(
                    _view_form(row.cells[name], forms[name], style)
                    if name in forms
                    else build_cell_view(row.cells[name], table.columns[name], style)
                    for name in columns
                ),
                *(CellView(describe_rule(table, row, name, style), False) for name in list_rule_columns(table)),
            ),
            format_percent(likely[row.id], style.language) if row.id in likely else "",
            f"{float(likely[row.id]) * 100:.4g}%" if row.id in likely else "",
            " ".join(f"{first}:{last}" for first, last in group_ranges(row.faces, outcomes)),
            style.row_picture(table, row),
        )
        for row in listed
    )
    return TableView(
        table.id,
        style.dice(table.roll) if table.roll is not None else "",
        roll_picture(table.roll),
        tuple(_header(name, naming, heads) for name in (*columns, *list_rule_columns(table))),
        (*(_is_numeric(table.columns[name]) for name in columns), *(False for _ in list_rule_columns(table))),
        rows,
        table.id in style.ruleset.get_or_make(find_ranked_tables),
        (*columns, *list_rule_columns(table)),
    )


def list_text_columns(table: Table) -> set[str]:
    """Return the columns with texts about steps, which are shown with the steps."""
    return {column.text for column in table.steps.values()}


def list_rule_columns(table: Table) -> tuple[str, ...]:
    """Return the columns whose cells are rules: expressions or steps."""
    return (*table.formulas, *table.steps)


def describe_rule(table: Table, row: TableRow, column: str, style: Style) -> str:
    """Return the text of a row about its steps in a column, or else the steps as sentences. Empty if it has none.

    For a column of expressions, return the expression of the row as a phrase, or an empty text if it is `none`.
    """
    if column in table.formulas:
        return _describe_expression(style.ruleset.declarations.formulas[table.formulas[column].formula], row.id, style)
    text = table.steps[column].text
    if text and row.cells[text]:
        return format_value(row.cells[text], table.columns[text], style)
    procedure = style.ruleset.procedures.get(CellSteps(table.id, row.id, column).id)
    return StepWriter(procedure, style).all() if procedure is not None else ""


def _describe_expression(formula: Formula, row: str, style: Style) -> str:
    """Return the cell of a row in a column of expressions as a phrase or clause. Empty if there is no value."""
    cell = formula.cells[row]
    if isinstance(cell, typed_ast.Constant) and cell.value is None:
        return ""
    english = English(style, NameWords.in_formula(formula)).about(ROW_NAME)
    return english.condition(cell) if isinstance(cell.type, Boolean) else english.value(cell)


def _repeats(table: Table, column: str, style: Style) -> bool:
    """Return whether a column only repeats the names of its rows, so that readers can do without it."""
    kind = table.columns[column]
    return all(format_value(row.cells[column], kind, style) == name_row(row, style) for row in table.rows.values())


def _header(name: str, naming: Naming, heads: ReadOnlyMapping[str, str]) -> str:
    """Return the heading of a column: that of the rules, or else a term for it, or else its id as words."""
    if name in heads:
        return fill(heads[name], naming.style)
    term = naming.countable(name)
    if term is None:
        return naming.style.escape(humanize(name).capitalize())
    return capitalize(naming.style.term(term, plural=name != term.id))


def _is_numeric(kind: Type) -> bool:
    return isinstance(present(kind), (Integer, Dice, Boolean))


def build_cell_view(value: Any, kind: Type, style: Style) -> CellView:
    """Return the view of a cell with a value of a type."""
    words = format_value(value, kind, style)
    if isinstance(value, Roll) and not isinstance(value, Constant):
        return CellView(words, True, format_mean(value, style.language), format_range(value, style.language))
    return CellView(words, _is_numeric(kind))


def list_chances(table: Table) -> dict[str, Fraction]:
    """Return the exact chance of each row, by its id. The result is empty if the table is not rolled on."""
    if table.roll is None:
        return {}
    odds = compute_distribution(table.roll)
    return {row.id: sum((odds.get_probability(face) for face in row.faces), Fraction(0)) for row in table.rows.values()}


def format_percent(chance: Fraction, language: Language = ENGLISH) -> str:
    """Return a chance in percent, with one decimal if it is not a whole number.

    A chance that is uncertain is never shown as 0 or 100.
    """
    hundred = chance * 100
    if hundred.denominator == 1:
        return f"{hundred.numerator} %"
    if hundred < Fraction(1, 20):
        return language.translate("under %(chance)s %%", chance=f"0{language.decimal}1")
    if hundred > Fraction(1999, 20):
        return language.translate("over %(chance)s %%", chance=f"99{language.decimal}9")
    return f"{float(hundred):.1f} %".replace(".", language.decimal)


SHADES = 5
"""Number of shades, from the lowest mean of an overview to its highest. Shade 0 is for cells without a mean."""


@dataclass(frozen=True, slots=True)
class ShadedCell:
    """A cell with its shade, which is 0 or from 1 to `SHADES`."""

    cell: CellView
    shade: int


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """A row of an overview, with its picture, its heading, its chance if its table is rolled on, and its cells."""

    picture: str
    title: str
    chance: str
    cells: tuple[ShadedCell, ...]


@dataclass(frozen=True, slots=True)
class OverviewView:
    """An overview, ready for a template.

    `rolled` says whether its rows have chances, and `shaded` whether any of its cells have shades.
    """

    title: str
    about: str
    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[OverviewRow, ...]
    rolled: bool
    shaded: bool


def build_overview_view(overview: Overview, style: Style) -> OverviewView:
    """Return the view of an overview.

    The cells of a grid share one scale of shades. Otherwise every column has its own scale.
    """
    table = style.ruleset.declarations.tables[overview.down.table]
    likely = list_chances(table)
    groups = [list(overview.columns)] if overview.across is not None else [[column] for column in overview.columns]
    shades = {id(column): _shades(group) for group in groups for column in group}
    rows = tuple(
        OverviewRow(
            style.row_picture(table, row) if row is not None else "",
            _heading(row, overview, style),
            format_percent(likely[row.id], style.language) if row is not None and row.id in likely else "",
            tuple(_shade(column, column.values[place], shades[id(column)], style) for column in overview.columns),
        )
        for place, row in enumerate(overview.down.rows)
    )
    return OverviewView(
        fill(overview.title, style),
        fill(overview.about, style),
        tuple(
            fill(column.heading, style) if column.heading else _heading(column.row, overview, style)
            for column in overview.columns
        ),
        tuple(any(_height(value) is not None for value in column.values) for column in overview.columns),
        rows,
        bool(likely),
        any(shade.shade for row in rows for shade in row.cells),
    )


def _heading(row: TableRow | None, overview: Overview, style: Style) -> str:
    return fill(overview.without, style) if row is None else name_row(row, style)


def _height(value: Any) -> Fraction | None:
    """Return the number by which a cell is shaded, or None if it is neither a number nor dice."""
    if isinstance(value, Roll):
        return compute_mean(value)
    return Fraction(value) if type(value) is int else None


def _shades(columns: list[OverviewColumn]) -> dict[Fraction, int]:
    """Return the shade of every number or mean of dice in some columns, by that number.

    The result is empty if all numbers are equal.
    """
    heights = {height for column in columns for value in column.values if (height := _height(value)) is not None}
    if len(heights) < 2:
        return {}
    low, high = min(heights), max(heights)
    return {height: 1 + min(SHADES - 1, int((height - low) / (high - low) * SHADES)) for height in heights}


def _shade(column: OverviewColumn, value: Any, shades: dict[Fraction, int], style: Style) -> ShadedCell:
    height = _height(value)
    return ShadedCell(build_cell_view(value, column.type, style), shades.get(height, 0) if height is not None else 0)
