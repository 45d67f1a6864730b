"""Rules for whatever happens play as the same rules do that somebody wrote into every place by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulewright.engine import backends
from rulewright.engine.state.game_state import OVER, State
from rulewright.engine.state.machine import Machine
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.ruleset import Ruleset
from tests.language.inline import checked, sound

GARDEN = """\
kinds:
  player: {fields: {coin: {type: count, default: 9}, stars: count}}
  tree: {fields: {owner: player, shield: bool, height: {type: int, default: 1}}}
state: {turn: int, fallen: int, told: int, seen: list of int}
"""


def played(rules: str, *, coins: int = 9, players: int = 2, garden: str = GARDEN) -> tuple[dict[str, Any], ...]:
    """Return what there is at the end of `main`, which nothing stops, on every machine; all of them agree."""
    ruleset = sound(garden + rules)
    ends = [_end(backends.make(name, ruleset), coins, players) for name in backends.list_names()]
    assert all(each == ends[0] for each in ends[1:])
    return ends[0]


def _end(machine: Machine, coins: int, players: int) -> tuple[dict[str, Any], ...]:
    state: State = machine.empty(players)
    layout = machine.layout
    for player in range(FIRST_PLAYER, FIRST_PLAYER + players):
        state.objects[player][layout.places["player", "coin"]] = coins
    for number in range(3):
        tree = list(layout.defaults["tree"])
        tree[layout.places["tree", "owner"]] = FIRST_PLAYER + number % players
        tree[layout.places["tree", "shield"]] = number == 1
        state.create(layout.kinds["tree"], tree)
    state.events = []
    machine.begin(state, "main", (FIRST_PLAYER,))
    assert state.mode == OVER
    return tuple(
        {name: entity[layout.places[kind, name]] for name in layout.fields[kind]}
        for entity in state.objects
        if entity is not None
        for kind in [layout.names[entity[0]]]
    )


MAIN = "procedures:\n  main:\n    given: {p: player}\n    steps:\n"

PAIRS: dict[str, tuple[str, str]] = {
    "a toll on each gain": (
        MAIN
        + """\
      - {id: small, gain: {who: p, coin: 2}}
      - {id: large, gain: {who: p, coin: 5, stars: 1}}
      - {id: swap, set: {p.coin: p.coin + 4, p.stars: p.coin}}
      - {id: less, set: {p.coin: p.coin - 3}}
whenever:
  toll: {gains: player.coin, when: amount > 3, then: [{id: fee, pay: {who: player, coin: 1, stars: 0}}]}
""",
        MAIN
        + """\
      - {id: small, gain: {who: p, coin: 2}}
      - {id: large, gain: {who: p, coin: 5, stars: 1}}
      - {id: fee1, pay: {who: p, coin: 1}}
      - {id: swap, set: {p.coin: p.coin + 4, p.stars: p.coin}}
      - {id: fee2, pay: {who: p, coin: 1}}
      - {id: less, set: {p.coin: p.coin - 3}}
""",
    ),
    "a shield instead of a removal": (
        MAIN
        + """\
      - {id: top, let: first(trees), type: optional tree}
      - {id: one, remove: top, when: top}
      - {id: all, remove: trees}
      - {id: again, remove: "list(t for t in trees)"}
whenever:
  shield: {removes: tree, when: tree.shield, instead: [{id: spent, set: {tree.shield: false}}]}
  grave: {removes: tree, just_before: [{id: told, set: {fallen: fallen + 1}}]}
""",
        MAIN
        + """\
      - {id: f1, set: {fallen: fallen + 1}}
      - {id: top, let: first(trees), type: optional tree}
      - {id: one, remove: top, when: top}
      - {id: f2, set: {fallen: fallen + 2}}
      - {id: keep, for_each: t, in: trees, steps: [
          {id: ask, if: t.shield, then: [{id: spend, set: {t.shield: false}}], else: [{id: gone, remove: t}]}]}
      - {id: f3, set: {fallen: fallen + 1}}
      - {id: again, remove: trees}
""",
    ),
    "a bonus at the end of each turn": (
        """\
procedures:
  turn_of:
    given: {who: player}
    steps:
      - {id: poor, stop: true, when: who.coin < 9}
      - {id: ask, if: who.stars > 0, then: [{id: early, stop: true}], else: [{id: star, gain: {who: who, stars: 2}}]}
  main:
    given: {p: player}
    steps:
      - {id: first, do: turn_of, with: {who: p}}
      - {id: paid, pay: {who: p, coin: 3}}
      - {id: second, do: turn_of, with: {who: p}}
      - {id: rich, gain: {who: p, coin: 30}}
      - {id: third, do: turn_of, with: {who: p}}
whenever:
  bonus: {ends: turn_of, then: [{id: some, gain: {who: who, coin: 1 + who.stars}}]}
  start: {begins: turn_of, when: who.coin > 20, then: [{id: count, set: {turn: turn + 1}}]}
""",
        MAIN
        + """\
      - {id: a, gain: {who: p, stars: 2}}
      - {id: b, gain: {who: p, coin: 3}}
      - {id: paid, pay: {who: p, coin: 3}}
      - {id: d, if: p.coin < 9, then: [], else: []}
      - {id: c, gain: {who: p, coin: 3}}
      - {id: rich, gain: {who: p, coin: 30}}
      - {id: e, set: {turn: turn + 1}}
      - {id: f, gain: {who: p, coin: 3}}
""",
    ),
    "one of several things a step does at once": (
        MAIN
        + """\
      - {id: both, gain: {who: p, coin: 4, stars: p.coin}}
      - {id: turned, set: {turn: turn + 1, fallen: turn + 7, told: p.stars}}
