"""Changes of tables: rows, the faces they share out with the odds that move, and cells."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulewright.book.changes.change import Line, line, said
from rulewright.book.changes.compared_side import Pair, Side, Teller
from rulewright.book.changes.sections.texts import text_lines
from rulewright.book.english.grammar import capital
from rulewright.book.english.naming import pretty
from rulewright.book.parts.table_views import percent
from rulewright.dice.exact.compute_distribution import distribution
from rulewright.engine.boards.board_contents import empty
from rulewright.language.declarations import Table
from rulewright.ruleset.elaborate.board_shapes import SHAPES
from rulewright.ruleset.elaborate.table_faces import said as ranges
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.queries.tree_difference import Difference

MANY = 24
"""Rows of a table that are told one by one; a longer one is told by their number."""


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """Yield what is rolled, columns, rows; a cell that only leans on something else is told with them."""
    before, after = (side.declared.tables[identity] for side in (pair.before, pair.after))
    covers: dict[str, list[Path]] = {}
    for difference in group:
        if len(difference.path) > 2:
            covers.setdefault(difference.path[2], []).append(difference.path)
    yield from text_lines(pair, group)
    if "roll" in covers:
        yield _roll(pair, before, after, covers["roll"])
    laid_out = [path for key, paths in covers.items() if key in SHAPES for path in paths]
    if laid_out:
        old, new = _size(before), _size(after)
        label = "Neighbouring tiles" if old == new else ""
        yield line("changed", label, old, new, covers=laid_out)
    if before.is_board or after.is_board:
        return
    if "columns" in covers:
        yield from _columns(pair, before, after, group)
    yield from _rows(pair, before, after, group)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """Yield what the table says."""
    table = side.declared.tables[identity]
    covers = [difference.path]
    about = side.node("tables", identity).get("about")
    if about is not None:
        yield said(difference.what, side.words(about), covers=covers)
    if table.is_board:
        yield said(difference.what, capital(f"{_size(table)}."), covers=covers)
    elif len(table.rows) > MANY:
        yield said(difference.what, f"{len(table.rows)} rows.", covers=covers)
    else:
        for row in table.rows:
            cells = _cells(side, table, row)
            label = side.words(table.rows[row].title)
            yield said(difference.what, f"{label}: {cells}." if cells else f"{label}.", covers=covers)


def _roll(pair: Pair, before: Table, after: Table, covers: list[Path]) -> Line:
    old, new = (
        side.style.dice(table.roll) if table.roll is not None else "nothing"
        for side, table in ((pair.before, before), (pair.after, after))
    )
    return line("changed", "Rolled with", old, new, covers=covers)


def _size(table: Table) -> str:
    return empty(table).size if table.is_board else f"{len(table.rows)} rows"


def _columns(pair: Pair, before: Table, after: Table, group: list[Difference]) -> Iterator[Line]:
    for difference in group:
        if difference.path[2] != "columns" or len(difference.path) < 4:
            continue
        name = difference.path[3]
        covers = [difference.path, *(d.path for d in group if d.path[2] == "rows" and d.path[-1] == name)]
        match difference.what:
            case "added":
                cells = _column(pair.after, after, name)
                yield line("added", f"Column “{column_title(pair.after, name)}”", "", cells, covers=covers)
            case "removed":
                cells = _column(pair.before, before, name)
                yield line("removed", f"Column “{column_title(pair.before, name)}”", cells, "", covers=covers)
            case "changed":
                old, new = pair.before.type(before.columns[name]), pair.after.type(after.columns[name])
                label = f"Column “{column_title(pair.after, name)}”"
                yield line("changed", label, old, new, covers=[difference.path])


def _column(side: Side, table: Table, name: str) -> str:
    return ", ".join(
        f"{side.words(row.title)} {side.value(row.cells[name], table.columns[name])}"
        for row in list(table.rows.values())[:MANY]
        if row.cells[name] is not None
    )


def column_title(side: Side, name: str) -> str:
    """Return what readers call a column."""
    term = side.naming.word(name)
    return term.name if term is not None else capital(pretty(name))


def _rows(pair: Pair, before: Table, after: Table, group: list[Difference]) -> Iterator[Line]:
    here = ("tables", after.id, "rows")
    for row in after.rows.values():
        title = pair.after.words(row.title)
        place = (*here, row.id)
        if row.id not in before.rows:
            cells = _cells(pair.after, after, row.id)
            yield line("added", title, "", cells or "a row of its own", covers=[place])
            continue
        yield from _row(pair, before, after, row.id, [d for d in group if d.path[:4] == place])
    for row in before.rows.values():
        if row.id not in after.rows:
            cells = _cells(pair.before, before, row.id)
            yield line(
                "removed", pair.before.words(row.title), cells or "a row of its own", "", covers=[(*here, row.id)]
            )
    if any(d.what == "moved" and d.path == here for d in group):
        old, new = (
            ", ".join(side.words(row.title) for row in table.rows.values())
            for side, table in ((pair.before, before), (pair.after, after))
        )
        yield line("changed", "Order of the rows", old, new, covers=[here])


def _row(pair: Pair, before: Table, after: Table, row: str, group: list[Difference]) -> Iterator[Line]:
    old, new = before.rows[row], after.rows[row]
    place = ("tables", after.id, "rows", row)
    title = pair.after.words(new.title)
    told = {difference.path[4:5] for difference in group}
    if ("title",) in told:
        covers = [(*place, "title")]
        yield line("changed", "Name of a row", pair.before.words(old.title), title, covers=covers, words=True)
    if before.roll is not None and after.roll is not None and _falls(before, row) != _falls(after, row):
        yield _odds(before, after, row, title)
    for column, kind in after.columns.items():
        if column not in before.columns or (old.cells[column] == new.cells[column] and (column,) not in told):
            continue
        said_before = pair.before.value(old.cells[column], before.columns[column])
        said_after = pair.after.value(new.cells[column], kind)
        yield line(
            "changed",
            f"{title}, {column_title(pair.after, column)}",
            said_before,
            said_after,
            covers=[(*place, column)],
            words=old.cells[column] == new.cells[column],
        )


def _odds(before: Table, after: Table, row: str, title: str) -> Line:
    """Return the faces of a row, and its chance, before and now."""
    was, now = _on(before, row), _on(after, row)
    sentence = f"{title}: {now} instead of {was}: {_moved(_chance(before, row), _chance(after, row))}."
    old, new = f"{was}, {percent(_chance(before, row))}", f"{now}, {percent(_chance(after, row))}"
    return Line("changed", title, old, new, sentence, False, (("tables", after.id, "rows", row, "on"),))


def _on(table: Table, row: str) -> str:
    return f"on {_faces(table, row)}" if table.rows[row].faces else "never"


def _falls(table: Table, row: str) -> tuple[object, ...]:
    return _faces(table, row), _chance(table, row)


def _cells(side: Side, table: Table, row: str) -> str:
    found = table.rows[row]
    parts = [f"on {_faces(table, row)}, {percent(_chance(table, row))}"] if found.faces and table.roll else []
    parts += [
        f"{column_title(side, column)} {side.value(value, table.columns[column])}"
        for column, value in found.cells.items()
        if value is not None
    ]
    return ", ".join(parts)


def _faces(table: Table, row: str) -> str:
    """Return the faces of a row of a roll table: `10 to 70, 90`."""
    assert table.roll is not None
    return ranges(table.rows[row].faces, tuple(distribution(table.roll).outcomes))


def _chance(table: Table, row: str) -> Fraction:
    """How likely a row of a roll table is."""
    assert table.roll is not None
    odds = distribution(table.roll)
    return sum((odds.probability(face) for face in table.rows[row].faces), Fraction(0))


def _moved(before: Fraction, after: Fraction) -> str:
    """`20 % → 30 %`, or that the chance stays what it was."""
    return f"still {percent(after)}" if before == after else f"{percent(before)} → {percent(after)}"


TELLERS = {"tables": Teller(lines, whole)}
