"""Measures of single players, added to the rules: a value of each seat at the end of a game, or over time."""

from __future__ import annotations

from collections.abc import Sequence

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
    values = [
        f"sum({formula}(somebody) for somebody in players if somebody == {write_seat(seat)})" for seat in range(players)
    ]
    return with_measures(ruleset, MEASURE, values, per=per)


def with_measures(ruleset: Ruleset, name: str, values: Sequence[str], *, per: str = "") -> Ruleset:
    """Build a new ruleset that adds a measure for each seat, with the ids `name` and the number of the seat, from 0.

    `values` are the expressions of the seats. `per` is that of `with_seat_measures`. Raises `DiagnosticError` if the
    rules do not allow one of them.
    """
    measures = {
        f"{name}{seat}": {
            "is": value,
            **({"per": per} if per else {}),
            "title": f"Seat {seat + 1}",
            "means": "The value of one player.",
        }
        for seat, value in enumerate(values)
    }
    return lay_over(ruleset, yaml.safe_dump({"measures": measures}, width=10_000))


def write_seat(seat: int) -> str:
    """Return the expression for the player in a seat, from 0."""
    player = "first(players)"
    for _ in range(seat):
        player = f"next({player}, players)"
    return player


def with_payoffs(ruleset: Ruleset, players: int) -> Ruleset | None:
    """Build a new ruleset that measures the payoff of each player at the end of a game. None without payoffs."""
    return None if ruleset.payoff is None else with_seat_measures(ruleset, ruleset.payoff, players)


def list_payoffs(row: GameRow) -> tuple[int, ...]:
    """Return the payoff of each seat in a game of the rules of `with_payoffs`, or 0 if the game did not end."""
    return tuple(row.measures.get(f"{MEASURE}{seat}", 0) for seat in range(len(row.seats)))
