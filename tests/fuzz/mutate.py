"""Texts made from sound ones by small harm, and the loop that tries one after the other."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from time import monotonic

PIECES = (
    *("²", "\0", "`", "'", '"', "{", "}", "[", "]", "(", ")", ":", "#", "&a", "*a", "\t", "\n", "---", "٣", "…"),
    *("9" * 30, "-1", "0", "1e9", "true", "null", "none", "x" * 300, "sum(", " for x in ", " if ", " + ", " * ", "d6"),
)

Trial = Callable[[Random], None]
"""Makes one input and tries it. Raises whatever should not be."""


def harmed(text: str, random: Random) -> str:
    """Return `text` with some of it lost, doubled, moved, or replaced by something odd."""
    for _ in range(random.randint(1, 4)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((1, 1, 2, 5, 20, 80)))
        piece = text[start:end]
        place = random.randrange(len(text) + 1)
        text = random.choice(
            (
                text[:start] + text[end:],
                text[:start] + piece + piece + text[end:],
                text[:start] + random.choice(PIECES) + text[end:],
                text[:place] + piece + text[place:],
            )
        )
    return text


def tried(trial: Trial, *, seed: str, count: int | None = None, seconds: float | None = None) -> int:
    """Return how many inputs were tried without a finding. Each has a seed of its own, which a finding is told with."""
    began, number = monotonic(), 0
    while (count is None or number < count) and (seconds is None or monotonic() - began < seconds):
        own = f"{seed}/{number}"
        try:
            trial(Random(own))
        except Exception as error:
            error.add_note(f"the input of the seed {own!r}")
            raise
        number += 1
    return number


def main(name: str, trial: Trial) -> None:
    """Try inputs as the command line says."""
    parser = argparse.ArgumentParser(description=f"try {name} that nobody meant")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", default="0")
    args = parser.parse_args()
    print(f"{name}: {tried(trial, seed=args.seed, seconds=args.seconds):,} inputs without a finding")
