"""Scripted results of draws: how a script names what is drawn, and what is reported otherwise."""

from __future__ import annotations

import pytest

from rulewright.testing.failure_hints import report_failures
from rulewright.testing.run_examples import run_example
from tests.language.inline import sound

RULES = """
kinds: {player: {fields: {score: int}}, tree: {fields: {height: int}}}
tables: {cards: {rows: {ace: {}, king: {}}}}
decks: {pack: {of: cards}}
procedures:
  main:
    given: {who: player, high: tree, low: tree}
    steps:
      - {id: begun, set: {high.height: 5, low.height: 3}}
      - {id: drawn, draw: DRAW}
      - {id: found, when: CONDITION, set: {who.score: 1}}
examples:
  e: {title: E, of: main, players: 3, given: {high: {}, low: {}}, dice: [ENTRY], expect: {who.score: EXPECTED}}
"""
PLAYERS, TREES, NUMBERS, FLAGS = (f"{{one_of: {each}}}" for each in ("players", "trees", "'[4, 7]'", "'[true, false]'"))


def list_failures(draw: str, condition: str, entry: str, expected: int) -> list[tuple[str, str]]:
    """Return the messages and the hints about an example with one entry under `dice:`.

    It expects 1 if the condition about what is drawn is true, and otherwise 0.
    """
    source = RULES.replace("DRAW", draw).replace("CONDITION", f'"{condition}"').replace("ENTRY", entry)
    ruleset = sound(source.replace("EXPECTED", str(expected)))
    failures = report_failures(ruleset, [run_example(ruleset, ruleset.examples["e"])])
    return [(each.message, str(each.suggestion)) for each in failures]


@pytest.mark.parametrize(
    ("draw", "condition", "entry", "expected"),
    [
        (PLAYERS, "drawn == next(who)", "2", 1),
        (PLAYERS, "drawn == next(who)", "player-2", 1),
        (PLAYERS, "drawn == next(who)", "'#2'", 1),
        (PLAYERS, "drawn == next(who)", "'#1'", 0),
        (TREES, "drawn.height == 5", "'#1'", 1),
        (TREES, "drawn.height == 3", "'#2'", 1),
        (NUMBERS, "drawn == 7", "7", 1),
        (FLAGS, "drawn", "true", 1),
        (FLAGS, "drawn", "false", 0),
        ("pack", "drawn == ace", "ace", 1),
        ("pack", "drawn == ace", "'#2'", 0),
    ],
)
def test_a_script_names_what_is_drawn(draw: str, condition: str, entry: str, expected: int) -> None:
    assert list_failures(draw, condition, entry, expected) == []


@pytest.mark.parametrize(
    ("draw", "entry", "shown", "hint"),
    [
        (PLAYERS, "0", "0", "it can draw: player-1, player-2, player-3"),
        (PLAYERS, "zzz", "zzz", "it can draw: player-1, player-2, player-3"),
        (PLAYERS, "true", "True", "it can draw: player-1, player-2, player-3"),
        (PLAYERS, "'#4'", "#4", "it can draw: player-1, player-2, player-3"),
        (TREES, "9", "9", "it can draw: #1 (the first Tree), #2 (the second Tree)"),
        (NUMBERS, "[4, 7]", "4+7", "it can draw: 4, 7"),
        ("pack", "kign", "kign", "did you mean `king`? it can draw: ace, king"),
    ],
)
def test_a_script_that_draws_something_else_is_reported(draw: str, entry: str, shown: str, hint: str) -> None:
    (failure,) = list_failures(draw, "who.score == 0", entry, 1)
    assert failure == (f"`e`: `main.drawn` cannot draw `{shown}`", hint)
