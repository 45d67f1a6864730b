"""Measures of single players, added to the rules: a value of each seat at the end of a game, or over time."""

from __future__ import annotations

import yaml

from rulewright.analysis.simulation.game_counts import GameRow
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


def with_payoffs(ruleset: Ruleset, players: int) -> Ruleset | None:
    """Build a new ruleset that measures the payoff of each player at the end of a game. None without payoffs."""
    return None if ruleset.payoff is None else with_seat_measures(ruleset, ruleset.payoff, players)


def list_payoffs(row: GameRow) -> tuple[int, ...]:
    """Return the payoff of each seat in a game of the rules of `with_payoffs`, or 0 if the game did not end."""
    return tuple(row.measures.get(f"{MEASURE}{seat}", 0) for seat in range(len(row.seats)))
