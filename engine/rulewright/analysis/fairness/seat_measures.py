"""Measures of single players, added to the rules: a value of each seat at the end of a game, or over time."""

from __future__ import annotations

import yaml

from rulewright.ruleset.overlay import lay_over
from rulewright.ruleset.ruleset import Ruleset

MEASURE = "value_of_seat_"
"""The ids of the added measures, before the number of the seat, from 0."""


def with_seat_measures(ruleset: Ruleset, formula: str, players: int, *, per: str = "") -> Ruleset:
    """Build a new ruleset that adds a measure for each of so many players: the formula of that player.

    With `per`, an expression, the measures are also taken whenever its value changes. Raises `DiagnosticError` if the
    formula is not of a player, or not an integer.
    """
    measures, seat = {}, "first(players)"
    for number in range(players):
        measures[f"{MEASURE}{number}"] = {
            "is": f"sum({formula}(somebody) for somebody in players if somebody == {seat})",
            **({"per": per} if per else {}),
            "title": f"Seat {number + 1}",
            "means": "The value of one player.",
        }
        seat = f"next({seat}, players)"
    return lay_over(ruleset, yaml.safe_dump({"measures": measures}, width=10_000))
