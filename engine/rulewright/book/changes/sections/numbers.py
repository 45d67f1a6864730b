"""Changes of numbers, custom dice, formulas and measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line, end_sentence
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.changes.sections.texts import compare_texts
from rulewright.book.english.grammar import capitalize
from rulewright.book.english.naming import NameWords, humanize
from rulewright.language.declarations import Table
from rulewright.ruleset.queries.tree_difference import Difference


def list_changed_numbers(pair: RulesetPair) -> Iterator[tuple[str, str]]:
    """Yield the section and id of the numbers and tables with changed values, even if their source is the same.

    Only rules, rows and columns that both sides have count, and the rows of placements.
    """
    before, after = pair.before.declared, pair.after.declared
    for identity, number in after.numbers.items():
        if identity in before.numbers and before.numbers[identity].value != number.value:
            yield "numbers", identity
    for identity, table in after.tables.items():
        if identity not in before.tables:
            continue
        earlier = before.tables[identity]
        moved = table.placements is not None and earlier.rows.keys() != table.rows.keys()
        if moved or _compare(earlier, table):
            yield "tables", identity


def _compare(before: Table, after: Table) -> bool:
    """Return whether a cell that both tables have has another value."""
    return any(
        row in before.rows and column in before.rows[row].cells and before.rows[row].cells[column] != value
        for row, result in after.rows.items()
        for column, value in result.cells.items()
    )


def number_lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield a line with the old and the new number, if it changed, and the changed texts.

    Dice also have their range.
    """
    old, new = (side.declared.numbers[identity] for side in (pair.before, pair.after))
    covers = [difference.path for difference in group if difference.path[2:] == ("is",)]
    if covers or old.value != new.value:
        same = old.value == new.value
        before, after = pair.before.render_value(old.value, old.type), pair.after.render_value(new.value, new.type)
        yield build_line("changed", "", before, after, covers=covers or [("numbers", identity, "is")], words=same)
    yield from compare_texts(pair, group)


def whole_number(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield one line for a number on only one side: its value and its description."""
    number = side.declared.numbers[identity]
    means = side.render_words(number.means)
    value = f"{side.render_value(number.value, number.type)}."
    sentence = value if means in ("", identity) else end_sentence(f"{value} {means}")
    yield build_sentence_line(difference.what, sentence, covers=[difference.path])


def compare_die(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield a line with the faces or the roll of both sides, if they changed, and the changed texts."""
    covers = [difference.path for difference in group if difference.path[2] in ("faces", "of", "is")]
    if covers:
        before, after = (side.declared.describe_die(identity) for side in (pair.before, pair.after))
        what = _what(pair.after, identity)
        yield build_line("changed", what, before, after, covers=covers, words=before == after)
    yield from compare_texts(pair, group)


def whole_die(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the faces and the purpose of the die."""
    means = side.find_node("dice", identity).get("means")
    sentence = f"{_what(side, identity)} {side.declared.describe_die(identity)}. {side.render_words(means)}".strip()
    yield build_sentence_line(difference.what, sentence, covers=[difference.path])


def _what(side: Side, identity: str) -> str:
    """Return the label for the definition of a die or a named roll."""
    return "Faces" if identity in side.declared.dice else "Rolled as"


WORKED_OUT = "Worked out as"


def compare_formula(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of a formula: its texts, its parameters and its expression."""
    yield from compare_texts(pair, group)
    for difference in group:
        match difference.path[2:]:
            case ("is",):
                before, after = (side.render(partial(_body, side, identity)) for side in (pair.before, pair.after))
                yield build_line("changed", WORKED_OUT, before, after, covers=[difference.path])
            case ("given", *_):
                yield describe_parameters(
                    pair, difference, *(_given(side, identity) for side in (pair.before, pair.after))
                )


def describe_parameters(
    pair: RulesetPair, difference: Difference, old: dict[str, str], new: dict[str, str]
) -> ChangeLine:
    """Return the change of a parameter: added, removed, of another type, or in another order.

    `old` and `new` are the types of all parameters, in words and by name. A `difference` of the whole list is about
    their order.
    """
    if len(difference.path) < 4:
        before, after = (", ".join(humanize(name) for name in given) or "nothing" for given in (old, new))
        return build_line("changed", "What it goes by", before, after, covers=[difference.path])
    name = difference.path[3]
    before, after = old.get(name, ""), new.get(name, "")
    return build_line(
        difference.what, f"What it is given as “{humanize(name)}”", before, after, covers=[difference.path]
    )


def whole_formula(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the lines for a formula on only one side: its description, if it has one, and its expression."""
    means = side.render_words(side.find_node("formulas", identity).get("means"))
    if means:
        yield build_sentence_line(difference.what, means, covers=[difference.path])
    body = _body(side, identity)
    before, after = (body, "") if difference.what == "removed" else ("", body)
    yield ChangeLine(difference.what, WORKED_OUT, before, after, f"{WORKED_OUT}: {body}.", False, (difference.path,))


def mark_for_bots(lines: Iterable[ChangeLine]) -> Iterator[ChangeLine]:
    """Yield the lines of a rule that only bots and simulations use, all marked as not affecting play.

    A line with an expression is replaced by a remark that names no expression.
    """
    for each in lines:
        if each.label != WORKED_OUT:
            yield replace(each, words=True)
        elif each.what == "changed":
            yield build_sentence_line("changed", "It is computed differently.", covers=each.covers, words=True)
        else:
            yield build_sentence_line(each.what, "Only bots and simulations use it.", covers=each.covers, words=True)


def measure_lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield the differences of a measure: its texts, its expression, and what it is reported over."""
    yield from compare_texts(pair, group)
    before, after = (side.ruleset.measures[identity] for side in (pair.before, pair.after))
    for difference in group:
        match difference.path[2:]:
            case ("is",):
                old, new = pair.before.english.value(before.value), pair.after.english.value(after.value)
                yield build_line("changed", WORKED_OUT, old, new, covers=[difference.path], words=True)
            case ("per",):
                old = "" if before.per is None else pair.before.english.value(before.per)
                new = "" if after.per is None else pair.after.english.value(after.per)
                yield build_line(difference.what, "Reported over", old, new, covers=[difference.path], words=True)


def whole_measure(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield the description of the measure."""
    measure = side.ruleset.measures[identity]
    sentence = side.render_words(measure.means) or f"{WORKED_OUT}: {side.english.value(measure.value)}."
    yield build_sentence_line(difference.what, capitalize(sentence), covers=[difference.path], words=True)


def _body(side: Side, identity: str) -> str:
    formula = side.declared.formulas[identity]
    return side.english.among(NameWords.in_formula(formula)).value(formula.body)


def _given(side: Side, identity: str) -> dict[str, str]:
    return {name: side.type(kind) for name, kind in side.declared.formulas[identity].parameters.items()}


TELLERS = {
    "dice": Teller(compare_die, whole_die),
    "numbers": Teller(number_lines, whole_number),
    "formulas": Teller(compare_formula, whole_formula),
    "measures": Teller(measure_lines, whole_measure),
}
