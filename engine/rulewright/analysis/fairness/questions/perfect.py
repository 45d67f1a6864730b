"""What does the game come to if nobody makes a mistake? Asked where it is small enough to be solved."""

from __future__ import annotations

from rulewright.ai.solving.solution import Solution, UnsolvedError
from rulewright.ai.solving.solver import solver_of
from rulewright.analysis.fairness.answer import Answer, percent, times
from rulewright.analysis.fairness.game_cache import Table
from rulewright.analysis.simulation.metrics import Figure
from rulewright.engine.state.faults import RulesFault

PLACE = 15
TITLE = "And with perfect play?"

CERTAIN = 1e-6
"""How far from never or always a share may lie that is one of them, but for rounding."""


def answer(table: Table) -> Answer | None:
    """By the solved game of the smallest table, where that has no more positions than the table allows for."""
    if table.interrupted or not table.positions or table.ruleset.start is None:
        return None
    try:
        found = solver_of(table.ruleset).solution(
            table.fewest, {**table.ruleset.simulations, **table.options}, most=table.positions
        )
    except (UnsolvedError, RulesFault):
        return None
    except KeyboardInterrupt:
        table.interrupted = True
        return None
    prized = table.ruleset.payoff is not None
    first = f"If nobody makes a mistake, the game is worth {found.worth[0]:.4f} to the first seat."
    says = (first.replace("-", "−") if prized else _said(found), _how(found))
    figures = [_worth(found)] if prized else _figures(found)
    return Answer(says, tuple(figures), (table.asking(),))


def _said(found: Solution) -> str:
    wins = [_certain(share) for share in found.wins]
    if found.players == 1:
        return f"Who makes no mistake wins {percent(wins[0])} of games."
    if _certain(found.draws) == 1:
        return "If nobody makes a mistake, nobody wins: every game is a draw."
    sure = next((seat for seat, share in enumerate(wins, 1) if share == 1 and sum(wins) == 1), None)
    if sure is not None:
        return f"If nobody makes a mistake, seat {sure} wins every game."
    each = ", ".join(f"seat {seat} {percent(share)}" for seat, share in enumerate(wins, 1))
    drawn = f", and {percent(_certain(found.draws))} are draws" if _certain(found.draws) else ""
    return f"If nobody makes a mistake, these win of all games: {each}{drawn}."


def _how(found: Solution) -> str:
    if found.gain:
        return (
            f"That is worked out, not played, over all {times(found.positions, 'course')} that a game can take: "
            f"whoever knew how the others play could gain {found.gain:.4f} at the most, all seats together."
        )
    return f"That is worked out, not played: the game has {times(found.positions, 'position')}."


def _figures(found: Solution) -> list[Figure]:
    wins = [
        Figure(f"perfect.{seat}", f"seat {seat}, by perfect play", share, (share, share), share=True)
        for seat, share in enumerate(map(_certain, found.wins), 1)
    ]
    draws = _certain(found.draws)
    return [*wins, Figure("perfect.draws", "draws, by perfect play", draws, (draws, draws), share=True)]


def _worth(found: Solution) -> Figure:
    worth = found.worth[0]
    return Figure("perfect.worth", "worth to the first seat", worth, (worth, worth), share=False)


def _certain(share: float) -> float:
    return round(share) if abs(share - round(share)) < CERTAIN else share
