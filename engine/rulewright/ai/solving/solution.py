"""The solution of a game, with its value for every seat and a strategy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from rulewright.base.errors import RulewrightError

POSITIONS = 200_000
"""The default maximum number of positions in a game that can be solved."""


class UnsolvedError(RulewrightError):
    """A game that cannot be solved because it is too large or has no known method.

    It may be solvable with a limit of more than `most` positions, which is infinite if no limit helps.
    """

    def __init__(self, message: str, *, most: float = inf) -> None:
        super().__init__(message)
        self.most = most


def build_too_large(title: str, why: str, most: int) -> UnsolvedError:
    """Return the error for a game that exceeds the limit `most`. `why` continues the words `it has`."""
    return UnsolvedError(
        f"{title} is too large to solve: it has {why}. Allow more of them (`solved:N`), use a bot that "
        "searches, such as `mcts:200`, or try smaller numbers in the rules (`--sweep`, a house rule)",
        most=most,
    )


@dataclass(frozen=True, slots=True)
class Solution:
    """A game solved from its start.

    `values` has the value for each seat under perfect play, in the points of `returns`. `wins` is each seat's
    probability of winning, alone or jointly, and `draws` the probability of no winner. `gain` bounds the total gain of
    players that know the strategies of the others. It is 0 without hidden information and close to 0 with it.

    `choices` has the option to take, or the probability of each option, by the key of the position.
    """

    players: int
    positions: int
    values: tuple[float, ...]
    wins: tuple[float, ...]
    draws: float
    gain: float
    choices: Mapping[bytes, int | tuple[float, ...]]