whenever:
  spared: {gains: player.coin, instead: [{id: other, gain: {who: player, stars: 100}}]}
  still: {changes: fallen, when: after > 6, instead: [{id: noted, set: {seen: "seen + [before, after]"}}]}
""",
        MAIN
        + """\
      - {id: other, gain: {who: p, stars: 100}}
      - {id: both, gain: {who: p, stars: p.coin}}
      - {id: noted, set: {seen: "[0, 7]"}}
      - {id: turned, set: {turn: 1, told: p.stars}}
""",
    ),
    "the first of two whose condition holds": (
        MAIN
        + """\
      - {id: a, gain: {who: p, coin: 1}}
      - {id: b, gain: {who: p, coin: 5}}
      - {id: c, gain: {who: p, coin: 9}}
whenever:
  most: {gains: player.coin, when: amount > 8, instead: [{id: y, gain: {who: player, stars: 50}}]}
  much: {gains: player.coin, when: amount > 3, instead: [{id: x, gain: {who: player, stars: 1}}]}
""",
        MAIN
        + """\
      - {id: a, gain: {who: p, coin: 1}}
      - {id: x, gain: {who: p, stars: 51}}
""",
    ),
    "what comes into the game": (
        MAIN
        + """\
      - {id: plant, create: tree, with: {owner: p}}
      - {id: maybe, create: tree, with: {owner: p}, when: turn > 3}
      - {id: many, repeat: {at_most: 3, steps: [
          {id: sapling, create: tree, with: {owner: p}, when: turn % 2 == 0}, {id: on, set: {turn: turn + 1}}]}}
whenever:
  tall: {creates: tree, then: [{id: grown, set: {tree.height: 5}}, {id: note, set: {fallen: fallen + 1}}]}
  before_it: {creates: tree, just_before: [{id: here, set: {told: told + 1}}]}
""",
        MAIN
        + """\
      - {id: plant, create: tree, with: {owner: p, height: 5}}
      - {id: two, for_each: n, in: "[1, 2]", steps: [{id: sapling, create: tree, with: {owner: p, height: 5}}]}
      - {id: note, set: {fallen: 3, told: 3, turn: 3}}
""",
    ),
    "a step, and a rule of a rule": (
        MAIN
        + """\
      - {id: sold, gain: {who: p, coin: 2}, when: p.coin > 3}
      - {id: unsold, gain: {who: p, coin: 2}, when: p.coin < 3}
whenever:
  bell: {does: main.sold, just_before: [{id: ring, set: {told: told + 1}}]}
  echo: {does: main.unsold, then: [{id: ring2, set: {told: told + 100}}]}
  heard: {changes: told, then: [{id: hear, set: {seen: "seen + [before, after]"}}]}
""",
        MAIN
        + """\
      - {id: ring, set: {told: 1, seen: "[0, 1]"}}
      - {id: sold, gain: {who: p, coin: 2}}
""",
    ),
}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=[name.replace(" ", "-") for name in PAIRS])
def test_a_rule_plays_as_if_it_were_written_at_each_place(pair: tuple[str, str]) -> None:
    woven, by_hand = pair
    assert played(woven) == played(by_hand)


@pytest.mark.parametrize("hidden", ["", ", seen_by: self"])
@pytest.mark.parametrize(("field", "left"), [("coin", (9, 4)), ("stars", (3, 0))])
def test_one_of_two_changes_is_replaced_where_they_are_hidden_too(hidden: str, field: str, left: Any) -> None:
    garden = GARDEN.replace("default: 9}", f"default: 9{hidden}}}").replace(
        "stars: count", f"stars: {{type: count{hidden}}}"
    )
    rules = MAIN + "      - {id: a, set: {p.coin: 3, p.stars: 4}}\n"
    rules += f"whenever: {{kept: {{changes: player.{field}, instead: [{{id: x, set: {{turn: after}}}}]}}}}\n"
    player = played(rules, garden=garden)[1]
    assert (player["coin"], player["stars"]) == left


def test_an_upper_layer_says_which_rule_comes_first() -> None:
    rules = GARDEN + MAIN + "      - {id: a, gain: {who: p, coin: 9}}\n"
    rules += "whenever: {one: {gains: player.coin, instead: [{id: x, set: {turn: 1}}]}}\n"
    upper = "whenever: {two: {before: one, gains: player.coin, instead: [{id: y, set: {turn: 2}}]}}\n"
    ruleset: Ruleset | None
    ruleset, diagnostics = checked(rules, upper)
    assert ruleset is not None
    assert not diagnostics.errors
    assert [step.touched for step in ruleset.steps.values() if step.touched] == [("two", "one")]


def test_a_rule_is_not_called_up_by_what_it_does_itself() -> None:
    rules = MAIN + "      - {id: a, gain: {who: p, coin: 1}}\n"
    rules += "whenever: {more: {gains: player.coin, then: [{id: x, gain: {who: player, coin: 1}}]}}\n"
    assert played(rules)[1]["coin"] == 11


def test_rules_written_as_data_hold_the_same() -> None:
    rules = MAIN + "      - {id: a, gain: {who: p, coin: 5}}\n"
    rules += "whenever: {more: {gains: player.coin, when: amount > 2, then: [{id: x, pay: {who: player, coin: 1}}]}}\n"
    ruleset = sound(GARDEN + rules)
    again = sound(json.dumps(ruleset.resolved.rules.to_plain()))
    assert [step.touched for step in again.steps.values()] == [step.touched for step in ruleset.steps.values()]
