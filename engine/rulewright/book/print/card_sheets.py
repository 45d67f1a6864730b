"""The decks of a game as cards to print and cut out, nine poker-size cards to a sheet.

The text of a card follows from the rules: the cells of its row, and the value of every formula whose only parameters
are such a row and, if the card has places for a marker, a place. Its art is the picture of its row, or of the first row
of another table that it refers to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import Naming, humanize, list_headings
from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.example_maps import HUES
from rulewright.book.parts.table_views import (
    build_table_view,
    describe_rule,
    list_rule_columns,
    list_text_columns,
)
from rulewright.book.parts.template_loader import render
from rulewright.book.style.assets import build_sprite
from rulewright.book.style.content_security import FILES
from rulewright.book.style.fill_placeholders import fill, format_value, name_row
from rulewright.book.style.rule_locations import build_anchor
from rulewright.book.style.text_style import Style, UnlinkedStyle
from rulewright.language.declarations import Deck, Formula, Table, TableRow
from rulewright.language.expressions.typed_ast import ROW_RANK, Cell
from rulewright.language.types import TEXT, Dice, Integer, Row, present
from rulewright.ruleset.prose.explained_rules import find_rule_entry
from rulewright.ruleset.prose.placeholder_meaning import PlaceholderValue, TermWord, resolve_placeholder
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping

NOTHING = "–"
"""The text of an empty cell."""

ROWS = 3
"""The number of rows and of columns of cards on a sheet: at 63 × 88 mm each, they fit A4 and Letter."""

LONGEST = 8
"""The maximum number of rows of a chart on a card."""


@dataclass(frozen=True, slots=True)
class Worth:
    """A line of a chart: the picture and name of its row, and the values of the card there."""

    picture: str
    name: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """The values of a card for each row of the table `by`: a heading, and a line for each row.

    If `marked` is set, every row is a place for a marker. `columns` are the headings of the values.
    """

    by: str
    about: str
    rows: tuple[Worth, ...]
    columns: tuple[str, ...] = ()
    marked: bool = False

    @property
    def has_columns(self) -> bool:
        """Whether the values need headings, because there are several for each row."""
        return len(self.columns) > 1


@dataclass(frozen=True, slots=True)
class CardTable:
    """A roll table on a card with its title, its dice, and the results of the faces."""

    title: str
    dice: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """The face of a card.

    `sort` is the first row of another table that it refers to, `mark` the picture of that row, and `hue` its colour,
    which is one of a few, or None. `art` is the card's own picture, or else that of its sort. `lines` are its cells
    with text. `texts` are its steps, with the heading of their column if there are several columns of steps.
    """

    title: str
    sort: str
    mark: str
    hue: int | None
    art: str
    lines: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    texts: tuple[tuple[str, str], ...]
    stated: tuple[CardTable, ...]
    charts: tuple[Chart, ...]


@dataclass(frozen=True, slots=True)
class DeckView:
    """A deck, in sheets of cards."""

    id: str
    title: str
    icon: str
    count: int
    sheets: tuple[tuple[Card, ...], ...]


def render_cards_page(writer: PageWriter) -> str:
    """Return every deck of the game as one HTML file. The rules have at least one."""
    ruleset = writer.ruleset
    decks = [_deck(writer, deck) for deck in ruleset.declarations.decks.values()]
    title = writer.html.escape(ruleset.title)
    body = render(
        "cards.html.j2",
        writer.language,
        policy=FILES,
        assets=writer.assets,
        title=title,
        version=ruleset.version,
        decks=decks,
        rows=ROWS,
    )
    return body.replace("<!-- sprite -->", build_sprite(body, writer.pictures))


def _deck(writer: PageWriter, deck: Deck) -> DeckView:
    """Return the view of a deck, with all copies of its cards, divided into sheets."""
    table = writer.ruleset.declarations.tables[deck.table]
    stated = tuple(_build_table(writer, table) for table in deck.states)
    copies = _copies(writer, deck)
    faces = {row.id: _card(writer, table, row, copies, stated, deck.places) for row in table.rows.values()}
    full = ROWS * ROWS
    cards = tuple(faces[row] for row in deck.cards)
    sheets = tuple(cards[first : first + full] for first in range(0, len(cards), full))
    return DeckView(
        build_anchor(f"decks.{deck.id}"), writer.escaped(deck.title), _icon(writer, deck), len(cards), sheets
    )


def _copies(writer: PageWriter, deck: Deck) -> str:
    """Return the column with the number of copies of each card, or an empty string if there is one of each."""
    entry = find_rule_entry(f"decks.{deck.id}", writer.ruleset)
    node = entry.value.get("copies") if entry is not None and isinstance(entry.value, Mapping) else None
    return getattr(node, "text", "")


def _icon(writer: PageWriter, deck: Deck) -> str:
    """Return the picture of the first term in the deck's title that has one, or an empty string."""
    for part in parse_parts(deck.title):
        result = resolve_placeholder(part.body, writer.ruleset) if isinstance(part, Placeholder) else None
        if isinstance(result, TermWord) and (picture := writer.html.picture(result.term)):
            return picture
    return ""


