"""Who tells the changes of each section of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rulewright.book.changes import (
    edition,
    examples,
    exceptions,
    figures,
    formulas,
    kinds,
    pages,
    procedures,
    settings,
    tables,
    terms,
    texts,
)
from rulewright.book.changes.change import Line
from rulewright.book.changes.side import Pair, Side
from rulewright.ruleset.queries.difference import EDITION, Difference


@dataclass(frozen=True, slots=True)
class Teller:
    """`lines` tells how a rule that both sides have has changed, `whole` what a rule is that only one side has."""

    lines: Callable[[Pair, str, list[Difference]], Iterable[Line]]
    whole: Callable[[Side, str, Difference], Iterable[Line]]


_WORDS = Teller(texts.lines, texts.whole)
_OWN = {
    EDITION: Teller(edition.lines, edition.whole),
    "terms": Teller(terms.lines, terms.whole),
    "dice": Teller(figures.die_lines, figures.whole_die),
    "numbers": Teller(figures.number_lines, figures.whole_number),
    "tables": Teller(tables.lines, tables.whole),
    "kinds": Teller(kinds.lines, kinds.whole),
    "state": Teller(kinds.state_lines, kinds.whole_state),
    "options": Teller(settings.lines, settings.whole),
    "decks": Teller(settings.deck_lines, settings.whole_deck),
    "formulas": Teller(formulas.lines, formulas.whole),
    "procedures": Teller(procedures.lines, procedures.whole),
    "exceptions": Teller(exceptions.lines, exceptions.whole),
    "measures": Teller(formulas.measure_lines, formulas.whole_measure),
    "examples": Teller(examples.lines, examples.whole),
    "pages": Teller(pages.lines, pages.whole),
}
"""The sections of which more is to be told than what differs in their words."""


def teller(section: str) -> Teller:
    """Who tells the changes of a section: what it says of its own words is enough, unless there is more to tell."""
    return _OWN.get(section, _WORDS)
