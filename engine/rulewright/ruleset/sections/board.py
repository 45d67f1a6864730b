"""The section `board:`, the layout of kinds and tables on the play page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.language import language_diagnostics as language_codes
from rulewright.language.declarations import PLAYER_KIND, Kind, Table
from rulewright.language.schema_shapes import Leaf, ListOf, MapOf, Record, optional, words
from rulewright.language.types import INTEGER, Row, present
from rulewright.language.types import ListOf as Listed
from rulewright.language.visibility import SHOWN
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_text
from rulewright.ruleset.section import RulesSection
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration

GAP = "."
"""The text for a gap in a row of spaces."""

BOARD = Record(
    "The layout of a kind, a table or the game itself on the Play page. Entries are drawn in this order.",
    members={
        "title": optional(words("The heading above it.")),
        "show": optional(
            ListOf("For a kind: the fields to show, in this order (default: all).", inner=Leaf("", format="id"))
        ),
        "hide": optional(ListOf("For a kind: the fields to hide.", inner=Leaf("A field.", format="id"))),
        "picture": optional(
            Leaf(
                "For a kind: the field whose value, a row of a table, selects one of that table's `pictures`.",
                format="id",
            )
        ),
        "sides": optional(
            Leaf(
                "For a kind with `picture`: the column of that table with a row of another table or a number for each "
                "side, drawn clockwise from the top with letters or digits, and colours.",
                format="id",
            )
        ),
        "turns": optional(
            Leaf(
                "For a kind with `sides`: the numeric field with its turns to the right, each by one side.", format="id"
            )
        ),
        "pictures": optional(
            MapOf(
                "For a table: the term whose picture represents each of its rows.", inner=Leaf("A term.", format="id")
            )
        ),
        "sheet": optional(
            ListOf(
                "For a kind: the fields with lists of rows to draw as sheets: "
                "all rows of the table, with the listed ones filled in.",
                inner=Leaf("A field.", format="id"),
            )
        ),
        "die": optional(Leaf("For a kind: the numeric field to show as the face of a die.", format="id")),
        "board_only": optional(
            Leaf(
                "For a kind: whether its objects appear only on boards and in ranks.",
                format="flag",
                values=("true",),
            ),
            "absent",
        ),
        "places": optional(
            ListOf(
                "The spaces to draw, as lists from top to bottom: for a table, lists of its rows; for a kind, lists of"
                f" numbers, with a column for each object. `{GAP}` is a gap.",
                inner=ListOf("A row of places.", inner=Leaf("A row of the table, a number or a gap.", format="value")),
            )
        ),
        "marks": optional(
            Leaf(
                "For a kind with `places`: the field of players that lists the numbers of the places of a player.",
                format="id",
            )
        ),
        "round": optional(Leaf("Whether its `places` are drawn as pits.", format="flag", values=("true",))),
        "turned": optional(
            Leaf("For a board: whether it is rotated clockwise by 90 degrees.", format="flag", values=("true",))
        ),
        "grows": optional(
            Leaf(
                "For a board that starts empty: whether players see only its part with objects, and one space around.",
                format="flag",
                values=("true",),
            )
        ),
    },
)


@dataclass(frozen=True, slots=True)
class DisplayLayout:
    """The layout of a kind, a table or the game. `show` is None if all fields are shown.

    `places` are rows of spaces, each the id of a table row or a number as written. None is a gap.
    """

    of: str
    title: str
    show: tuple[str, ...] | None
    hide: tuple[str, ...]
    picture: str
    sides: str
    turns: str
    pictures: dict[str, str]
    sheet: tuple[str, ...]
    die: str
    board_only: bool
    places: tuple[tuple[str | None, ...], ...]
    marks: str
    round: bool
    is_rotated: bool
    grows: bool


def read_layouts(work: Elaboration) -> dict[str, DisplayLayout]:
    """Return every layout by the name of its kind or table, in the order of the rules.

    Errors are reported. A layout for an unknown name is left out, and of others only their invalid parts are.
    """
    layouts = {}
    for identity, entry in iterate_entries(work.rules.get(BOARD_SECTION.key)):
        if not isinstance(entry.value, Mapping):
            continue
        reader = _Reader(work, identity, entry.value)
        if reader.is_known(entry.key):
            layouts[identity] = reader.layout()
    return layouts


class _Reader:
    """A layout while it is read."""

    def __init__(self, work: Elaboration, identity: str, node: Mapping) -> None:
        self.work, self.identity, self.node = work, identity, node
        self.declared = work.declarations
        self.kind: Kind | None = self.declared.kinds.get(identity)
        self.table: Table | None = None if self.kind else self.declared.tables.get(identity)

    def is_known(self, key: Scalar) -> bool:
        """Return whether a kind or table has the name of the layout. If not, report it at `key`."""
        if self.kind is None and self.table is None:
            known = [*self.declared.kinds, *self.declared.tables]
            message = f"there is no kind or table `{self.identity}`"
            self._report(language_codes.UNKNOWN_TYPE, message, key, suggest_name(self.identity, known))
            return False
        return True

    def layout(self) -> DisplayLayout:
        """Return the layout without its invalid parts, which are reported."""
        show = self.node.get("show")
        return DisplayLayout(
            self.identity,
            read_text(self.node.get("title")),
            None if show is None else tuple(self._fields(show)),
            tuple(self._fields(self.node.get("hide"))),
            self._picture(),
            self._sides(),
            self._turns(),
            dict(self._pictures()),
            tuple(self._fields(self.node.get("sheet"))),
            self._number("die"),
            self._flag("board_only"),
            self._places(),
            self._marks(),
            self._flag("round"),
            self._flag("turned"),
            self._grows(),
        )

    def _fields(self, node: Node | None) -> Iterator[str]:
        for each in list_items(node):
            if self._is_field(each, self.kind):
                yield read_text(each)

    def _is_field(self, node: Node, kind: Kind | None) -> bool:
        """Return whether a node names a field that the rules give to a kind.

        Report any other name, and any for a table.
        """
        if kind is None:
            self._report(ruleset_diagnostics.BAD_LAYOUT, f"`{self.identity}` is a table, so it has no fields", node)
            return False
        known = [name for name in kind.fields if not name.startswith((SHOWN, "options."))]
        name = read_text(node)
        if name not in known:
            message = f"`{kind.id}` has no field `{name}`"
            self._report(language_codes.UNKNOWN_FIELD, message, node, suggest_name(name, known))
        return name in known

    def _picture(self) -> str:
        """Return the field with the row that is the picture, or empty.

        A field of another type is reported, and also empty.
        """
        node = self.node.get("picture")
        if node is None or not self._is_field(node, self.kind):
            return ""
        assert self.kind is not None
        kind = present(self.kind.fields[read_text(node)].type)
        if not isinstance(kind, Row):
            self._report(language_codes.WRONG_TYPE, f"`{read_text(node)}` is {kind}, not a row of a table", node)
            return ""
        return read_text(node)

    def _sides(self) -> str:
        """Return the column with the rows or numbers on the sides of a picture, or empty.

        A column of another type, or without a `picture`, is reported, and the result is empty.
        """
        node = self.node.get("sides")
        picture = read_text(self.node.get("picture"))
        if node is None or (self.kind is not None and picture and picture not in self.kind.fields):
            return ""
        field = self.kind.fields.get(picture) if self.kind is not None else None
        tiles = present(field.type) if field is not None else None
        if not isinstance(tiles, Row):
            message = f"`{self.identity}` has no `picture`, whose row has the sides"
            self._report(ruleset_diagnostics.BAD_LAYOUT, message, node, "name the field with the row: `picture: tile`")
            return ""
        column, columns = read_text(node), self.declared.tables[tiles.table].columns
        if column not in columns:
            message = f"`{tiles.table}` has no column `{column}`"
            self._report(language_codes.UNKNOWN_FIELD, message, node, suggest_name(column, columns))
            return ""
        kind = present(columns[column])
        if not (isinstance(kind, Listed) and (isinstance(kind.inner, Row) or kind.inner == INTEGER)):
            self._report(language_codes.WRONG_TYPE, f"`{column}` is {kind}, not a list of rows or numbers", node)
            return ""
        return column

    def _turns(self) -> str:
        """Return the field with the number of turns, or empty. It is reported without `sides` to turn."""
        node = self.node.get("turns")
        if node is not None and "sides" not in self.node:
            hint = "name the column of the picture with its sides: `sides: sides`"
            self._report(ruleset_diagnostics.BAD_LAYOUT, f"`{self.identity}` has no `sides` to turn", node, hint)
            return ""
        return self._number("turns")

    def _number(self, key: str) -> str:
        """Return the numeric field that a key names, or empty.

        A field of another type is reported, and also empty.
        """
        node = self.node.get(key)
        if node is None or not self._is_field(node, self.kind):
            return ""
        assert self.kind is not None
        kind = self.kind.fields[read_text(node)].type
        if present(kind) != INTEGER:
            self._report(language_codes.WRONG_TYPE, f"`{read_text(node)}` is {kind}, not a number", node)
            return ""
        return read_text(node)

    def _pictures(self) -> Iterator[tuple[str, str]]:
        """Yield the term that is the picture of each row. Unknown rows and terms are reported and left out.

        A layout of no table is reported, too, and yields nothing.
        """
        node = self.node.get("pictures")
        if node is not None and self.table is None:
            self._report(ruleset_diagnostics.BAD_LAYOUT, f"`{self.identity}` is not a table, so it has no rows", node)
            return
        for row, entry in iterate_entries(node):
            assert self.table is not None
            self._is_row(row, entry.key)
            term = read_text(entry.value)
            if term not in self.declared.terms:
                hint = suggest_name(term, self.declared.terms)
                self._report(language_codes.UNKNOWN_NAME, f"there is no term `{term}`", entry.value, hint)
            elif row in self.table.rows:
                yield row, term

    def _is_row(self, name: str, node: Node) -> bool:
        """Return whether the table of the layout has a row. If not, report it."""
        assert self.table is not None
        if name not in self.table.rows:
            hint = suggest_name(name, self.table.rows)
            self._report(language_codes.UNKNOWN_ROW, f"`{self.identity}` has no row `{name}`", node, hint)
        return name in self.table.rows

    def _places(self) -> tuple[tuple[str | None, ...], ...]:
        """Return the spaces of the layout in rows, with None for a gap.

        Unknown and repeated ones are reported and left out.
        """
        rows, known = [], set()
        for line in list_items(self.node.get("places")):
            row: list[str | None] = []
            for each in list_items(line) if isinstance(line, Sequence) else (line,):
                name = read_text(each)
                if name == GAP:
                    row.append(None)
                elif name in known:
                    self._report(ruleset_diagnostics.BAD_LAYOUT, f"`{name}` has two places", each)
                elif self._is_place(name, each):
                    known.add(name)
                    row.append(name)
            rows.append(tuple(row))
        return tuple(rows)

    def _is_place(self, name: str, node: Node) -> bool:
        """Return whether a name can be a space: a row of the table, or for a kind a number. If not, report it."""
        if self.table is not None:
            return self._is_row(name, node)
        if not (isinstance(node, Scalar) and type(node.value) is int):
            self._report(
                ruleset_diagnostics.BAD_LAYOUT, f"`{name}` is not a number, but the spaces of a kind are numbers", node
            )
            return False
        return True

    def _marks(self) -> str:
        """Return the field of players with the spaces to mark, or empty.

        An unknown field, and one that is no list of numbers, is reported, and the result is empty.
        """
        node = self.node.get("marks")
        if node is None:
            return ""
        player = self.declared.kinds.get(PLAYER_KIND)
        if player is None or not self._is_field(node, player):
            return ""
        if player.fields[read_text(node)].type != Listed(INTEGER):
            message = f"`{read_text(node)}` is {player.fields[read_text(node)].type}, not a list of numbers"
            self._report(language_codes.WRONG_TYPE, message, node)
            return ""
        return read_text(node)

    def _grows(self) -> bool:
        """Return whether players see only the used part of the board.

        Reports `grows` on anything but a board, and then returns False.
        """
        node = self.node.get("grows")
        if node is not None and (self.table is None or not self.table.is_board):
            message = f"`{self.identity}` is not a board, so it cannot grow"
            self._report(ruleset_diagnostics.BAD_LAYOUT, message, node, "give the layout of the board `grows: true`")
            return False
        return self._flag("grows")

    def _flag(self, key: str) -> bool:
        return read_text(self.node.get(key)) == "true"

    def _report(self, code: Code, message: str, node: Node, suggestion: str | None = None) -> None:
        self.work.diagnostics.add(code, message, node.span, suggestion=suggestion)


def _read(work: Elaboration) -> dict[str, DisplayLayout]:
    return read_layouts(work) if work.whole else {}


BOARD_SECTION = RulesSection(
    key="board",
    place=155,
    doc="The layout of the Play page; without it, everything appears in the order of the rules.",
    entry=BOARD,
    one="layout",
    gameplay=False,
    ranked=False,
    read=_read,
    figureless=("title",),
    title="The table",
    heading="title",
    labels={"title": "Title"},
    guide="design/boards.md",
    anchor="layout-",
    on_pages=False,
    citable=False,
    report=195,
    bookkeeping=(
        "show",
        "hide",
        "picture",
        "sides",
        "turns",
        "pictures",
        "sheet",
        "die",
        "board_only",
        "places",
        "marks",
        "round",
        "turned",
        "grows",
    ),
)
