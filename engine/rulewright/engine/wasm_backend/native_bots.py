"""The bots with a second implementation in C (`engine/runtime`), which runs inside modules."""

from __future__ import annotations

from typing import NamedTuple


class Bot(NamedTuple):
    """A bot by its number and setting. It uses the evaluation of the ruleset unless it has `weight_values`.

    Those are the weights of a learned evaluation (`Ruleset.weights`), which `weights` refers to by number.
    """

    kind: int
    setting: int
    weights: int = 0
    weight_values: tuple[float, ...] = ()


ANYTHING, GREEDY, SEARCHING, PLANNING, ROLLING_OUT = range(5)
"""The numbers of the bots `random`, `greedy`, `mcts`, `planner` and `rollout`. The setting of the last three is their
budget of playouts, turns or games per decision."""

MOST_OUTCOMES = 12
"""The maximum number of outcomes that bots evaluate one by one. With more, they sample."""
