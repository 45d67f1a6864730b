"""The display of the Play page as data, a pure function of a ruleset.

The rules define the layout, and the page draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import Naming
from rulewright.book.parts.table_views import describe_rule, list_boards, list_rule_columns
from rulewright.book.style.assets import build_drawings
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.engine.boards.board_svg import SEATS
from rulewright.engine.boards.piece_sides import list_kinds_of_sides
from rulewright.engine.boards.space_marks import list_printed_marks
from rulewright.engine.narration.plain_names import Names
from rulewright.language.declarations import GAME_KIND, Kind, Table
from rulewright.language.types import Row, present
from rulewright.ruleset.boards.board_shape import PageStyle, make_plan
from rulewright.ruleset.boards.geometry import CIRCLE, TILE, BoardGeometry, arrange_in_rows
from rulewright.ruleset.prose.row_icons import find_row_icon
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.board import DisplayLayout


def build_display(ruleset: Ruleset, pictures: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the display as plain data. `pictures` are the drawings of the ruleset if they are known.

    `boards` are in drawing order, with lengths in units of their own pictures. `kinds` has the visible fields of each
    kind. `rows` has the icon of each row, `pictures` the symbol of each icon, and `texts` the steps of each row as
    sentences. `decks` are by the field of the game that contains them. `guides` has the titles of sample games
    by id. `order` has the ids with a layout. `seats` has a colour for each seat.
    """
    return _Table(ruleset).data(build_drawings(ruleset) if pictures is None else pictures)


class _Table:
    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.declared = ruleset.declarations
        self.plain = Style(ruleset)
        self.naming = Naming(self.plain)
        self.layouts: Mapping[str, DisplayLayout] = ruleset.layouts

    def data(self, pictures: Mapping[str, str]) -> dict[str, Any]:
        """Return all that the page needs to display games of the rules, as JSON data."""
        rows = self._rows(pictures)
        used = {*self.declared.terms, *(name for icons in rows.values() for name in icons.values())}
        return {
            "boards": self._boards(),
            "kinds": {name: self._kind(kind) for name, kind in self.declared.kinds.items()},
            "rows": rows,
            "pictures": {name: symbol for name, symbol in pictures.items() if name in used},
            "decks": {
                f"deck.{deck.id}": {"title": capitalize(self.naming.deck(deck.id)), "table": deck.table}
                for deck in self.declared.decks.values()
            },
            "texts": self._texts(),
            "guides": {sample.id: self._words(sample.title) for sample in self.ruleset.samples.values()},
            "order": list(self.layouts),
            "seats": list(SEATS),
        }

    def _rows(self, drawn: Mapping[str, str]) -> dict[str, Mapping[str, str]]:
        """Return the icons of rows by table and row: those of the layout, and those of cards and of what is on them."""
        results: dict[str, Mapping[str, str]] = {}
        cards = {deck.table for deck in self.declared.decks.values()}
        parts = {
            type_.table
            for card in cards
            for each in self.declared.tables[card].columns.values()
            if isinstance(type_ := present(each), Row)
        }
        for name in sorted(cards | parts):
            table = self.declared.tables[name]
            row_icons = [
                (row.id, find_row_icon(self.ruleset, table, row, drawn.__contains__)) for row in table.rows.values()
            ]
            results[name] = {id_: icon for id_, icon in row_icons if icon is not None}
        results |= {name: each.pictures for name, each in self.layouts.items() if each.pictures}
        return {name: icons for name, icons in results.items() if icons}

    def _texts(self) -> dict[str, dict[str, str]]:
        """Return the steps of each row that has some, as sentences, by table and row."""
        results: dict[str, dict[str, str]] = {}
        for table in self.declared.tables.values():
            for row in table.rows.values():
                lines = [describe_rule(table, row, name, self.plain).strip() for name in list_rule_columns(table)]
                if any(lines):
                    results.setdefault(table.id, {})[row.id] = " ".join(filter(None, lines))
        return results

    def _words(self, written: str) -> str:
        return fill(written, self.plain)

    # -- boards ----------------------------------------------------------------------------------

    def _boards(self) -> list[dict[str, Any]]:
        """Return the boards: first those with a layout, in its order, and then all others.

        `printed` has the texts of the marks of spaces before the game begins.
        """
        results = {name: board for name in self.layouts if (board := self._board(name)) is not None}
        for table in list_boards(self.ruleset):
            if table.id not in results:
                results[table.id] = self._make_drawing(table, None)
        return list(results.values())

    def _board(self, name: str) -> dict[str, Any] | None:
        """Return the board of the layout for a kind or table, or None if it has no places and is no board."""
        layout = self.layouts[name]
        kind, table = self.declared.kinds.get(name), self.declared.tables.get(name)
        if kind is not None:
            return self._columns(kind, layout) if layout.places else None
        assert table is not None
        if layout.places or table.is_board:
            return self._make_drawing(table, layout)
        return None

    def _make_drawing(self, table: Table, layout: DisplayLayout | None) -> dict[str, Any]:
        """Return the display of a table: in the rows of its layout, if it has places, or else as its shape lies."""
        titles = {row.id: self._words(row.title) for row in table.rows.values()}
        title = self._words((layout.title if layout else "") or table.title)
        if layout is not None and layout.places:
            return _rows(table.id, title, layout, titles)
        plan = make_plan(table, titles)
        printed = {
            space: [mark.text for mark in marks if mark.text]
            for space, marks in list_printed_marks(table, Names(self.ruleset)).items()
        }
        return {"printed": printed} | _geometry(
            table.id, title, plan.shape.name, plan.shape.page_style, plan.geometry, titles, layout
        )

    def _columns(self, kind: Kind, layout: DisplayLayout) -> dict[str, Any]:
        """Return the display of a board whose spaces are numbers, with one column for each object of a kind.

        It has the data of `_rows`, the numbers of each column, and the marks of the layout.
        """
        numbers = [number for row in layout.places for number in row if number is not None]
        width = max(map(len, layout.places))
        title = self._words(layout.title) or capitalize(self.naming.kind(kind.id, several=True))
        result = _rows(kind.id, title, layout, dict.fromkeys(numbers, ""))
        columns = [[row[at] for row in layout.places if at < len(row) and row[at] is not None] for at in range(width)]
        return result | {"columns": columns, "marks": layout.marks}

    # -- things ----------------------------------------------------------------------------------

    def _kind(self, kind: Kind) -> dict[str, Any]:
        """Return how the objects of a kind are named and displayed. The game has no names and no term."""
        layout = self.layouts.get(kind.id)
        game = kind.id == GAME_KIND
        name = "" if game else capitalize(self.naming.kind(kind.id))
        many = "" if game else capitalize(self.naming.kind(kind.id, several=True))
        return {
            "name": name,
            "plural": many,
            "term": term.id if (term := self.naming.kind_term(kind.id)) is not None and not game else "",
            "ranks": kind.side,
            "title": self._words(layout.title) if layout else "",
            "show": None if layout is None or layout.show is None else list(layout.show),
            "hide": list(layout.hide) if layout else [],
            "picture": layout.picture if layout else "",
            "sides": self._sides(kind, layout) if layout is not None and layout.sides else None,
            "sheet": list(layout.sheet) if layout else [],
            "die": layout.die if layout else "",
            "absent": layout.board_only if layout else False,
            "signs": self._signs(kind),
        }

    def _sides(self, kind: Kind, layout: DisplayLayout) -> dict[str, Any]:
        """Return the sides of the pieces of a kind: those of each row by their numbers, and what these look like."""
        kinds = list_kinds_of_sides(self.declared, layout, kind.id, Names(self.ruleset))
        tiles = present(kind.fields[layout.picture].type)
        assert isinstance(tiles, Row)
        rows = self.declared.tables[tiles.table].rows.values()
        return {
            "turns": layout.turns,
            "of": {row.id: [kinds[side].place for side in row.cells[layout.sides] or ()] for row in rows},
            "shown": [[side.letter, side.name, side.colour] for side in kinds.values()],
        }

    def _signs(self, kind: Kind) -> dict[str, str]:
        """Return the term for the picture of each field: the one with the field's name, or the one that it counts."""
        results = {name: self.naming.word(name) or self.naming.countable(name) for name in kind.named_fields}
        return {name: term.id for name, term in results.items() if term is not None}


