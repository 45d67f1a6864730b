"""Changes of figures and of the game's own dice."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, line, said, stopped
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.texts import text_lines
from rulewright.language.declarations import Table
from rulewright.ruleset.queries.difference import Difference


def moved_figures(pair: Pair) -> Iterator[tuple[str, str]]:
    """The figures and tables of both sides that come to something else, whether written otherwise or not."""
    before, after = pair.before.declared, pair.after.declared
    for identity, number in after.numbers.items():
        if identity in before.numbers and before.numbers[identity].value != number.value:
            yield "numbers", identity
    for identity, table in after.tables.items():
        if identity in before.tables and _moved(before.tables[identity], table):
            yield "tables", identity


def _moved(before: Table, after: Table) -> bool:
    return any(
        row in before.rows and column in before.rows[row].cells and before.rows[row].cells[column] != value
        for row, found in after.rows.items()
        for column, value in found.cells.items()
    )


def number_lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """What the figure was and is; of dice, what they come to."""
    old, new = (side.declared.numbers[identity] for side in (pair.before, pair.after))
    covers = [difference.path for difference in group if difference.path[2:] == ("is",)]
    if covers or old.value != new.value:
        same = old.value == new.value
        before, after = pair.before.value(old.value, old.type), pair.after.value(new.value, new.type)
        yield line("changed", "", before, after, covers=covers or [("numbers", identity, "is")], words=same)
    yield from text_lines(pair, group)


def whole_number(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """The figure and what it is."""
    number = side.declared.numbers[identity]
    means = side.words(number.means)
    value = f"{side.value(number.value, number.type)}."
    sentence = value if means == identity else stopped(f"{value} {means}")
    yield said(difference.what, sentence, covers=[difference.path])


def die_lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """The faces on both sides."""
    covers = [difference.path for difference in group if difference.path[2] == "faces"]
    if covers:
        before, after = (_faces(side, identity) for side in (pair.before, pair.after))
        yield line("changed", "Faces", before, after, covers=covers, words=before == after)
    yield from text_lines(pair, group)


def whole_die(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """The faces, and what the die is for."""
    means = side.node("dice", identity).get("means")
    sentence = f"Faces {_faces(side, identity)}. {side.words(means)}".strip()
    yield said(difference.what, sentence, covers=[difference.path])


def _faces(side: Side, identity: str) -> str:
    return ", ".join(map(str, side.declared.dice[identity].faces))
