"""A deck that begins empty and that no step fills is reported."""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.lints import run_lints
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import text
from tests.language.inline import sound
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "lints"

RULES = """\
tables: {cards: {rows: {herb: {}, tower: {}}}}
kinds: {player: {fields: {hand: list of cards, used: list of cards}}}
decks: {pile: {of: cards, each: player, filled_by_rules: true}}
procedures:
  main:
    given: {p: player}
    steps:
      - {id: card, draw: p.pile}
      - {id: held, set: {p.hand: p.hand + card}}
"""


def report(rules: str) -> str:
    diagnostics = Diagnostics()
    run_lints(sound(rules), diagnostics)
    return text.render([each for each in diagnostics if each.code.id == "deck-never-filled"])


def test_a_deck_that_nothing_fills_is_reported() -> None:
    assert_golden("deck_never_filled.txt", report(RULES), folder=FOLDER)


def test_a_deck_that_a_step_or_its_discard_pile_fills_is_not() -> None:
    draw = "- {id: card, draw: p.pile}"
    assert not report(RULES.replace(draw, f"- {{id: filled, reshuffle: p.pile, adding: list(cards)}}\n      {draw}"))
    assert not report(RULES.replace(draw, f"- {{id: put, put: {{cards: cards.herb, into: p.pile}}}}\n      {draw}"))
    assert not report(RULES.replace("filled_by_rules: true", "filled_by_rules: true, discard: used"))
