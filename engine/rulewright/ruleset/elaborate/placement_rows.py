"""Rows that place pieces on a board, one for each way in which a piece of several spaces can lie there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as ReadOnlyMapping
from dataclasses import dataclass

from rulewright.language.declarations import Declarations, Placements, Table
from rulewright.language.expressions.name_resolution import list_ids
from rulewright.ruleset import ruleset_diagnostics
from rulewright.ruleset.boards.board_layout import Step, read_flag
from rulewright.ruleset.boards.board_shape import find_shape
from rulewright.ruleset.elaborate.combined_rows import (
    add_written_rows,
    check_row_title,
    fill_row_title,
    join_columns,
    make_table,
)
from rulewright.ruleset.elaborate.node_readers import iterate_entries, list_items, read_text
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Entry, Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span

KEY = "placements"

MOST_ROWS = 10_000
"""The maximum number of placements in a table."""

NOUNS = {
    "piece": "piece",
    "at": "first space",
    "turns": "number of turns",
    "flipped": "flipped",
    "covers": "spaces",
}
"""The columns of a table of placements, each with its noun."""

GAP = "."
"""The sign of a space in the form of a piece that the piece does not cover."""

_TITLE = "{piece} ({covers})"


@dataclass(frozen=True, slots=True)
class _Placement:
    """One way in which a piece lies on a board. `covers` are the spaces of its letters, in the order of its form."""

    piece: str
    at: str
    turns: int
    flipped: bool
    covers: tuple[str, ...]

    @property
    def id(self) -> str:
        """The id of the row: the piece and the space of its first letter, and how it is flipped and turned."""
        suffix = f"_turned{self.turns}" if self.turns else ""
        return f"{self.piece}_{self.at}{'_flipped' if self.flipped else ''}{suffix}"


def read_placements(node: Node) -> Placements | None:
    """Return what a table places, as written, or None if it places nothing. The names may be unknown."""
    written = node.get(KEY) if isinstance(node, Mapping) else None
    if not isinstance(written, Mapping):
        return None
    return Placements(*(read_text(written.get(key)) for key in ("of", "form", "on")))


def place_pieces(
    identity: str, node: Mapping, pieces: Node | None, declarations: Declarations, diagnostics: Diagnostics
) -> Mapping:
    """Return a table with a row for each way to place the pieces that its `placements` name.

    The tables of the pieces and of the board must be declared before, with their rows; `pieces` is the node of the
    former. Placements that cover the same spaces with the same letters are one row, that of the fewest turns. What
    cannot be placed is reported, and the table then has no rows. A table without `placements` is returned as it is.
    """
    written = node.get(KEY)
    named = read_placements(node)
    if named is None or not isinstance(written, Mapping):
        return node
    reported = len(diagnostics)
    board = _find_board(identity, written, declarations, diagnostics)
    forms = dict(_read_forms(identity, written, pieces, declarations, diagnostics))
    if "every" in node:
        message = f"the rows of {identity} are placements, so they cannot combine parts"
        at = node.find_key_span("every")
        diagnostics.add(ruleset_diagnostics.BAD_COMBINATION, message, at, suggestion="keep `every` or `placements`")
    placed: list[_Placement] = []
    if board is not None and len(diagnostics) == reported:
        placed = _list_placements(
            board, forms, with_turns=read_flag(written, "turned"), flipped=read_flag(written, "flipped")
        )
        if len(placed) > MOST_ROWS:
            message = f"{identity} would have more than {MOST_ROWS:,} placements"
            hint = "make the board smaller, or place fewer pieces"
            diagnostics.add(ruleset_diagnostics.BAD_COMBINATION, message, written.span, suggestion=hint)
            placed = []
    known = len(diagnostics) == reported
    columns = {"turns": "count", "flipped": "bool"}
    # A type that does not exist would be a second error.
    columns |= {"piece": named.of} if named.of in declarations.tables else {}
    columns |= {"at": named.on, "covers": f"list of {named.on}"} if named.on in declarations.tables else {}
    title = node.get("row_title")
    check_row_title(title, list(columns), declarations, diagnostics)
    template = title if isinstance(title, Scalar) else Scalar(_TITLE, _TITLE, written.span)
    rows = dict(_iterate_rows(placed, template, named, declarations, written.span))
    add_written_rows(identity, rows, node.get("rows"), diagnostics, known=known)
    span = written.span
    own = {name: Entry(Scalar(name, name, span), Scalar(type_, type_, span)) for name, type_ in columns.items()}
    return make_table(node, join_columns(own, node.get("columns"), diagnostics), rows, span)


def _find_board(identity: str, written: Mapping, declarations: Declarations, diagnostics: Diagnostics) -> Table | None:
    """Return the board on which pieces are placed, or None after a report of what is wrong with it."""
    node = written.get("on")
    if not isinstance(node, Scalar):
        return None
    boards = [
        table.id for table in declarations.tables.values() if table.shape and find_shape(table.shape).list_turns()
    ]
    table = declarations.tables.get(node.text)
    if table is not None and table.id in boards:
        return table
    message = f"{identity} places pieces on `{node.text}`, which is not a board of squares or hexagons"
    hint = suggest_name(node.text, boards) or (list_ids(boards) if boards else "declare a table with a `grid`")
    diagnostics.add(ruleset_diagnostics.BAD_COMBINATION, message, node.span, suggestion=hint)
    return None


def _read_forms(
    identity: str, written: Mapping, pieces: Node | None, declarations: Declarations, diagnostics: Diagnostics
) -> Iterator[tuple[str, dict[tuple[int, int], str]]]:
    """Yield the form of each piece that has one: the letter at each column and row. Reports what is no form."""
    named, column = written.get("of"), written.get("form")
    table = declarations.tables.get(read_text(named))
    if table is None or table.id == identity:
        if isinstance(named, Scalar):
            message = f"there is no other table called `{named.text}` with pieces"
            hint = suggest_name(named.text, [each for each in declarations.tables if each != identity])
            diagnostics.add(ruleset_diagnostics.UNKNOWN_REFERENCE, message, named.span, suggestion=hint)
        return
    columns = [name for name, _ in iterate_entries(pieces.get("columns") if isinstance(pieces, Mapping) else None)]
    if isinstance(column, Scalar) and column.text not in columns:
        message = f"{table.id} has no column `{column.text}` with the forms of its pieces"
        hint = suggest_name(column.text, columns) or f"declare it there, as `{column.text}: list of text`"
        diagnostics.add(ruleset_diagnostics.UNKNOWN_COLUMN, message, column.span, suggestion=hint)
        return
    rows = pieces.get("rows") if isinstance(pieces, Mapping) else None
    for piece, entry in iterate_entries(rows):
        form = entry.value.get(read_text(column)) if isinstance(entry.value, Mapping) else None
        if form is None:
            continue
        lines = [each.text for each in list_items(form) if isinstance(each, Scalar)]
        cells = {(x, y): letter for y, line in enumerate(lines) for x, letter in enumerate(line) if letter != GAP}
        if not cells or not all(letter.isalnum() for letter in cells.values()):
            message = f"the form of `{piece}` must have a letter for each space that it covers, and `{GAP}` for a gap"
            hint = "write its rows from top to bottom, such as `[.x, xx]`"
            diagnostics.add(ruleset_diagnostics.BAD_COMBINATION, message, form.span, suggestion=hint)
        else:
            yield piece, cells


def _list_placements(
    board: Table, forms: ReadOnlyMapping[str, ReadOnlyMapping[tuple[int, int], str]], *, with_turns: bool, flipped: bool
) -> list[_Placement]:
    """Return every placement of the pieces, in order, or one more than the limit if there are more."""
    steps = tuple(find_shape(board.shape).list_turns())
    spaces = {(row.cells["column"], row.cells["row"]): row.id for row in board.rows.values()}
    results: list[_Placement] = []
    for piece, form in forms.items():
        letters = tuple(form.values())
        known: set[frozenset[tuple[str, str]]] = set()
        for is_flipped in (False, True) if flipped else (False,):
            for turn in range(len(steps) if with_turns else 1):
                across, down = _choose_axes(len(steps), turn, is_flipped)
                for start, at in spaces.items():
                    places = [_walk(start, cell, next(iter(form)), steps, across, down) for cell in form]
                    if not all(place in spaces for place in places):
                        continue
                    covers = tuple(spaces[place] for place in places)
                    look = frozenset(zip(covers, letters, strict=True))
                    if look in known:
                        continue
                    known.add(look)
                    results.append(_Placement(piece, at, turn, is_flipped, covers))
                    if len(results) > MOST_ROWS:
                        return results
    return results


def _choose_axes(directions: int, turn: int, flipped: bool) -> tuple[int, int]:
    """Return the directions in which the columns and the rows of a form go, among as many, clockwise.

    Without a turn, these are the second and the third one. A flipped form is mirrored at the vertical.
    """
    across, down = (1 + directions // 2, directions // 2) if flipped else (1, 2)
    return (across + turn) % directions, (down + turn) % directions


def _walk(
    start: tuple[int, int], cell: tuple[int, int], first: tuple[int, int], steps: Sequence[Step], across: int, down: int
) -> tuple[int, int]:
    """Return where a cell of a form lies if its `first` cell is at `start`. It may be outside the board."""
    place, half = start, len(steps) // 2
    for direction, number in ((across, cell[0] - first[0]), (down, cell[1] - first[1])):
        step = steps[direction if number > 0 else (direction + half) % len(steps)]
        for _ in range(abs(number)):
            place = step(*place)
    return place


def _iterate_rows(
    placed: Iterable[_Placement], template: Scalar, named: Placements, declarations: Declarations, span: Span
) -> Iterator[tuple[str, Entry]]:
    """Yield the rows with their cells and titles, each with its id."""
    if not placed:
        return
    pieces, spaces = (declarations.tables[table].rows for table in (named.of, named.on))
    for each in placed:
        titles = {
            "piece": pieces[each.piece].title,
            "at": spaces[each.at].title,
            "turns": str(each.turns),
            "covers": ", ".join(spaces[space].title for space in each.covers),
        }
        cells: dict[str, Node] = {
            "piece": Scalar(each.piece, each.piece, span),
            "at": Scalar(each.at, each.at, span),
            "turns": Scalar(str(each.turns), each.turns, span),
            "flipped": Scalar(str(each.flipped).lower(), each.flipped, span),
            "covers": SequenceNode(tuple(Scalar(space, space, span) for space in each.covers), span),
            "title": Scalar(title := fill_row_title(template, titles), title, span),
        }
        entries = {name: Entry(Scalar(name, name, span), cell) for name, cell in cells.items()}
        yield each.id, Entry(Scalar(each.id, each.id, span), Mapping(entries, span))
