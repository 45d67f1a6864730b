"""Changes of tables: rows, the faces they share out with the odds that move, and cells."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line, end_sentence
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.changes.sections.procedures import compare_cells, describe_row_steps
from rulewright.book.changes.sections.texts import compare_texts
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import humanize
from rulewright.book.parts.table_views import describe_rule, find_forms, format_percent
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.language.checked_steps import CellSteps
from rulewright.language.declarations import Table
from rulewright.ruleset.boards.board_shape import list_shape_keys, make_plan
from rulewright.ruleset.elaborate.table_faces import describe_faces as ranges
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.queries.tree_difference import Difference

MANY = 24
"""The maximum number of rows that are listed one by one."""


def lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of a table: its texts, roll, columns and rows, including cells that changed indirectly.

    Of a board, only the texts, the roll and the shape are compared, and of placements, the texts and their number.
    """
    before, after = (side.declared.tables[identity] for side in (pair.before, pair.after))
    covers: dict[str, list[Path]] = {}
    for difference in group:
        if len(difference.path) > 2:
            covers.setdefault(difference.path[2], []).append(difference.path)
    yield from compare_texts(pair, group)
    if "roll" in covers:
        yield _roll(pair, before, after, covers["roll"])
    laid_out = [path for key, paths in covers.items() if key in list_shape_keys() for path in paths]
    if laid_out:
        old, new = _size(before), _size(after)
        label = "Neighbouring tiles" if old == new else ""
        yield build_line("changed", label, old, new, covers=laid_out)
    if before.is_board or after.is_board:
        return
    if before.placements is not None and after.placements is not None:
        yield from _placements(before, after, covers)
        return
    if "columns" in covers:
        yield from _columns(pair, before, after, group)
    yield from _rows(pair, before, after, group)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the lines for a table on only one side: its description, if it has one, and each row.

    Instead of rows, a board has a line with its size, and a table with more than `MANY` rows has one with their number.
    """
    table = side.declared.tables[identity]
    covers = [difference.path]
    about = side.find_node("tables", identity).get("about")
    if about is not None:
        yield build_sentence_line(difference.what, side.render_words(about), covers=covers)
    if table.is_board:
        yield build_sentence_line(difference.what, capitalize(f"{_size(table)}."), covers=covers)
    elif table.placements is not None:
        yield build_sentence_line(difference.what, f"{len(table.rows):,} placements.", covers=covers)
    elif len(table.rows) > MANY:
        yield build_sentence_line(difference.what, f"{len(table.rows)} rows.", covers=covers)
    else:
        for row in table.rows:
            cells = _cells(side, table, row)
            label = side.render_words(table.rows[row].title)
            sentence = end_sentence(f"{label}: {cells}" if cells else label)
            yield build_sentence_line(difference.what, sentence, covers=covers)


def _placements(before: Table, after: Table, covers: dict[str, list[Path]]) -> Iterator[ChangeLine]:
    """Yield the line of changed placements: how many there are, or of as many, how many cover other spaces."""
    written = [path for key, paths in covers.items() if key not in ("title", "about") for path in paths]
    old, new = ({row.id: row.cells["covers"] for row in table.rows.values()} for table in (before, after))
    if len(old) == len(new) and old != new:
        many = sum(old.get(identity) != spaces for identity, spaces in new.items())
        yield build_sentence_line("changed", f"{many:,} placements cover other spaces.", covers=written)
    elif old != new or written:
        yield build_line("changed", "Placements", f"{len(old):,}", f"{len(new):,}", covers=written)


def _roll(pair: RulesetPair, before: Table, after: Table, covers: list[Path]) -> ChangeLine:
    """Return the line of a changed roll. A table that is not rolled on is rolled with `nothing`."""
    old, new = (
        side.style.dice(table.roll) if table.roll is not None else "nothing"
        for side, table in ((pair.before, before), (pair.after, after))
    )
    return build_line("changed", "Rolled with", old, new, covers=covers)


def _size(table: Table) -> str:
    return make_plan(table).describe_size() if table.is_board else f"{len(table.rows)} rows"


def _columns(pair: RulesetPair, before: Table, after: Table, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the lines of new, removed and changed columns. A column with steps has one line, whatever changed in it."""
    reported: set[str] = set()
    for difference in group:
        if difference.path[2] != "columns" or len(difference.path) < 4:
            continue
        name = difference.path[3]
        covers = [difference.path, *(d.path for d in group if d.path[2] == "rows" and d.path[-1] == name)]
        if name in before.steps or name in after.steps:
            if name not in reported:
                reported.add(name)
                covers = [d.path for d in group if d.path[2:4] == ("columns", name)]
                what = "has other parameters or results"
                if len(difference.path) == 4:
                    what = "is new" if difference.what == "added" else "is gone"
                elif difference.path[4:6] == ("steps", "default"):
                    what = "has other steps for rows without their own"
                sentence = f"Column “{find_column_title(pair.after, name)}” with steps {what}."
                yield build_sentence_line(difference.what, sentence, covers=covers)
            continue
        if len(difference.path) > 4 or name in before.formulas or name in after.formulas:
            if name not in reported:
                reported.add(name)
                covers += [d.path for d in group if d.path[2:4] == ("columns", name) and d is not difference]
                yield _column_form(pair, name, difference, covers)
            continue
        match difference.what:
            case "added":
                cells = _column(pair.after, after, name)
                yield build_line("added", f"Column “{find_column_title(pair.after, name)}”", "", cells, covers=covers)
            case "removed":
                cells = _column(pair.before, before, name)
                yield build_line(
                    "removed", f"Column “{find_column_title(pair.before, name)}”", cells, "", covers=covers
                )
            case "changed":
                old, new = pair.before.type(before.columns[name]), pair.after.type(after.columns[name])
                label = f"Column “{find_column_title(pair.after, name)}”"
                yield build_line("changed", label, old, new, covers=[difference.path])


