"""Learns Pig by playing it against itself, a thousand games at once, and says how near to the best play that comes."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from rulewright import Ruleset
from rulewright.integrations import vector_games

Array = np.ndarray[Any, np.dtype[Any]]


# --8<-- [start:learn]
TILINGS = 16


def tiles(pot: Array, own: Array, other: Array, goal: int) -> tuple[Array, int]:
    """In which tile of each tiling a position lies, and how many tiles there are. Near the goal tiles are narrower."""
    near = [goal * (np.minimum(score, goal) / goal) ** 1.5 for score in (np.where(own + pot >= goal, goal, own), other)]
    wide, high = goal // 4, max(goal // 12, 1)
    across = goal // wide + 2
    tiling = np.arange(TILINGS)[:, None]
    shifts = tiling / TILINGS, tiling * 3 % TILINGS / TILINGS
    pots = ((np.minimum(pot, goal) + shifts[0] * high) // high).astype(np.int64)
    mine, theirs = (
        ((score + shift * wide) // wide).astype(np.int64) for score, shift in zip(near, shifts, strict=True)
    )
    tall = goal // high + 2
    return ((tiling * tall + pots) * across + mine) * across + theirs, TILINGS * tall * across * across


def worths(weights: Array, at: Array) -> tuple[Array, Array]:
    """Return what rolling and holding are worth to the player: the sum of the weights of all tiles."""
    return weights[0, at].sum(0), weights[1, at].sum(0)


def learn(ruleset: Ruleset | str, *, goal: int, steps: int, games: int = 1024, seed: int = 1) -> Array:
    """Learn the weights of the tiles for each action by self-play (Q-learning with tile coding)."""
    rows = vector_games.make(ruleset, games=games, players=2, renewal="same_step")
    rows.reset(seed)
    random = np.random.default_rng(seed)

    def now() -> Array:
        pot, own, other = rows.observations[:, 3:6].astype(np.int64).T
        return tiles(pot, own, other, goal)[0]

    size = tiles(*np.zeros((3, 1), np.int64), goal)[1]
    weights = np.zeros((2, size))
    every, at, who = np.arange(games), now(), rows.players.copy()
    roll, hold = worths(weights, at)
    for step in range(steps):
        left = (1 - step / steps) ** 2
        curious = random.random(games) < 0.3 * left + 0.05
        actions = np.where(curious, random.integers(0, 2, games), hold > roll)
        rows.step(actions)
        known, to, asked = np.where(actions, hold, roll), now(), rows.players.copy()
        roll, hold = worths(weights, to)
        best = np.maximum(roll, hold)
        wanted = np.where(rows.terminations, rows.rewards[every, who], np.where(asked == who, best, -best))
        # Each tile moves by the mean of what the games in it were off by.
        taken = (actions * size + at).ravel()
        off = np.bincount(taken, np.tile(wanted - known, TILINGS), 2 * size)
        times = np.bincount(taken, minlength=2 * size)
        weights += ((0.3 * left + 0.02) / TILINGS * off / np.maximum(times, 1)).reshape(2, size)
        at, who = to, asked
    return weights


def rolls(weights: Array, goal: int) -> Array:
    """Whether to roll, by own score, other's and pot. Whoever would have won by holding holds."""
    own, other, pot = (
        each.ravel() for each in np.meshgrid(np.arange(goal), np.arange(goal), np.arange(goal + 6), indexing="ij")
    )
    roll, hold = worths(weights, tiles(pot, own, other, goal)[0])
    return ((roll > hold) & (own + pot < goal)).reshape(goal, goal, goal + 6)


# --8<-- [end:learn]


def best_play(goal: int) -> tuple[Array, float]:
    """Whether to roll, by own score, other's and pot, and how often who begins wins: by value iteration."""
    values = np.zeros((goal, goal, goal + 6))
    while True:
        roll, hold = _ways(values, 1 - values[:, :, 0].T, goal, won=1.0)
        found = np.maximum(roll, hold)
        if np.abs(found - values).max() < 1e-6:
            return roll > hold, float(found[0, 0, 0])
        values = found


def _ways(values: Array, after: Array, goal: int, *, won: float) -> tuple[Array, Array]:
    """Return the values of rolling and holding; `after` is the value of the other player's turn, by the scores."""
    roll = np.repeat((after / 6)[:, :, None], goal + 6, axis=2)
    for face in range(2, 7):
        roll[:, :, : goal + 6 - face] += values[:, :, face:] / 6
        roll[:, :, goal + 6 - face :] += values[:, :, -1:] / 6
    hold = np.full(values.shape, won)
    for own in range(goal):
        hold[own, :, : goal - own] = after[own:, :].T
    return roll, hold


def wins_of(policy: Array, best: Array, goal: int) -> float:
    """How often whoever plays by `policy` wins against the best play, taking turns in beginning: exactly."""
    mine, theirs = np.zeros((2, goal, goal, goal + 6))
    while True:
        roll, hold = _ways(mine, theirs[:, :, 0].T, goal, won=1.0)
        my_turn = np.where(policy, roll, hold)
        roll, hold = _ways(theirs, mine[:, :, 0].T, goal, won=0.0)
        their_turn = np.where(best, roll, hold)
        change = max(np.abs(my_turn - mine).max(), np.abs(their_turn - theirs).max())
        mine, theirs = my_turn, their_turn
        if change < 1e-6:
            return float(mine[0, 0, 0] + theirs[0, 0, 0]) / 2


def main() -> None:
    """Learn, and compare with the best play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000, help="steps of 1,024 games (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    goal = 100
    learned = rolls(learn("pig/classic@1.0", goal=goal, steps=args.steps, seed=args.seed), goal)
    own, _, pot = np.meshgrid(np.arange(goal), np.arange(goal), np.arange(goal + 6), indexing="ij")
    best, value = best_play(goal)
    print(f"who begins, and plays as well as can be, wins {value:.2%}")
    at_20 = (pot < 20) & (own + pot < goal)
    print(f"against such play, whoever begins, who holds at 20 wins {wins_of(at_20, best, goal):.2%}")
    print(f"and who plays what was learned {wins_of(learned, best, goal):.2%}")


if __name__ == "__main__":
    main()
