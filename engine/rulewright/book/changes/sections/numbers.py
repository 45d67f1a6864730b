"""Changes of figures and of the game's own dice, of formulas, and of what simulations measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from rulewright.book.changes.change import Line, line, said, stopped
from rulewright.book.changes.compared_side import Pair, Side, Teller
from rulewright.book.changes.sections.texts import text_lines
from rulewright.book.english.grammar import capital
from rulewright.book.english.naming import Called, pretty
from rulewright.language.declarations import Table
from rulewright.ruleset.queries.tree_difference import Difference


def moved_figures(pair: Pair) -> Iterator[tuple[str, str]]:
    """Yield the figures and tables of both sides that come to something else, whether written otherwise or not."""
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
    """Yield what the figure was and is; of dice, what they come to."""
    old, new = (side.declared.numbers[identity] for side in (pair.before, pair.after))
    covers = [difference.path for difference in group if difference.path[2:] == ("is",)]
    if covers or old.value != new.value:
        same = old.value == new.value
        before, after = pair.before.value(old.value, old.type), pair.after.value(new.value, new.type)
        yield line("changed", "", before, after, covers=covers or [("numbers", identity, "is")], words=same)
    yield from text_lines(pair, group)


def whole_number(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """Yield the figure and what it is."""
    number = side.declared.numbers[identity]
    means = side.words(number.means)
    value = f"{side.value(number.value, number.type)}."
    sentence = value if means in ("", identity) else stopped(f"{value} {means}")
    yield said(difference.what, sentence, covers=[difference.path])


def die_lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """Yield the faces, or what is rolled, on both sides."""
    covers = [difference.path for difference in group if difference.path[2] in ("faces", "of", "is")]
    if covers:
        before, after = (side.declared.die_said(identity) for side in (pair.before, pair.after))
        what = _what(pair.after, identity)
        yield line("changed", what, before, after, covers=covers, words=before == after)
    yield from text_lines(pair, group)


def whole_die(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """Yield the faces, and what the die is for."""
    means = side.node("dice", identity).get("means")
    sentence = f"{_what(side, identity)} {side.declared.die_said(identity)}. {side.words(means)}".strip()
    yield said(difference.what, sentence, covers=[difference.path])


def _what(side: Side, identity: str) -> str:
    """Return what a die is known by, and what a roll that has a name is."""
    return "Faces" if identity in side.declared.dice else "Rolled as"


WORKED_OUT = "Worked out as"


def formula_lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """Yield what it is given, and how it is worked out."""
    yield from text_lines(pair, group)
    for difference in group:
        match difference.path[2:]:
            case ("is",):
                before, after = (side.told(partial(_body, side, identity)) for side in (pair.before, pair.after))
                yield line("changed", WORKED_OUT, before, after, covers=[difference.path])
            case ("given", *_):
                yield given_line(pair, difference, *(_given(side, identity) for side in (pair.before, pair.after)))


def given_line(pair: Pair, difference: Difference, old: dict[str, str], new: dict[str, str]) -> Line:
    """Return what a formula or procedure is given: one thing more, one less, another kind of thing, another order."""
    if len(difference.path) < 4:
        before, after = (", ".join(pretty(name) for name in given) or "nothing" for given in (old, new))
        return line("changed", "What it goes by", before, after, covers=[difference.path])
    name = difference.path[3]
    before, after = old.get(name, ""), new.get(name, "")
    return line(difference.what, f"What it is given as “{pretty(name)}”", before, after, covers=[difference.path])


def whole_formula(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """Yield what it is, and how it is worked out."""
    means = side.words(side.node("formulas", identity).get("means"))
    if means:
        yield said(difference.what, means, covers=[difference.path])
    body = _body(side, identity)
    before, after = (body, "") if difference.what == "removed" else ("", body)
    yield Line(difference.what, WORKED_OUT, before, after, f"{WORKED_OUT}: {body}.", False, (difference.path,))


def for_bots(told: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines of a formula that only bots and simulations go by: what it is for.

    Nobody who plays works it out.
    """
    for each in told:
        if each.label != WORKED_OUT:
            yield replace(each, words=True)
        elif each.what == "changed":
            yield said("changed", "It is worked out in another way.", covers=each.covers, words=True)
        else:
            yield said(each.what, "Only bots and simulations go by it.", covers=each.covers, words=True)


def measure_lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """How it is worked out."""
    yield from text_lines(pair, group)
    before, after = (side.ruleset.measures[identity] for side in (pair.before, pair.after))
    for difference in group:
        match difference.path[2:]:
            case ("is",):
                old, new = pair.before.english.value(before.value), pair.after.english.value(after.value)
                yield line("changed", WORKED_OUT, old, new, covers=[difference.path], words=True)
            case ("over",):
                old = "" if before.over is None else pair.before.english.value(before.over)
                new = "" if after.over is None else pair.after.english.value(after.over)
                yield line(difference.what, "Reported over", old, new, covers=[difference.path], words=True)


def whole_measure(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """Yield what it tells."""
    measure = side.ruleset.measures[identity]
    sentence = side.words(measure.means) or f"{WORKED_OUT}: {side.english.value(measure.value)}."
    yield said(difference.what, capital(sentence), covers=[difference.path], words=True)


def _body(side: Side, identity: str) -> str:
    formula = side.declared.formulas[identity]
    return side.english.among(Called.in_formula(formula)).value(formula.body)


def _given(side: Side, identity: str) -> dict[str, str]:
    return {name: side.type(kind) for name, kind in side.declared.formulas[identity].parameters.items()}


TELLERS = {
    "dice": Teller(die_lines, whole_die),
    "numbers": Teller(number_lines, whole_number),
    "formulas": Teller(formula_lines, whole_formula),
    "measures": Teller(measure_lines, whole_measure),
}
