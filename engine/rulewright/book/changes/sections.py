"""Who tells the changes of each section of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.book.changes import (
    edition,
    examples,
    exceptions,
    faq,
    figures,
    formulas,
    kinds,
    overviews,
    pages,
    procedures,
    rulings,
    samples,
    settings,
    tables,
    terms,
)
from rulewright.book.changes.change import Line
from rulewright.book.changes.side import Pair, Side
from rulewright.ruleset.queries.difference import EDITION, Difference

LINES: dict[str, Callable[[Pair, str, list[Difference]], Iterable[Line]]] = {
    EDITION: edition.lines,
    "terms": terms.lines,
    "dice": figures.die_lines,
    "numbers": figures.number_lines,
    "tables": tables.lines,
    "kinds": kinds.lines,
    "state": kinds.state_lines,
    "options": settings.lines,
    "decks": settings.deck_lines,
    "formulas": formulas.lines,
    "procedures": procedures.lines,
    "exceptions": exceptions.lines,
    "measures": formulas.measure_lines,
    "examples": examples.lines,
    "samples": samples.lines,
    "overviews": overviews.lines,
    "rulings": rulings.lines,
    "faq": faq.lines,
    "pages": pages.lines,
}
"""How a rule that both sides have has changed."""

WHOLE: dict[str, Callable[[Side, str, Difference], Iterable[Line]]] = {
    EDITION: edition.whole,
    "terms": terms.whole,
    "dice": figures.whole_die,
    "numbers": figures.whole_number,
    "tables": tables.whole,
    "kinds": kinds.whole,
    "state": kinds.whole_state,
    "options": settings.whole,
    "decks": settings.whole_deck,
    "formulas": formulas.whole,
    "procedures": procedures.whole,
    "exceptions": exceptions.whole,
    "measures": formulas.whole_measure,
    "examples": examples.whole,
    "samples": samples.whole,
    "overviews": overviews.whole,
    "rulings": rulings.whole,
    "faq": faq.whole,
    "pages": pages.whole,
}
"""What a rule is that only one side has."""
