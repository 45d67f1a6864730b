"""Learns Pig by playing it against itself, a thousand games at once, and says how near to the best play that comes."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from rulewright import Ruleset
from rulewright.adapters import batch

Array = np.ndarray[Any, np.dtype[Any]]


# --8<-- [start:learn]
def cells(pot: Array, own: Array, other: Array, goal: int) -> Array:
    """Where a position stands in the table: what is still needed, the pot by twos, the other's score by fives."""
    need = np.clip(goal - own - pot, 0, goal)
    return (need * 26 + np.minimum(pot // 2, 25)) * (goal // 5 + 1) + other // 5


def learn(ruleset: Ruleset | str, *, goal: int, steps: int, games: int = 1024, seed: int = 1) -> Array:
    """What each action is worth to whoever takes it, cell by cell (Q-learning: one table, both players)."""
    rows = batch.make(ruleset, games=games, players=2, renewal="same_step")
    rows.reset(seed)
    random = np.random.default_rng(seed)
    size = (goal + 1) * 26 * (goal // 5 + 1)
    worth, times = np.zeros(2 * size, np.float32), np.zeros(2 * size, np.float32)
    every = np.arange(games)

    def now() -> tuple[Array, Array]:
        pot, own, other = rows.observations[:, 3:6].astype(np.int64).T
        return cells(pot, own, other, goal), rows.players.copy()

    at, who = now()
    for step in range(steps):
        curious = 0.4 * (1 - step / steps) ** 2 + 0.04
        better = (worth[2 * at + 1] > worth[2 * at]).astype(np.int64)
        actions = np.where(random.random(games) < curious, random.integers(0, 2, games), better)
        rows.step(actions)
        to, asked = now()
        best = np.maximum(worth[2 * to], worth[2 * to + 1])
        wanted = np.where(rows.terminations, rows.rewards[every, who], np.where(asked == who, best, -best))
        taken = 2 * at + actions
        times[taken] += 1
        # Early on what is newest counts most, for what it is learned from is still wrong; later all counts alike.
        rate = np.maximum(1 / (1 + times[taken]), 0.2 * (1 - step / steps) ** 3)
        worth[taken] += rate * (wanted - worth[taken])
        at, who = to, asked
    return worth.reshape(size, 2)


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
    """What rolling and holding are worth. `after` is what it is worth that the other is at turn, by the scores."""
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
    parser.add_argument("--steps", type=int, default=60_000, help="steps of 1,024 games (default: %(default)s)")
    steps = parser.parse_args().steps
    goal = 100
    worth = learn("pig/classic@1.0", goal=goal, steps=steps)
    own, other, pot = np.meshgrid(np.arange(goal), np.arange(goal), np.arange(goal + 6), indexing="ij")
    at = cells(pot, own, other, goal)
    learned = worth[at, 0] > worth[at, 1]
    best, value = best_play(goal)
    print(f"who begins, and plays as well as can be, wins {value:.2%}")
    at_20 = (pot < 20) & (own + pot < goal)
    print(f"against such play, whoever begins, who holds at 20 wins {wins_of(at_20, best, goal):.2%}")
    print(f"and who plays what was learned {wins_of(learned, best, goal):.2%}")


if __name__ == "__main__":
    main()
