"""What a solved game is: its worth to every seat, and what to do in each position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from rulewright.base.errors import RulewrightError

POSITIONS = 200_000
"""Positions that are gone through before a game is given up as too large, unless another number is given."""


class UnsolvedError(RulewrightError):
    """A game that cannot be solved: it is too large, or of a kind of which perfect play is not known.

    With more than `most` positions allowed, it may be solved; infinitely many are of no help either.
    """

    def __init__(self, told: str, *, most: float = inf) -> None:
        super().__init__(told)
        self.most = most


def build_too_large(title: str, why: str, most: int) -> UnsolvedError:
    """Return the error about a game that has too much of something."""
    return UnsolvedError(
        f"{title} is too large to solve: it has {why}. Allow more of them (`solved:N`), let a bot play it that "
        "searches, such as `mcts:200`, or try it with smaller numbers (`--sweep`, a house rule)",
        most=most,
    )


@dataclass(frozen=True, slots=True)
class Solution:
    """A game solved from where it begins.

    `worth` is what it is worth to each seat if all play without an error, in points as `returns` counts them; `wins`
    how often each seat wins then, alone or with others, and `draws` how often nobody does. `gain` is what whoever knew
    how the others play could gain at most, all seats together: nothing where all is seen, and nearly nothing where
    something is hidden.

    `choices` says by the key of a position which option is taken: the number of one, or the chance of each.
    """

    players: int
    positions: int
    worth: tuple[float, ...]
    wins: tuple[float, ...]
    draws: float
    gain: float
    choices: Mapping[bytes, int | tuple[float, ...]]
