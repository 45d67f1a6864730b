"""The value of a finished game for each player."""

from __future__ import annotations

from rulewright.engine.state.game_state import State, evaluate_expression


def compute_payoffs(state: State) -> tuple[float, ...]:
    """Return the value of a finished game for each player, in seat order.

    The ruleset's `payoff` formula gives the value, if it has one. Otherwise the values add up to 0. Each loser loses 1
    and the winners share the sum. Without a winner, every value is 0.
    """
    ruleset = state.machine.ruleset
    players = state.live[1]
    if ruleset.payoff is not None:
        body = ruleset.declarations.formulas[ruleset.payoff]
        (who,) = body.parameters
        return tuple(float(evaluate_expression(state, body.body, {who: player})) for player in players)
    winners = state.winners
    if not winners:
        return (0.0,) * len(players)
    shared = (len(players) - len(winners)) / len(winners)
    return tuple(shared if player in winners else -1.0 for player in players)
