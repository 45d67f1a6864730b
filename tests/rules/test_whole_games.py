"""Whole games of every edition by players who choose at random: they end, and nothing impossible happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rulewright import Ruleset, load_ruleset
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_outcome
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.engine.state.machine import Machine
from tests.breadth import some, times

EDITIONS = some(["normal@1.0", "normal@0.2", "medium@0.1", "normal@0.1"], ["normal@1.0", "medium@0.1"])
"""The newest of each: what an older one has otherwise are figures, and that `check` ends its games is shown too."""
LAST_DAY = 100
SETTINGS = [
    {},
    {"placement": "chosen", "items": "dice_only"},
    {"alliances": "free", "rolls": "representative"},
    {"attacker": "alternate", "alliances": "forbidden", "votes": "never"},
]
ON_THE_MAP = ("item_token", "resource", "monster", "mine", "settlement", "hero")


@pytest.fixture(scope="module", params=EDITIONS)
def edition(request: pytest.FixtureRequest) -> Ruleset:
    return load_ruleset(f"fuzzy-knights/{request.param}")


def stops(machine: Machine, players: int, seed: int, options: dict[str, str], days: int = LAST_DAY) -> Iterator[State]:
    """Yield every stop of one game of so many days; the same seed makes the same choices and rolls."""
    generator = Generator(seed)
    state = machine.new_game(players, options={"max_days": "hundred", **options})
    state.objects[0][machine.layout.places["game", "day"]] = LAST_DAY - days
    while state.mode != OVER:
        yield state
        if state.mode == DECISION:
            state.apply(generator.draw_below(len(state.options)))
        else:
            assert state.mode == CHANCE
            state.apply_outcome(draw_outcome(state.roll, generator).value)
    yield state


def all_of(state: State, kind: str) -> list[dict[str, Any]]:
    """Return the fields of every object of a kind."""
    layout = state.machine.layout
    places = {name: place for (owner, name), place in layout.places.items() if owner == kind}
    objects = [state.objects[number] for number in state.live[layout.kinds[kind]]]
    return [{name: entity[place] for name, place in places.items()} for entity in objects]


def hold_invariants(state: State) -> None:
    live = {number for numbers in state.live for number in numbers}
    for kind in ON_THE_MAP:
        assert all(entity["tile"] for entity in all_of(state, kind)), f"every {kind} is on the map"
    tiles = [settlement["tile"] for settlement in all_of(state, "settlement")]
    assert len(tiles) == len(set(tiles)), "no two settlements share a tile"
    for kind, names in {"player": ("coin",), "hero": ("mercenaries", "moves"), "settlement": ("mercenaries",)}.items():
        assert all(entity[name] >= 0 for entity in all_of(state, kind) for name in names)
    for item in all_of(state, "item"):
        assert (item["bearer"] is None) != (item["armory"] is None), "an item is in one place"
        assert item["bearer"] is None or item["bearer"] in live, "nobody dead carries an item"
    worn = [(item["bearer"], item["type"]) for item in all_of(state, "item") if item["worn"]]
    assert len(worn) == len(set(worn)), "a hero brings one item of a type"
    eliminated = state.machine.layout.places["player", "eliminated"]
    gone = {number for number in state.live[1] if state.objects[number][eliminated]}
    assert not any(entity["owner"] in gone for kind in ("hero", "mine", "settlement") for entity in all_of(state, kind))
    allied = [player["alliance"] for player in all_of(state, "player") if player["alliance"] is not None]
    assert all(allied.count(alliance) >= 2 for alliance in allied), "an alliance of one is none"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: "-".join(options.values()) or "usual")
def test_random_games_end_and_hold_their_invariants(edition: Ruleset, players: int, options: dict[str, str]) -> None:
    machine = compile_ruleset(edition)
    # Where cities are founded, heroes are without number in the end, and the last days are very long.
    days = 40 if "found_city" in edition.procedures else LAST_DAY
    for seed in range(times(1, 3)):  # thousands of decisions each
        decisions = 0
        for number, state in enumerate(stops(machine, players, seed, options, days)):
            if state.mode == DECISION:
                decisions += 1
                assert len(state.options) >= 2, "what has one answer is not asked"
            if number % 50 == 0:
                hold_invariants(state)
        assert state.winners is not None
        assert len(state.winners) <= 1
        assert decisions < 15_000


def test_whole_games_end(edition: Ruleset) -> None:
    counts = simulate(edition, games=1, seed=2, options={"max_days": "hundred"})
    assert counts.games == 1


def test_everybody_starts_as_the_board_setup_says(edition: Ruleset) -> None:
    for players in (2, 3, 4):
        for state in stops(compile_ruleset(edition), players, 3, {}):
            if state.objects[0][state.machine.layout.places["game", "day"]] == 1:
                break
        counts = [len(all_of(state, kind)) for kind in ("item_token", "resource", "monster", "mine", "settlement")]
        assert counts == [3 * players, 4 * players, 4 * players, 3 * players, players]
        tiles = [entity["tile"] for kind in ON_THE_MAP for entity in all_of(state, kind)]
        assert len(tiles) == len(set(tiles))
