"""Decks whose cards an example gives, of the game and of each player."""

from __future__ import annotations

import pytest

from rulewright.book.parts.example_runs import build_example_view
from rulewright.book.style.text_style import HtmlStyle
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.testing.failure_hints import report_failures
from rulewright.testing.procedure_run import run
from rulewright.testing.run_examples import run_example
from tests.engine.test_run import given
from tests.language.inline import sound

RULES = """
tables: {cards: {columns: {copies: int}, rows: {ace: {copies: 2}, king: {copies: 1}, queen: {copies: 1}}}}
kinds: {player: {fields: {used: list of cards}}}
decks:
  pack: {title: The pack, of: cards, copies: copies, held: "[king]"}
  row: {title: The row, of: cards, copies: copies, ordered: true}
  stack: {title: Own cards, of: cards, copies: copies, each: player, discard: used}
procedures:
  main: {given: {who: player}, steps: [{id: drawn, draw: DECK}]}
examples:
  e: {title: E, of: main, given: GIVEN, dice: DICE, expect: EXPECT}
"""


def build(deck: str, given: str, dice: str = "[]", expect: str = "{}") -> Ruleset:
    source = RULES.replace("DECK", deck).replace("GIVEN", given)
    return sound(source.replace("DICE", dice).replace("EXPECT", expect))


@pytest.mark.parametrize(
    ("deck", "given", "dice", "expect"),
    [
        ("pack", "{pack: [queen]}", "[queen]", "{pack.left: 0, row.left: 4}"),
        (
            "pack",
            "{pack: [queen, ace, queen]}",
            "[queen]",
            "{pack.left: 2, 'count(c for c in pack.cards if c == queen)': 1}",
        ),
        ("pack", "{pack: []}", "[ace]", "{pack.left: 2}"),
        ("row", "{row: [queen, ace, king]}", "[queen]", "{drawn: queen, row.left: 2}"),
        ("who.stack", "{players: [{stack: [king]}, {}]}", "[king]", "{who.stack.left: 0, next(who).stack.left: 4}"),
        ("who.stack", "{players: [{stack: [], used: [king]}]}", "[king]", "{who.stack.left: 0}"),
    ],
    ids=["one card", "in any order", "refilled at once", "from the top", "of a player", "refilled by the player"],
)
def test_an_example_says_what_a_deck_contains(deck: str, given: str, dice: str, expect: str) -> None:
    ruleset = build(deck, given, dice, expect)
    assert not list(report_failures(ruleset, [run_example(ruleset, ruleset.examples["e"])]))


@pytest.mark.parametrize(
    ("written", "message", "hint"),
    [
        ("{pack: [quen]}", "", "queen"),
        ("{pack: 3}", "", ""),
        (
            "{pock: []}",
            "the start sets `pock`, but neither the procedure nor the game has anything of that name",
            "pack",
        ),
        ("{stack: []}", "the start sets `stack`, but neither the procedure nor the game has anything of that name", ""),
        ("{players: [{stac: []}]}", "`player` has no field `stac`", "stack"),
    ],
)
def test_what_is_no_deck_or_no_card_is_reported(written: str, message: str, hint: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        run(build("pack", "{}"), "main", given=given(written), dice=[])
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert hint in str(diagnostic.suggestion)


def test_readers_see_what_the_decks_contain() -> None:
    ruleset = build("row", "{row: [queen, ace, ace], pack: [], players: [{stack: [king]}, {}]}")
    view = build_example_view(ruleset.examples["e"], HtmlStyle(ruleset, lambda path: None))
    assert view.given == (
        "The row: Queen and 2 × Ace",
        "The pack: none",
        "Players: one with Own cards: King; one other",
    )
