"""The result of a comparison of two rulesets by simulation, as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from rulewright.analysis.simulation.metrics import measure_titles
from rulewright.analysis.simulation.paired_comparison import Move
from rulewright.analysis.simulation.simulation_report import keep_finite
from rulewright.ruleset.ruleset import Ruleset

METHOD = (
    "Both rulesets played the same seeds in the same seats, and are "
    "compared game by game. Each interval is a 95 % confidence interval. "
    "Moved means significant by a paired t test, corrected for all metrics by Holm's method (5 %)."
)


Alone: TypeAlias = tuple[list[str], list[str]]
"""The titles of measures that only the first or only the second ruleset has, and that are not compared."""


def list_unshared_measures(first: Ruleset, second: Ruleset) -> Alone:
    """Return the titles of the measures that only one of two rulesets has."""
    titles, others = measure_titles(first), measure_titles(second)
    return (
        [title for name, title in titles.items() if name not in others],
        [title for name, title in others.items() if name not in titles],
    )


def build_comparison_data(first: str, second: str, games: int, moves: Sequence[Move], only: Alone) -> dict[str, Any]:
    """Return the comparison as JSON data, as `rulewright simulate --compare --json` prints it.

    `first` and `second` name the rulesets, `moves` are the differences, and `only` has the metrics that one side lacks.
    """
    return {
        "ruleset": first,
        "compared_with": second,
        "games": games,
        "method": METHOD,
        "only_first": only[0],
        "only_second": only[1],
        "moves": [
            {
                "figure": move.id,
                "title": move.title,
                "first": move.first,
                "second": move.second,
                "difference": move.difference,
                "interval": keep_finite(move.interval),
                "chance": move.chance,
                "adjusted": move.adjusted,
                "moved": move.moved,
            }
            for move in moves
        ],
    }
