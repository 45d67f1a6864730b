"""Chances in words, before and after."""

from __future__ import annotations

from fractions import Fraction

from rulewright.book.parts.tables import percent
from rulewright.dice.distribution import distribution
from rulewright.language.declarations import Table
from rulewright.ruleset.elaborate.faces import said


def faces(table: Table, row: str) -> str:
    """The faces of a row of a roll table: `10 to 70, 90`."""
    assert table.roll is not None
    return said(table.rows[row].faces, tuple(distribution(table.roll).outcomes))


def chance(table: Table, row: str) -> Fraction:
    """How likely a row of a roll table is."""
    assert table.roll is not None
    odds = distribution(table.roll)
    return sum((odds.probability(face) for face in table.rows[row].faces), Fraction(0))


def moved(before: Fraction, after: Fraction) -> str:
    """`20 % → 30 %`, or that the chance stays what it was."""
    return f"still {percent(after)}" if before == after else f"{percent(before)} → {percent(after)}"
