"""Compare batched steps of thousands of random games with steps of our PettingZoo environment.

Method: one process. On one side, a random agent plays the PettingZoo environment: it reads the observation (`last`),
picks a random option of the mask and takes it (`step`). A finished game is followed by the next. On the other side, all
games take random options (`any_actions`) and advance to their next decisions (`step`), which writes the same
observations, masks and rewards. `tests/integrations/test_batch.py` tests that both play the same games. The sides
alternate. The results are medians of processor time.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from statistics import median
from time import process_time
from typing import Any

from _environments import ensure
from _report import Ratio, report

ensure("pettingzoo", "wasmtime", "rulewright")

import numpy as np  # noqa: E402

from rulewright.integrations import pettingzoo, vector_games  # noqa: E402

GAMES: dict[str, tuple[dict[str, Any], int, float]] = {
    "classics/tic-tac-toe@1.0": ({}, 1024, 100),
    "fuzzy-knights/normal@1.0": ({"players": 2, "options": {"max_days": "hundred"}}, 256, 30),
}
"""The games, each with its settings, its batch size and its target.

Of large games, whose copies take eight thousand bytes, they are fewer than of small ones: a processor's second cache
then holds about as much of either.
"""


def of_environment(env: pettingzoo.RulewrightEnv, random: Random, seconds: float) -> float:
    """Return the steps per second of the PettingZoo environment."""
    start, steps = process_time(), 0
    while (duration := process_time() - start) < seconds:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        env.step(random.choice(observation["action_mask"].nonzero()[0]))
        steps += 1
    return steps / duration


def of_batch(rows: vector_games.Batch, random: np.random.Generator, seconds: float) -> float:
    """Return the steps per second of the whole batch."""
    start, steps = process_time(), 0
    while (duration := process_time() - start) < seconds:
        rows.step(rows.any_actions(random))
        steps += rows.games
    return steps / duration


def rates(reference: str, settings: dict[str, Any], games: int, turns: int, seconds: float) -> tuple[float, float]:
    """Return the median steps per second of the batch and of the environment, measured alternately."""
    rows, env = vector_games.make(reference, games=games, **settings), pettingzoo.env(reference, **settings)
    rows.reset(1)
    env.reset(1)
    random, numbers = Random(1), np.random.default_rng(1)
    of_batch(rows, numbers, seconds)
    theirs, ours = [], []
    for _ in range(turns):
        theirs.append(of_environment(env, random, seconds))
        ours.append(of_batch(rows, numbers, seconds))
    return median(ours), median(theirs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=11, help="turns of each side (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long a turn is (default: %(default)s)")
    given = parser.parse_args()
    ratios = []
    for reference, (settings, games, target) in GAMES.items():
        ours, theirs = rates(reference, settings, games, given.turns, given.seconds)
        print(f"{reference:<28} {ours:>10,.0f} steps/s   PettingZoo {theirs:>8,.0f} steps/s   {ours / theirs:.1f} ×")
        ratios.append(
            Ratio(f"steps of {reference} in arrays, compared with PettingZoo", ours / theirs, at_least=target)
        )
    return report(ratios)


if __name__ == "__main__":
    sys.exit(main())
