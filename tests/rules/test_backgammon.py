"""Backgammon beside OpenSpiel's own: the same dice, and after them the same positions to choose from.

OpenSpiel plays both dice in one action, and a double in two of them, where our players choose die by die. So what is
compared is every position that a turn can lead to.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from rulewright import load_ruleset
from rulewright.engine.python_backend.compiler import PythonMachine, compile_ruleset
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from tests.breadth import times

pyspiel = pytest.importorskip("pyspiel")

GAMES = times(6, 300)
POINTS = 24
MEN = 15
BAR = 100
"""OpenSpiel's place of the bar."""

Position = tuple[tuple[int, ...], ...]
"""For each player, how many men are how far from home: on the bar last, at home first."""


@cache
def machine() -> PythonMachine:
    return compile_ruleset(load_ruleset("classics/backgammon@1.0"))


@cache
def fields() -> tuple[int, int, int, int]:
    layout = machine().layout
    return (layout.kinds["man"], *(layout.places["man", name] for name in ("owner", "at", "home")))


def position(state: State) -> Position:
    kind, owner, at, home = fields()
    points = [[0] * (POINTS + 2) for _ in range(2)]
    for man in state.live[kind]:
        values = state.objects[man]
        player = values[owner] - 1
        place = values[at]
        pips = 0 if values[home] else POINTS + 1
        if place is not None:
            rank = int(place.removeprefix("p"))
            pips = POINTS + 1 - rank if player == 0 else rank
        points[player][pips] += 1
    return tuple(map(tuple, points))


def their_position(state: Any) -> Position:
    moves = []
    for player in range(2):
        track = [state.board(player, place) for place in range(POINTS)]
        bar = state.board(player, BAR)
        moves.append((MEN - bar - sum(track), *(track[::-1] if player == 0 else track), bar))
    return tuple(moves)


def endings(state: State) -> dict[Position, State]:
    """Return every position that the rest of a turn can lead to."""
    ends, waiting, seen = {}, [state], set()
    while waiting:
        here = waiting.pop()
        if here.mode != DECISION:
            ends[position(here)] = here
            continue
        key = position(here), tuple(map(tuple, here.stack))
        if key in seen:
            continue
        seen.add(key)
        for place in range(len(here.options)):
            after = here.clone()
            after.apply(place)
            waiting.append(after)
    return ends


def their_endings(state: Any) -> dict[Position, Any]:
    ends, waiting, seen = {}, [(state, state.current_player())], set()
    while waiting:
        here, player = waiting.pop()
        if here.is_terminal() or here.is_chance_node() or here.current_player() != player:
            ends[their_position(here)] = here
            continue
        key = their_position(here), here.move_number()
        if key not in seen:
            seen.add(key)
            waiting += [(here.child(action), player) for action in here.legal_actions()]
    return ends


def dice(state: Any) -> Iterator[tuple[tuple[int, int, int], int]]:
    """Yield each outcome of a throw: whose turn it is then, and what the dice show, the lower one first."""
    outcomes = state.chance_outcomes()
    assert len({chance for _, chance in outcomes}) == 1
    for outcome, _ in outcomes:
        after = state.child(outcome)
        text = next(line for line in str(after).splitlines() if line.startswith("Dice: ")).removeprefix("Dice: ")
        low, high = sorted(map(int, text))
        yield (after.current_player(), low, high), outcome


@cache
def throws() -> dict[tuple[int, int], int]:
    """Outcomes of any throw but the first."""
    state = pyspiel.load_game("backgammon").new_initial_state()
    state.apply_action(0)
    state.apply_action(state.legal_actions()[0])
    outcomes = list(dice(state))
    pairs = [(low, high) for (_, low, high), _ in outcomes]
    # Every pair is twice as likely as a double, as with our dice that are rolled one after the other.
    assert all(pairs.count((low, high)) == (1 if low == high else 2) for low, high in pairs)
    return {(low, high): outcome for (_, low, high), outcome in outcomes}


def settle(ours: State, face: int) -> None:
    assert ours.mode == CHANCE
    assert dict(zip(*ours.chance_outcomes(), strict=True)) == pytest.approx(dict.fromkeys(range(1, 7), 1 / 6))
    ours.apply_outcome(face)


def play_beside(seed: int) -> tuple[int, ...] | None:
    """Play one game on both; who has won."""
    random = Random(seed)
    ours, theirs = machine().new_game(2), pyspiel.load_game("backgammon").new_initial_state()
    assert position(ours) == their_position(theirs)
    first = dict(dice(theirs))
    # Each throws a die until they differ, and the one who has thrown more begins: all of these are equally likely.
    pairs = [(low, high) for high in range(1, 7) for low in range(1, high)]
    assert sorted(each for each, _ in dice(theirs)) == sorted((player, *pair) for player in range(2) for pair in pairs)
    one, other = random.sample(range(1, 7), 2)
    settle(ours, one)
    settle(ours, other)
    outcome = first[0 if one > other else 1, min(one, other), max(one, other)]
    while True:
        theirs.apply_action(outcome)
        here, there = endings(ours), their_endings(theirs)
        assert set(here) == set(there)
        chosen = random.choice(sorted(here))
        ours, theirs = here[chosen], there[chosen]
        if ours.mode == OVER:
            assert theirs.is_terminal()
            assert ours.winners is not None
            assert theirs.returns() == [1.0 if player in ours.winners else -1.0 for player in (1, 2)]
            return ours.winners
        assert not theirs.is_terminal()
        one, other = random.randint(1, 6), random.randint(1, 6)
        settle(ours, one)
        settle(ours, other)
        outcome = throws()[min(one, other), max(one, other)]


def test_backgammon_is_the_same_game() -> None:
    assert {play_beside(seed) for seed in range(GAMES)} == {(1,), (2,)}
