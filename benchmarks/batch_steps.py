"""Steps of thousands of games in arrays, beside our environment of PettingZoo, both playing at random.

Method: one process. On one side the environment is asked for what its agent sees (`last`), one of the options that its
mask offers is picked at random and taken (`step`), and a game that has ended is followed by the next. On the other side
all games take an option at random (`any_actions`) and are taken to their next questions (`step`), which writes down the
same observations, masks and rewards. That both are the same games, number for number, is tested by
`tests/integrations/test_batch.py`. They take turns; figures are medians of the turns, in processor time.
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
"""Each game with its settings, how many are played at once, and its target.

Of large games, whose copies take eight thousand bytes, they are fewer than of small ones: a processor's second cache
then holds about as much of either.
"""


def of_environment(env: pettingzoo.RulewrightEnv, random: Random, seconds: float) -> float:
    """Step a second."""
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
    """Step a second, of all games together."""
    start, steps = process_time(), 0
    while (duration := process_time() - start) < seconds:
        rows.step(rows.any_actions(random))
        steps += rows.games
    return steps / duration


def rates(reference: str, settings: dict[str, Any], games: int, turns: int, seconds: float) -> tuple[float, float]:
    """Step a second of the batch and of the environment: medians of turns."""
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
