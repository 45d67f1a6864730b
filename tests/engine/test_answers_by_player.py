"""The answers of several players: that of each of them, also in a group, and where `into` stores them."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright import Game
from tests.engine.machines import Table
from tests.language.inline import MANIFEST, sound

PLAYERS = MANIFEST.replace("1..4", "3, start: game")

RULES = """
tables: {places: {rows: {castle: {}, house: {}, inn: {}}}}
kinds:
  player:
    fields:
      place: optional places
      bid: int
      items: list of places
      rank: {type: int, default: 0}
state: {seen: list of int, chosen: list of places, hook: int, list: list of places}
procedures:
  game:
    steps:
"""
GROUP = """
      - {id: third, let: "list(p for p in players)[3]"}
      - {id: last, set: {third.rank: 2}, when: third}
      - id: bids
        choose: {who: "list(p for p in players if p != first(players) by -p.rank)", as: one, number: {from: 0, to: 3}}
      - {id: later, for_each: p, in: players, steps: [{id: moved, set: {p.rank: 1 - p.rank}}]}
      - {id: noted, for_each: p, in: players, steps: [{id: kept, set: {p.bid: "bids[p] or -1"}}]}
      - {id: known, for_each: p, in: players, steps: [{id: more, when: "bids[p]", set: {seen: "seen + bids[p]"}}]}
"""


def play(steps: str, *choices: str) -> Game:
    """Play the start of a game of three players with these choices, after playing it on all machines."""
    ruleset = sound(f"{RULES}{steps}      - {{id: over, finish: {{winners: []}}}}\n", manifest=PLAYERS)
    for seed in range(4):
        assert Table(ruleset).play(lambda machine: (machine.empty(3), "game", ()), seed) == "over"
    game = Game(ruleset)
    for choice in choices:
        game.choose(choice)
    return game


def values(game: Game, field: str) -> list[Any]:
    """Return a field of every player."""
    place = game.state.machine.layout.places["player", field]
    return [game.state.objects[player][place] for player in (1, 2, 3)]


def test_each_player_of_a_group_has_an_answer_and_the_others_have_none() -> None:
    game = play(GROUP, "3", "0")
    assert values(game, "bid") == [-1, 0, 3]
    assert game.state.objects[0][game.state.machine.layout.places["game", "seen"]] == (0, 3)


def test_the_answers_are_those_of_the_players_who_were_asked_although_the_group_has_changed() -> None:
    steps = """
      - {id: go, choose: {who: "list(p for p in players if p.rank == 0)", as: p, one_of: places}}
      - {id: rise, for_each: p, in: players, steps: [{id: risen, set: {p.rank: 1}}]}
      - {id: noted, for_each: p, in: players, steps: [{id: kept, set: {p.place: "go[p]"}}]}
"""
    assert values(play(steps, "castle", "house", "inn"), "place") == ["castle", "house", "inn"]


@pytest.mark.parametrize(
    "who",
    ["players", "list(p for p in players if true by -p.bid)", "list(p for p in players if p == next(first(players)))"],
)
def test_into_stores_the_answer_of_each_player(who: str) -> None:
    steps = f"""
      - {{id: go, choose: {{who: "{who}", as: guest, one_of: places}}, into: guest.place}}
"""
    asked = 1 if "next" in who else 3
    game = play(steps, *("castle", "house", "inn")[:asked])
    assert values(game, "place") == ([None, "castle", None] if asked == 1 else ["castle", "house", "inn"])


def test_into_may_find_another_object_by_the_choosing_player() -> None:
    steps = """
      - {id: go, choose: {who: players, as: guest, one_of: places}, into: "next(guest).place"}
"""
    assert values(play(steps, "castle", "house", "inn"), "place") == ["inn", "castle", "house"]


def test_into_stores_nothing_if_the_condition_was_false() -> None:
    steps = """
      - id: rounds
        for_each: round
        in: "[1, 2]"
        steps:
          - id: go
            when: round == 1
            choose: {who: players, as: guest, one_of: places, or_none: true}
            into: guest.place
"""
    assert values(play(steps, "castle", "none", "inn"), "place") == ["castle", None, "inn"]


def test_a_trigger_sees_each_answer_that_into_stores() -> None:
    steps = """
      - {id: go, choose: {who: players, as: guest, one_of: places}, into: guest.place}
      - {id: over_, set: {hook: hook + 10}}
whenever:
  arrives: {changes: player.place, when: after == inn, then: [{id: count, set: {hook: hook + 1}}]}
"""
    source = f"{RULES}{steps}".replace("whenever:", "      - {id: over, finish: {winners: []}}\nwhenever:")
    ruleset = sound(source, manifest=PLAYERS)
    game = Game(ruleset)
    for choice in ("inn", "castle", "inn"):
        game.choose(choice)
    assert game.state.objects[0][game.state.machine.layout.places["game", "hook"]] == 12


def test_an_element_of_a_list_is_found_by_its_number() -> None:
    steps = """
      - {id: turn, let: 0}
      - id: registers
        repeat:
          at_most: 5
          steps:
            - {id: next_turn, set: {turn: turn + 1}}
            - {id: order, let: "list(x for x in places)[turn - 1]"}
            - {id: done, set: {chosen: chosen + order}, when: order}
      - {id: sure, set: {chosen: "chosen + [places.inn, places.castle][2]"}}
"""
    game = play(steps)
    chosen = game.state.objects[0][game.state.machine.layout.places["game", "chosen"]]
    assert chosen == ("castle", "house", "inn", "castle")


def test_answers_of_a_group_are_secret_until_all_have_answered() -> None:
    game = play(GROUP, "3")
    assert "chooses 3" in str(game.story(seat=3))
    assert "chooses 3" not in str(game.story(seat=2))
    game.choose("0")
    assert "chooses 3" in str(game.story(seat=2))
