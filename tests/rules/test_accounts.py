"""Whole games keep their books: everything that changes is told by an event, and nothing runs below zero.

One game is thousands of decisions in which each procedure comes again and again: games differ by their seed alone.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rulewright import Ruleset, load_ruleset
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.narration.log import NarrationLog
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import OVER, State
from rulewright.language.types import INTEGER
from tests.breadth import times

OPTIONS = {"max_days": "hundred"}


@pytest.fixture(scope="module")
def normal() -> Ruleset:
    return load_ruleset("fuzzy-knights/normal@1.0")


def random_game(rules: Ruleset, players: int, seed: int) -> tuple[State, NarrationLog, list[str]]:
    """Return a random game with its events read, and what was wrong at any decision of it."""
    machine = compile_ruleset(rules, recording=True, sampling=True)
    state = machine.empty(players, options=OPTIONS)
    state.generator, choices = Generator(seed, "dice"), Generator(seed, "choices")
    state.events = []
    chronicle = NarrationLog.for_state(state)
    assert rules.start is not None
    machine.begin(state, rules.start, ())
    wrong: list[str] = []
    while state.mode != OVER:
        if not state.options:
            wrong.append("a decision offers nothing")
        wrong += faults(state)
        state.apply(choices.draw_below(len(state.options)))
    return state, chronicle, wrong


def faults(state: State) -> list[str]:
    """Return what must never be."""
    layout = state.machine.layout
    lines = []
    for kind, declared in state.machine.ruleset.declarations.kinds.items():
        counts = [f.name for f in declared.fields.values() if f.type == INTEGER and f.minimum == 0]
        entities = [0] if kind == "game" else state.live[layout.kinds[kind]]
        for entity in entities:
            for name in counts:
                if state.objects[entity][layout.places[kind, name]] < 0:
                    lines.append(f"{kind} {entity}: {name} is below zero")
    tiles = [
        state.objects[entity][layout.places["settlement", "tile"]] for entity in state.live[layout.kinds["settlement"]]
    ]
    if len(tiles) != len(set(tiles)):
        lines.append("two settlements on one tile")
    return lines


@pytest.mark.parametrize("players", [2, 3, 4])
def test_events_account_for_everything(normal: Ruleset, players: int) -> None:
    """A mirror that only events keep up to date holds, at the end, what the game holds: every coin, item and token."""
    for seed in range(times(1, 4)):
        state, chronicle, wrong = random_game(normal, players, seed)
        assert wrong == []
        chronicle.read(state.events or [])
        layout = state.machine.layout
        decks = {place for (kind, name), place in layout.places.items() if kind == "game" and name.startswith("deck.")}
        for number, entity in enumerate(state.objects):
            if entity is not None:
                mirrored = chronicle.objects[number]
                cells = range(len(entity)) if number else [c for c in range(len(entity)) if c not in decks]
                assert [mirrored[c] for c in cells] == [entity[c] for c in cells], f"object {number}"
        created = {line[2] for line in state.events or [] if line[1] == "created"}
        removed = {line[2] for line in state.events or [] if line[1] == "removed"}
        alive = {number for number, entity in enumerate(state.objects) if entity is not None}
        assert alive == ({0, *range(1, players + 1)} | created) - removed


def test_coins_are_the_sum_of_what_was_gained_and_paid(normal: Ruleset) -> None:
    """Reckoned without the mirror: the differences that events tell add up to every purse."""
    for seed in range(times(1, 4)):
        state, _, _ = random_game(normal, 2, seed)
        purses = dict.fromkeys(state.live[1], 0)
        for line in state.events or []:
            if line[1] == "written" and line[2] in purses and line[3] == "coin":
                purses[line[2]] += line[5] - line[4]
        place = state.machine.layout.places["player", "coin"]
        assert purses == {player: state.objects[player][place] for player in purses}


GAME = """
import hashlib, json
from random import Random
from rulewright import Game, load_ruleset
rules, random = load_ruleset("fuzzy-knights/normal@1.0"), Random(2)
game = Game(rules, players=3, seed="s", options={"max_days": "hundred"})
while game.decision is not None and len(game.record) < 1500:
    game.choose(random.choice(game.decision.options))
told = [[event.rule, event.text] for event in game.log]
print(hashlib.sha256(json.dumps([told, game.to_json()], sort_keys=True).encode()).hexdigest())
"""


def test_the_same_seed_is_the_same_game_in_any_process(normal: Ruleset) -> None:
    digests = set()
    for hash_seed in ("0", "1", "random"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        process = subprocess.run(
            [sys.executable, "-c", GAME], capture_output=True, text=True, env=environment, check=True
        )
        digests.add(process.stdout)
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64
