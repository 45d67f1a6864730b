"""Bots as modules know them: those that are written a second time, in C (`engine/runtime`)."""

from __future__ import annotations

from typing import NamedTuple


class Bot(NamedTuple):
    """A bot by its number, and its setting. It judges by the ruleset's own formula, unless it has `worths`.

    These are what the terms are worth of a way to judge (`Ruleset.weights`), which is told by its number.
    """

    kind: int
    setting: int
    weights: int = 0
    worths: tuple[float, ...] = ()


ANYTHING, GREEDY, SEARCHING, PLANNING, ROLLING_OUT = range(5)
"""The numbers: takes any option; looks one decision ahead; searches, its setting being how many visits it makes; plays
its own turn to the end, as often as its setting says; plays the game to the end, as often."""

MOST_OUTCOMES = 12
"""Outcomes that bots weigh one by one; of a chance with more, or after so many, they take samples."""
