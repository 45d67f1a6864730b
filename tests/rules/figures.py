"""What a ruleset's figures are, as plain values: to be compared with those that a test writes down by hand."""

from __future__ import annotations

from fractions import Fraction

from rulewright import Ruleset
from rulewright.dice.ast import Roll
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.format_notation import format_roll


def plain(value: object) -> object:
    return format_roll(value) if isinstance(value, Roll) else value


def faces(rules: Ruleset, table: str) -> dict[str, str]:
    """Row → its first and its last face."""
    rows = rules.declarations.tables[table].rows
    return {row.id: f"{row.faces[0]}-{row.faces[-1]}" for row in rows.values()}


def column(rules: Ruleset, table: str, name: str) -> list[object]:
    return [plain(row.cells[name]) for row in rules.declarations.tables[table].rows.values()]


def number(rules: Ruleset, name: str) -> object:
    return plain(rules.declarations.numbers[name].value)


def numbered(rules: Ruleset) -> set[int]:
    """Return the numbers of the rulings there are."""
    return {ruling.number for ruling in rules.rulings.values() if ruling.number is not None}


def deck_shares(rules: Ruleset) -> dict[str, Fraction]:
    deck = rules.declarations.decks["item_deck"]
    cards = rules.declarations.tables[deck.table].rows
    types = [str(cards[card].cells["type"]) for card in deck.cards]
    return {kind: Fraction(types.count(kind), len(types)) for kind in types}


def dice_shares(rules: Ruleset, table: str) -> dict[str, Fraction]:
    dice = rules.declarations.tables[table]
    assert dice.roll is not None
    odds = compute_distribution(dice.roll)
    return {row.id: Fraction(sum(odds.get_probability(face) for face in row.faces)) for row in dice.rows.values()}
