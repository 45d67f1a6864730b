"""Examples that ask about one player or object among several, and examples of what a formula comes to."""

from __future__ import annotations

import pytest

from rulewright.source.diagnostics.formats import render
from rulewright.testing.run_examples import run_examples
from tests.language.inline import sound

GAME = """\
kinds:
  player:
    fields: {coin: count, pets: list of cat}
    derived: {rich: self.coin > 5}
  cat: {fields: {owner: player, age: int}}
state: {turn: player}
formulas:
  worth: {given: {who: player, rate: int}, is: "who.coin * rate + count(c for c in cats if c.owner == who)"}
  share: {given: {of: int, among: int}, is: of / among if among > 0 else 0}
  best: {is: last(p for p in players by p.coin)}
  ages: {is: "list(c.age for c in cats)"}
procedures:
  pay_day:
    given: {who: player}
    steps:
      - {id: paid, gain: {who: who, coin: 3}}
      - {id: old, for_each: c, in: cats, steps: [{id: older, set: {c.age: c.age + 1}}]}
      - {id: turned, set: {turn: who}}
examples:
  one: {title: T, of: EXAMPLE}
"""


def judge_example(example: str) -> str:
    """Return what is wrong with an example; empty where it holds."""
    (run,) = run_examples(sound(GAME.replace("EXAMPLE", example)))
    return render("text", run.problems) if not run.holds else ""


@pytest.mark.parametrize(
    "example",
    [
        'pay_day, players: 2, given: {who: 2}, expect: {"players[2].coin": 3, "players[1].coin": 0}',
        'pay_day, given: {cats: [{age: 3}, {age: 5}]}, expect: {"cats[2].age": 6, "cats[1].owner": 1}',
        'pay_day, players: 2, given: {who: 2}, expect: {turn: 2, "turn == players[2]": true, "players[2].rich": false}',
        "worth, given: {who: 2, rate: 4, players: [{}, {coin: 2}], cats: [{owner: 2}, {owner: 1}]}, expect: 9",
        "share, given: {of: 7, among: 2}, expect: 3",
        "share, given: {of: 7}, expect: 0",
        "best, given: {players: [{coin: 2}, {coin: 4}]}, expect: 2",
        "ages, given: {cats: [{age: 3}, {age: 1}]}, expect: [3, 1]",
        "player.rich, given: {self: 2, players: [{}, {coin: 6}]}, expect: true",
    ],
)
def test_what_holds(example: str) -> None:
    assert judge_example(example) == ""


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ('pay_day, expect: {"players[2].coin": 3}', "the list has 1 element, so there is no element 2"),
        ('pay_day, expect: {"players[0].coin": 3}', "counted from 1"),
        ('pay_day, expect: {"players[who].coin": 3}', "must be a literal number"),
        ('pay_day, given: {who: 1}, expect: {"players[1].coin": 4}', "should be 4 but is 3"),
        ("pay_day, given: {who: 1}, players: 2, expect: {turn: 2}", "should be Player 2 but is Player 1"),
        ("share, given: {of: 7, among: 2}, expect: 4", "should be 4 but is 3"),
        ("share, given: {off: 7}, expect: 4", "did you mean `of`"),
        ("share, given: {of: 7}", "does not say which value to expect"),
        ("share, given: {of: 7}, dice: [3], expect: 0", "so `dice` does not apply"),
        ("shares, expect: 4", "did you mean `share`"),
    ],
)
def test_what_does_not_says_why(example: str, message: str) -> None:
    assert message in judge_example(example)
