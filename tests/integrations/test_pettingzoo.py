"""Rulesets as environments of PettingZoo: its own conformance tests, and what they do not look at."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from rulewright import GameError
from tests.integrations.games import GAMES

pytest.importorskip("pettingzoo")
import numpy as np
from pettingzoo.test import api_test, seed_test

from rulewright.integrations import pettingzoo


@pytest.mark.parametrize("reference", GAMES)
def test_it_passes_the_interface_test(reference: str) -> None:
    with warnings.catch_warnings():
        # That an observation with a mask is no plain array is what PettingZoo's own board games warn of too.
        warnings.simplefilter("ignore", UserWarning)
        api_test(pettingzoo.env(reference, players=2, **GAMES[reference]), num_cycles=50)


@pytest.mark.parametrize("reference", ["classics/tic-tac-toe@1.0", "pig/classic@1.0"])
def test_plain_arrays_are_what_the_interface_test_wants(reference: str) -> None:
    env = pettingzoo.env(reference, players=2, observations="array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A board before anybody has moved is told in zeros, and numbers of rules have no bounds that spaces can have.
        warnings.filterwarnings("ignore", message="Observation numpy array is all zeros")
        warnings.filterwarnings("ignore", message="Agent's (minimum|maximum) observation space value")
        api_test(env, num_cycles=50)
    env.reset(seed=1)
    assert env.observation_space("player_0").contains(env.observe("player_0"))
    with pytest.raises(GameError, match="must be dict or array"):
        pettingzoo.env(reference, observations="list")


@pytest.mark.parametrize("reference", GAMES)
def test_the_same_seed_gives_the_same_game(reference: str) -> None:
    seed_test(lambda: pettingzoo.env(reference, players=2, **GAMES[reference]), num_cycles=50)


def test_another_seed_gives_another_game() -> None:
    env = pettingzoo.env("pig/classic@1.0", players=2)
    seen = set()
    for seed in range(20):
        env.reset(seed=seed)
        for _ in range(3):
            env.step(0)
        seen.add(tuple(env.last()[0]["observation"]))
    assert len(seen) > 5


def test_the_mask_is_what_is_legal_and_nobody_elses_turn_has_one() -> None:
    env = pettingzoo.env("classics/tic-tac-toe@1.0")
    env.reset(seed=1)
    env.step(4)
    assert env.agent_selection == "player_1"
    assert env.last()[4]["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert not env.observe("player_0")["action_mask"].any()
    assert not env.infos["player_0"]["action_mask"].any()


def test_an_action_that_is_not_offered_is_refused_and_changes_nothing() -> None:
    env = pettingzoo.env("classics/tic-tac-toe@1.0", render_mode="ansi")
    env.reset(seed=1)
    env.step(4)
    before = env.render()
    with pytest.raises(GameError, match="player_1 cannot take action 4"):
        env.step(4)
    assert env.render() == before
    env.step(0)
    assert env.agent_selection == "player_0"


@pytest.mark.parametrize("action", [0.9, 1.0, True, "1", b"1", float("nan"), None, np.float32(1), np.bool_(True)])
def test_an_action_is_a_whole_number(action: Any) -> None:
    """Nothing is rounded, and what only looks like a number is none."""
    env = pettingzoo.env("classics/tic-tac-toe@1.0", render_mode="ansi")
    env.reset(seed=1)
    before = env.render()
    with pytest.raises(GameError, match="player_0 cannot take action"):
        env.step(action)
    assert env.render() == before
    env.step(np.int64(4))
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("settings", [{"horizon": "x"}, {"horizon": -1}, {"most_options": 2.5}, {"most_objects": None}])
def test_limits_are_whole_numbers(settings: dict[str, Any]) -> None:
    with pytest.raises(GameError, match="must be a whole number of 0 or more, not"):
        pettingzoo.env("classics/tic-tac-toe@1.0", **settings)


@pytest.mark.parametrize("seed", ["x", 2.5, True])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    env = pettingzoo.env("classics/tic-tac-toe@1.0")
    with pytest.raises(GameError, match="a seed must be a whole number"):
        env.reset(seed=seed)
    env.reset(seed=np.int64(3))


def test_the_winner_gets_what_the_others_lose() -> None:
    env = pettingzoo.env("classics/tic-tac-toe@1.0")
    env.reset(seed=1)
    for place in (0, 3, 1, 4, 2):
        env.step(place)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}


def test_what_is_rolled_before_the_first_choice_takes_nothing_of_the_horizon() -> None:
    env = pettingzoo.env("fuzzy-knights/normal@1.0", players=2, horizon=20)
    env.reset(seed=1)
    assert env.match.moves < -20, "the rules place everything by dice first"
    taken = 0
    while not any(env.truncations.values()):
        env.step(int(env.last()[4]["action_mask"].argmax()))
        taken += 1
    assert env.match.moves >= 20
    assert taken > 1


def test_a_game_that_is_broken_off_is_truncated() -> None:
    env = pettingzoo.env("pig/classic@1.0", players=2, horizon=2)
    env.reset(seed=1)
    env.step(1)
    env.step(1)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert not any(env.terminations.values())
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