def _build_table(writer: PageWriter, table: str) -> CardTable:
    plain = UnlinkedStyle(writer.ruleset)
    declared = writer.ruleset.declarations.tables[table]
    view = build_table_view(declared, plain)
    return CardTable(fill(declared.title, plain), view.dice, tuple((row.faces, row.title) for row in view.rows))


def _card(
    writer: PageWriter, table: Table, row: TableRow, copies: str, stated: tuple[CardTable, ...], places: str
) -> Card:
    """Return a row as a card.

    The column `copies` says only how many of it there are, and is not shown. `stated` are the roll tables of the deck.
    A chart by the table `places` takes markers, and is added if no formula gives one.
    """
    plain = UnlinkedStyle(writer.ruleset)
    declared = writer.ruleset.declarations
    sort = mark = ""
    hue = None
    lines: list[str] = []
    facts: list[tuple[str, str]] = []
    charts = [
        chart for formula in declared.formulas.values() for chart in _charts(writer, formula, table, row.id, places)
    ]
    for name, kind in table.columns.items():
        inner, value = present(kind), row.cells[name]
        if value is None or name == copies or name in list_text_columns(table):
            continue
        if inner == TEXT:
            lines.append(format_value(value, kind, plain))
            continue
        fact = (_header(table, name, plain), format_value(value, kind, plain))
        if not isinstance(inner, Row) or inner.table == table.id:
            facts.append(fact)
            continue
        other = declared.tables[inner.table]
        if sort:
            facts.append(fact)
        else:
            sort, mark = fact[1], writer.html.row_picture(other, other.rows[value])
            hue = list(other.rows).index(value) % HUES
        facts += _cells(other, value, plain)
        charts += [
            chart for formula in declared.formulas.values() for chart in _charts(writer, formula, other, value, places)
        ]
    together = tuple(_together(charts, places))
    if places and all(chart.by != places for chart in together):
        bare = tuple(Worth(picture, name, ()) for picture, name in _heads(writer, declared.tables[places]))
        together = (*together, Chart(places, fill(declared.tables[places].title, plain), bare, marked=True))
    art = writer.html.row_picture(table, row) or mark
    texts = tuple(_describe_steps(table, row, writer.ruleset))
    return Card(name_row(row, plain), sort, mark, hue, art, tuple(lines), tuple(facts), texts, stated, together)


class _CardStyle(UnlinkedStyle):
    """The style of sentences on a card, where each step is a paragraph without an address."""

    def steps(self, items: Sequence[tuple[str, str]]) -> str:
        listed = "".join(f"<li>{text}</li>" for _, text in items)
        return items[0][1] if len(items) == 1 else f"<ol>{listed}</ol>"

    def only_step(self, rule: str, text: str) -> str:
        return text


