"""Games in arrays beside our environment of PettingZoo, one for each: the same seeds, the same actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulewright.integrations import pettingzoo, vector_games


def play(reference: str, *, games: int, steps: int, seed: int, **settings: Any) -> int:
    """Play steps of games at random in both, and compare all that is told at each; how many games ended."""
    rows = vector_games.make(reference, games=games, **settings)
    envs = [pettingzoo.env(reference, **settings) for _ in range(games)]
    rows.reset(seed)
    for game, env in enumerate(envs):
        env.reset(seed=seed + game)
    random = np.random.default_rng(seed % 1000)
    ended = 0
    for _ in range(steps):
        for seat in range(rows.setting.players):
            rows_seen = rows.look(seat)
            for game, env in enumerate(envs):
                np.testing.assert_array_equal(rows_seen[game], env.observe(f"player_{seat}")["observation"])
        for game, env in enumerate(envs):
            compare(rows, game, env)
        actions = rows.any_actions(random)
        for game, env in enumerate(envs):
            if rows.players[game] >= 0:
                env.step(actions[game])
            else:
                ended += 1
                env.reset(seed=int(rows.seeds[game]) + games)
        rows.step(actions)
    return ended


def compare(rows: vector_games.Batch, game: int, env: pettingzoo.RulewrightEnv) -> None:
    """Compare what a row says of a game with what the environment says."""
    over = not env.match.list_legal()
    agent_selection = env.agent_selection
    seen = env.observe(agent_selection)
    assert rows.players[game] == (-1 if over else env.possible_agents.index(agent_selection))
    np.testing.assert_array_equal(rows.observations[game], seen["observation"])
    np.testing.assert_array_equal(rows.masks[game], seen["action_mask"])
    assert rows.rewards[game].tolist() == [env.rewards[agent] for agent in env.possible_agents]
    assert rows.terminations[game] == env.terminations[agent_selection]
    assert rows.truncations[game] == env.truncations[agent_selection]
    assert rows.moves[game] == env.match.moves