def _rows(identity: str, title: str, layout: DisplayLayout, titles: Mapping[str, str]) -> dict[str, Any]:
    """Return the board that a designer arranges in rows: squares, or hollows in which a number is shown as seeds."""
    name, style = ("hollows", PageStyle(seeds=True)) if layout.round else ("squares", PageStyle())
    geometry = arrange_in_rows(layout.places, rounded=layout.round)
    return _geometry(identity, title, name, style, geometry, titles, layout)


def _geometry(
    identity: str,
    title: str,
    shape: str,
    style: PageStyle,
    geometry: BoardGeometry,
    titles: Mapping[str, str],
    layout: DisplayLayout | None,
) -> dict[str, Any]:
    """Return the data of an empty board, rotated if its layout says so.

    It has the board's id, title, shape, style and size, its tiles by id, each with its title and its center, their
    outline, and the words and links on the board. A tile without an entry in `titles` has its id as title.
    """
    if layout is not None and layout.is_rotated:
        geometry = geometry.rotate()
    return {
        "id": identity,
        "title": title,
        "shape": shape,
        **asdict(style),
        "width": _short(geometry.width),
        "height": _short(geometry.height),
        "tile": TILE,
        "round": _short(CIRCLE) if geometry.round else None,
        "corners": [[_short(x), _short(y)] for x, y in geometry.corners],
        "tiles": {tile: [titles.get(tile, tile), _short(x), _short(y)] for tile, (x, y) in geometry.places.items()},
        "words": [[_short(x), _short(y), text] for x, y, text in geometry.words],
        "grows": layout is not None and layout.grows,
        "links": [list(link) for link in geometry.links],
    }


def _short(length: float) -> float:
    """Return a length to a tenth, as a picture needs it."""
    return round(length, 1) if length % 1 else int(length)
