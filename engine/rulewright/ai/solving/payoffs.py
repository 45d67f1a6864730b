"""What a game that is over was worth to each of its players."""

from __future__ import annotations

from rulewright.engine.state.game_state import State, evaluate_expression


def compute_payoffs(state: State) -> tuple[float, ...]:
    """Return what a game that is over was worth to each player, in the order of their seats.

    Where the ruleset names a `payoff`, that is it. Otherwise the sum is always 0: who does not win loses 1, and the
    winners share what the others lose. Without a winner, nobody wins or loses.
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