def _column_form(pair: RulesetPair, name: str, difference: Difference, covers: list[Path]) -> ChangeLine:
    """Return the line of a changed default, or the only line of a column of expressions."""
    what = "has another type or other parameters"
    if len(difference.path) == 4:
        what = "is new" if difference.what == "added" else "is gone" if difference.what == "removed" else what
    elif difference.path[4] == "default":
        what = "has another value for rows without their own"
    elif difference.path[4] in ("means", "names", "wording"):
        what = "has other words"
    sentence = f"Column “{find_column_title(pair.after, name)}” {what}."
    return build_sentence_line(difference.what if len(difference.path) == 4 else "changed", sentence, covers=covers)


def _column(side: Side, table: Table, name: str) -> str:
    """Return the values of a column with the titles of their rows, from the first `MANY` rows, without empty cells."""
    return ", ".join(
        f"{side.render_words(row.title)} {side.render_value(row.cells[name], table.columns[name])}"
        for row in list(table.rows.values())[:MANY]
        if row.cells[name] is not None
    )


def find_column_title(side: Side, name: str) -> str:
    """Return the title of a column."""
    term = side.naming.word(name)
    return term.title if term is not None else capitalize(humanize(name))


def _rows(pair: RulesetPair, before: Table, after: Table, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the lines of new and changed rows in their new order, then of removed rows, then of a changed order."""
    here = ("tables", after.id, "rows")
    for row in after.rows.values():
        title = pair.after.render_words(row.title)
        place = (*here, row.id)
        if row.id not in before.rows:
            cells = _cells(pair.after, after, row.id)
            yield build_line("added", title, "", cells or "a row of its own", covers=[place])
            continue
        yield from _row(pair, before, after, row.id, [d for d in group if d.path[:4] == place])
    for row in before.rows.values():
        if row.id not in after.rows:
            cells = _cells(pair.before, before, row.id)
            yield build_line(
                "removed",
                pair.before.render_words(row.title),
                cells or "a row of its own",
                "",
                covers=[(*here, row.id)],
            )
    if any(d.what == "moved" and d.path == here for d in group):
        old, new = (
            ", ".join(side.render_words(row.title) for row in table.rows.values())
            for side, table in ((pair.before, before), (pair.after, after))
        )
        yield build_line("changed", "Order of the rows", old, new, covers=[here])


def _row(pair: RulesetPair, before: Table, after: Table, row: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the lines of a row that both tables have: a changed title, chance, steps and cells, but no new columns."""
    old, new = before.rows[row], after.rows[row]
    place = ("tables", after.id, "rows", row)
    title = pair.after.render_words(new.title)
    paths = {difference.path[4:5] for difference in group}
    if ("title",) in paths:
        covers = [(*place, "title")]
        yield build_line(
            "changed", "Name of a row", pair.before.render_words(old.title), title, covers=covers, words=True
        )
    if before.roll is not None and after.roll is not None and _falls(before, row) != _falls(after, row):
        yield _odds(before, after, row, title)
    for column in {**before.steps, **after.steps}:
        within = [difference for difference in group if difference.path[4:5] == (column,)]
        if within:
            cell = CellSteps(after.id, row, column).id
            yield from compare_cells(pair, cell, within, title, find_column_title(pair.after, column))
    for column in after.formulas:
        if column in before.formulas:
            texts = [
                describe_rule(table, table.rows[row], column, side.style)
                for side, table in ((pair.before, before), (pair.after, after))
            ]
            if texts[0] != texts[1] or (column,) in paths:
                label = f"{title}, {find_column_title(pair.after, column)}"
                yield build_line("changed", label, texts[0], texts[1], covers=[(*place, column)], words=True)
    for column in after.columns:
        if column not in before.columns or (old.cells[column] == new.cells[column] and (column,) not in paths):
            continue
        said_before = _render_cell(pair.before, before, row, column)
        said_after = _render_cell(pair.after, after, row, column)
        yield build_line(
            "changed",
            f"{title}, {find_column_title(pair.after, column)}",
            said_before,
            said_after,
            covers=[(*place, column)],
            words=old.cells[column] == new.cells[column],
        )


def _render_cell(side: Side, table: Table, row: str, column: str) -> str:
    """Return the value of a cell. The form of a piece keeps its rows."""
    value = table.rows[row].cells[column]
    if column in find_forms(table, side.ruleset):
        return " / ".join(value) or "–"
    return side.render_value(value, table.columns[column])


def _odds(before: Table, after: Table, row: str, title: str) -> ChangeLine:
    """Return the faces of a row, and its chance, before and now."""
    was, now = _on(before, row), _on(after, row)
    sentence = f"{title}: {now} instead of {was}: {_compare_moved(_chance(before, row), _chance(after, row))}."
    old, new = f"{was}, {format_percent(_chance(before, row))}", f"{now}, {format_percent(_chance(after, row))}"
    return ChangeLine("changed", title, old, new, sentence, False, (("tables", after.id, "rows", row, "on"),))


def _on(table: Table, row: str) -> str:
    return f"on {_faces(table, row)}" if table.rows[row].faces else "never"


def _falls(table: Table, row: str) -> tuple[object, ...]:
    return _faces(table, row), _chance(table, row)


def _cells(side: Side, table: Table, row: str) -> str:
    """Return a row in words: its faces with their chance, its cells and its steps, or "" if it has none of them."""
    result = table.rows[row]
    parts = [f"on {_faces(table, row)}, {format_percent(_chance(table, row))}"] if result.faces and table.roll else []
    parts += [
        f"{find_column_title(side, column)} {_render_cell(side, table, row, column)}"
        for column, value in result.cells.items()
        if value is not None
    ]
    parts += [
        f"{find_column_title(side, column)} {text}"
        for column in table.formulas
        if (text := describe_rule(table, result, column, side.style))
    ]
    cells = {column: CellSteps(table.id, row, column).id for column in table.steps}
    parts += [
        f"{find_column_title(side, column)}: {describe_row_steps(side, cell)}"
        for column, cell in cells.items()
        if cell in side.ruleset.procedures
    ]
    return ", ".join(parts)


def _faces(table: Table, row: str) -> str:
    """Return the faces of a row of a roll table: `10 to 70, 90`."""
    assert table.roll is not None
    return ranges(table.rows[row].faces, tuple(compute_distribution(table.roll).outcomes))


def _chance(table: Table, row: str) -> Fraction:
    """Return how likely a row of a roll table is."""
    assert table.roll is not None
    odds = compute_distribution(table.roll)
    return sum((odds.get_probability(face) for face in table.rows[row].faces), Fraction(0))


def _compare_moved(before: Fraction, after: Fraction) -> str:
    """Return `20 % → 30 %`, or `still 20 %` for an unchanged chance."""
    return (
        f"still {format_percent(after)}" if before == after else f"{format_percent(before)} → {format_percent(after)}"
    )


TELLERS = {"tables": Teller(lines, whole)}
