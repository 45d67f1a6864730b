"""Bots as modules know them: those that are written a second time, in C (`engine/runtime`)."""

from __future__ import annotations

from typing import NamedTuple


class Bot(NamedTuple):
    """A bot by its number and setting. It uses the evaluation of the ruleset unless it has `worths`.

    Those are the weights of a learned evaluation (`Ruleset.weights`), which `weights` refers to by number.
    """

    kind: int
    setting: int
    weights: int = 0
    worths: tuple[float, ...] = ()


ANYTHING, GREEDY, SEARCHING, PLANNING, ROLLING_OUT = range(5)
"""The numbers: takes any option; looks one decision ahead; searches, its setting being how many visits it makes; plays
its own turn to the end, as often as its setting says; plays the game to the end, as often."""

MOST_OUTCOMES = 12
"""The maximum number of outcomes that bots evaluate one by one. With more, they sample."""
