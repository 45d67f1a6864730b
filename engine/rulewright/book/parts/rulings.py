"""Rulings as readers see them, with the numbers they are cited by."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.rulings import Ruling

LETTER = "R"


@dataclass(frozen=True, slots=True, eq=False)
class NumberedRuling:
    """A ruling and its number in this edition's book: `R.3`."""

    ruling: Ruling
    number: str


def numbered(ruleset: Ruleset) -> dict[str, NumberedRuling]:
    """Every ruling in the order of the book: those the rules give a number first, by it, then the others."""
    last = len(ruleset.rulings) + 1_000
    ordered = sorted(ruleset.rulings.values(), key=lambda ruling: ruling.number or last)
    return {ruling.id: NumberedRuling(ruling, f"{LETTER}.{place}") for place, ruling in enumerate(ordered, start=1)}
