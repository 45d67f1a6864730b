"""Battleship beside OpenSpiel's own: the same places, the same shots, the same results."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from rulewright import Game, load_ruleset
from tests.breadth import times

pyspiel = pytest.importorskip("pyspiel")

RULES = load_ruleset("proofs/battleship", rules=[Path(__file__).parent / "proof_games"])
REPEATS = {"allowed": "true", "forbidden": "false"}
"""Our setting, and OpenSpiel's."""
SEEN = ("game.places", "game.target", "all sunk", "shots used up", "won", "drawn")
"""What some of the games must come to: decisions by step, and ends."""
SIZES = {"patrol_boat": 2, "submarine": 3, "destroyer": 3, "battleship": 4, "carrier": 5}
ACROSS, DOWN = 100, 200
"""OpenSpiel's numbers of the first places for a ship in each direction."""
OPTION = re.compile(r"(?P<ship>[a-z_]+_)?c(?P<column>\d+)r(?P<row>\d+)(?P<down>_turned1)?")


def play(seed: int, decisions: Counter[str]) -> None:
    """Play a game on both sides, and count the decisions that agree, by step. Some players know where to shoot."""
    random = Random(seed)
    repeats = [*REPEATS][seed % 2]
    ours = Game(RULES, seed=seed, options={"repeats": repeats})
    theirs = pyspiel.load_game(f"battleship(allow_repeated_shots={REPEATS[repeats]})").new_initial_state()
    aim, fleets = [random.random(), random.random()], [list[int](), list[int]()]
    while ours.result is None:
        decision = ours.decision
        assert decision is not None
        seat = decision.player - 1
        assert theirs.current_player() == seat
        answers = {_answer(option.id): option for option in decision.options}
        assert sorted(answers) == sorted(theirs.legal_actions()), (seed, decision.rule)
        targets = [square for square in fleets[1 - seat] if square in answers] if decision.rule == "game.target" else []
        answer = random.choice(targets if random.random() < aim[seat] and targets else [*answers])
        fleets[seat] += _list_squares(answers[answer].id, answer)
        theirs.apply_action(answer)
        ours.choose(answers[answer])
        decisions[decision.rule] += 1
    assert theirs.is_terminal()
    sunk = [player["fields"]["sunk"] for player in ours.snapshot()["objects"]["player"]]
    assert theirs.returns() == [sunk[0] - sunk[1], sunk[1] - sunk[0]], seed
    assert ours.result.winners == tuple(seat for seat in (1, 2) if sunk[seat - 1] > sunk[2 - seat])
    decisions["all sunk" if 5 in sunk else "shots used up"] += 1
    decisions["won" if ours.result.winners else "drawn"] += 1


def _answer(option: str) -> int:
    """Return OpenSpiel's number of a square, or of a place for a ship."""
    place = OPTION.fullmatch(option)
    assert place is not None
    square = 10 * int(place["row"]) + int(place["column"]) - 11
    return square + (0 if place["ship"] is None else DOWN if place["down"] else ACROSS)


def _list_squares(option: str, answer: int) -> list[int]:
    """Return the squares that a ship covers; a shot covers none."""
    size = next((size for ship, size in SIZES.items() if option.startswith(ship)), 0)
    return [answer % 100 + n * (10 if answer >= DOWN else 1) for n in range(size)]


def test_games_agree_with_openspiel_decision_by_decision() -> None:
    decisions: Counter[str] = Counter()
    for seed in range(times(40, 300)):
        play(seed, decisions)
    assert all(decisions[name] for name in SEEN), decisions