def _describe_steps(table: Table, row: TableRow, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the heading and the text of each column of steps in which a row has steps."""
    style = _CardStyle(ruleset)
    columns = list_rule_columns(table)
    for name in columns:
        heading = _header(table, name, style) if len(columns) > 1 else ""
        if text := describe_rule(table, row, name, style):
            yield heading, text


def _heads(writer: PageWriter, table: Table) -> Iterator[tuple[str, str]]:
    """Return the picture and the name of each row of a table."""
    plain = UnlinkedStyle(writer.ruleset)
    return ((writer.html.row_picture(table, row), name_row(row, plain)) for row in table.rows.values())


def _together(charts: list[Chart], places: str) -> Iterator[Chart]:
    """Yield the charts, merging those by the rows of the same table. A chart without any values is left out."""
    telling = [chart for chart in charts if any(cell != NOTHING for row in chart.rows for cell in row.figures)]
    for by in dict.fromkeys(chart.by for chart in telling):
        if not by:
            yield from (chart for chart in telling if not chart.by)
            continue
        same = [chart for chart in telling if chart.by == by]
        rows = tuple(
            replace(row, figures=tuple(cell for chart in same for cell in chart.rows[place].figures))
            for place, row in enumerate(same[0].rows)
        )
        columns = tuple(column for chart in same for column in chart.columns)
        yield Chart(by, " ".join(chart.about for chart in same), rows, columns, by == places)


def _header(table: Table, name: str, style: Style) -> str:
    """Return the heading of a column: that of the rules, or else a term for it, or else its id as words."""
    heads = list_headings(table, style)
    if name in heads:
        return fill(heads[name], style)
    term = Naming(style).word(name)
    return capitalize(style.term(term)) if term is not None else style.escape(humanize(name).capitalize())


def _cells(table: Table, row: str, style: Style) -> list[tuple[str, str]]:
    """Return the cells of a row of another table."""
    view = build_table_view(table, style)
    row_view = next(each for each in view.rows if each.id == row)
    cells = zip(view.columns, row_view.cells, strict=True)
    return [(title, cell.words) for title, cell in cells if cell.words != NOTHING]


def _charts(writer: PageWriter, formula: Formula, table: Table, row: str, places: str) -> Iterator[Chart]:
    """Yield the charts of `formula` for a row.

    There are none unless its value is a number or dice, and its only parameters are this row and, at most, one of the
    table `places`.
    """
    given = [present(kind) for kind in formula.parameters.values()]
    tables = [kind.table for kind in given if isinstance(kind, Row)]
    others = [name for name in tables if name != table.id]
    if len(tables) != len(given) or len(given) - len(others) != 1 or others not in ([], [places]):
        return
    if not isinstance(present(formula.body.type), (Dice, Integer)):
        return
    if not others:
        yield from _chart(writer, formula, "", [("", "", f"{table.id}.{row}")])
        return
    other = writer.ruleset.declarations.tables[others[0]]
    cells = {each: ", ".join(f"{name}.{row if name == table.id else each}" for name in tables) for each in other.rows}
    heads = zip(_heads(writer, other), cells.values(), strict=True)
    yield from _chart(writer, formula, other.id, [(*head, given) for head, given in heads])


def _chart(writer: PageWriter, formula: Formula, by: str, rows: list[tuple[str, str, str]]) -> Iterator[Chart]:
    """Yield the chart of a formula, or nothing if it has no rows with a value or more than `LONGEST`.

    Each of `rows` is a picture, a name and the arguments of the formula. `by` is the table of the rows, or empty.
    """
    plain = UnlinkedStyle(writer.ruleset)
    results = [
        (picture, name, resolve_placeholder(f"= {formula.id}({given})", writer.ruleset))
        for picture, name, given in rows
    ]
    text = tuple(
        Worth(picture, name, (_format(it, plain),)) for picture, name, it in results if isinstance(it, PlaceholderValue)
    )
    if text and len(text) <= LONGEST:
        yield Chart(by, fill(formula.means, plain), text, (_name_values(writer, formula, plain),))


def _name_values(writer: PageWriter, formula: Formula, style: Style) -> str:
    """Return the heading of the values of a formula: that of the column it reads, or else the words of its id."""
    tables = writer.ruleset.declarations.tables
    read = (each for each in formula.body.walk() if isinstance(each, Cell) and each.column != ROW_RANK)
    headings = {_header(tables[each.table], each.column, style) for each in read}
    return headings.pop() if len(headings) == 1 else style.escape(humanize(formula.id).capitalize())


def _format(placeholder_value: PlaceholderValue, style: Style) -> str:
    """Return a value of a chart as text. A zero is shown as an empty cell."""
    return (
        NOTHING
        if placeholder_value.value == 0
        else format_value(placeholder_value.value, placeholder_value.type, style)
    )
