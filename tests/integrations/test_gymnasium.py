"""Many games as a vector environment of Gymnasium: its interface, its ways to begin again, and its wrappers."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright import GameError

pytest.importorskip("gymnasium")
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from rulewright.integrations import gymnasium

TTT = "classics/tic-tac-toe@1.0"


def some_steps(envs: Any, count: int) -> list[Any]:
    """Return what came of steps at random, each beside what was taken."""
    return [(actions := envs.unwrapped.batch.any_actions(), envs.step(actions)) for _ in range(count)]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_it_tells_is_in_its_spaces(mode: AutoresetMode, seat: int | None) -> None:
    envs = gymnasium.make_vec(TTT, games=8, seat=seat, autoreset_mode=mode)
    seen, _ = envs.reset(seed=3)
    assert seen in envs.observation_space
    assert envs.metadata["autoreset_mode"] is mode
    for actions, (seen, rewards, terminated, truncated, _) in some_steps(envs, 30):
        assert actions in envs.action_space
        assert seen in envs.observation_space
        assert rewards.shape == terminated.shape == truncated.shape == (8,)


def test_a_wrapper_counts_whole_games() -> None:
    envs = RecordEpisodeStatistics(gymnasium.make_vec(TTT, games=4, autoreset_mode="SameStep"))
    envs.reset(seed=1)
    lengths, returns = [], []
    for _, (_, _, _, _, infos) in some_steps(envs, 60):
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
            returns += infos["episode"]["r"][infos["_episode"]].tolist()
    # The last square is nobody's choice: it is taken without a question, by whoever comes next, who may win by it.
    assert set(lengths) <= set(range(5, 9))
    assert set(returns) == {-1.0, 0.0, 1.0}
    assert returns.count(1.0) > returns.count(-1.0)


def test_the_last_state_of_a_game_is_told_where_the_next_begins_at_once() -> None:
    late = gymnasium.make_vec(TTT, games=5, seat=0, autoreset_mode="NextStep")
    soon = gymnasium.make_vec(TTT, games=5, seat=0, autoreset_mode="SameStep")
    late.reset(seed=2)
    soon.reset(seed=2)
    running = np.ones(5, np.bool_)
    for _ in range(6):
        actions = late.batch.any_actions()
        seen, rewards, terminated, _, _ = late.step(actions)
        actions = np.where(running, actions, soon.batch.any_actions())
        fresh, same, ended, _, infos = soon.step(actions)
        np.testing.assert_array_equal(rewards[running], same[running])
        np.testing.assert_array_equal(terminated[running], ended[running])
        for game in np.flatnonzero(running & terminated):
            np.testing.assert_array_equal(infos["final_obs"][game]["observation"], seen["observation"][game])
            assert fresh["action_mask"][game].any()
        running &= ~terminated
    assert not running.all()


def test_games_are_begun_again_by_a_mask() -> None:
    envs = gymnasium.make_vec(TTT, games=3, autoreset_mode="Disabled")
    envs.reset(seed=1)
    envs.step([4, 4, 4])
    seen, infos = envs.reset(options={"reset_mask": np.array([True, False, False])})
    assert seen["action_mask"].sum(axis=1).tolist() == [9, 8, 8]
    assert infos["player"].tolist() == [0, 1, 1]


def test_what_is_handed_out_stays_or_is_the_memory_itself() -> None:
    vec = gymnasium.make_vec(TTT, games=2)
    first, _ = vec.reset(seed=1)
    vec.step([4, 4])
    assert first["action_mask"].all()
    same = gymnasium.make_vec(TTT, games=2, copy=False)
    first, _ = same.reset(seed=1)
    same.step([4, 4])
    assert not first["action_mask"][:, 4].any()


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(GameError, match="`autoreset_mode` must be one of NextStep, SameStep, Disabled, not 'Soon'"):
        gymnasium.make_vec(TTT, games=2, autoreset_mode="Soon")
    with pytest.raises(GameError, match="a seat must be a number from 0 to 1, not 2"):
        gymnasium.make_vec(TTT, games=2, seat=2)
    envs = gymnasium.make_vec(TTT, games=2)
    envs.reset(seed=1)
    with pytest.raises(GameError, match="game 0 cannot take action 9"):
        envs.step([9, 0])
