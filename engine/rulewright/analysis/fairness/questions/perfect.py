"""Question: the result with perfect play. Only small games can be solved."""

from __future__ import annotations

from rulewright.ai.solving.solution import Solution, UnsolvedError
from rulewright.ai.solving.solver import get_solver
from rulewright.analysis.fairness.answer import Answer, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.metrics import Metric
from rulewright.engine.state.faults import RulesFault

PLACE = 15
TITLE = "And with perfect play?"

CERTAIN = 1e-6
"""The distance from 0 or 1 within which a share counts as exactly 0 or 1, because of rounding errors."""


def answer(table: GameCache) -> Answer | None:
    """Answer by solving the smallest table. Return None if the game has too many positions or cannot be solved."""
    if table.interrupted or not table.positions or table.ruleset.start is None:
        return None
    try:
        solution = get_solver(table.ruleset).find_solution(
            table.fewest, {**table.ruleset.simulations, **table.options}, most=table.positions
        )
    except (UnsolvedError, RulesFault):
        return None
    except KeyboardInterrupt:
        table.interrupted = True
        return None
    prized = table.ruleset.payoff is not None
    first = f"If nobody makes a mistake, the game is worth {solution.worth[0]:.4f} to the first seat."
    says = (first.replace("-", "−") if prized else _describe(solution), _how(solution))
    figures = [_worth(solution)] if prized else _build_metrics(solution)
    return Answer(says, tuple(figures), (table.build_fair_command(),))


def _describe(found: Solution) -> str:
    wins = [_certain(share) for share in found.wins]
    if found.players == 1:
        return f"Who makes no mistake wins {format_share(wins[0])} of games."
    if _certain(found.draws) == 1:
        return "If nobody makes a mistake, nobody wins: every game is a draw."
    sure = next((seat for seat, share in enumerate(wins, 1) if share == 1 and sum(wins) == 1), None)
    if sure is not None:
        return f"If nobody makes a mistake, seat {sure} wins every game."
    each = ", ".join(f"seat {seat} {format_share(share)}" for seat, share in enumerate(wins, 1))
    drawn = f", and {format_share(_certain(found.draws))} are draws" if _certain(found.draws) else ""
    return f"If nobody makes a mistake, these win of all games: {each}{drawn}."


def _how(found: Solution) -> str:
    if found.gain:
        return (
            f"That is worked out, not played, over all {format_count(found.positions, 'course')} that a game can take: "
            f"whoever knew how the others play could gain {found.gain:.4f} at the most, all seats together."
        )
    return f"That is worked out, not played: the game has {format_count(found.positions, 'position')}."


def _build_metrics(found: Solution) -> list[Metric]:
    wins = [
        Metric(f"perfect.{seat}", f"seat {seat}, by perfect play", share, (share, share), share=True)
        for seat, share in enumerate(map(_certain, found.wins), 1)
    ]
    draws = _certain(found.draws)
    return [*wins, Metric("perfect.draws", "draws, by perfect play", draws, (draws, draws), share=True)]


def _worth(found: Solution) -> Metric:
    worth = found.worth[0]
    return Metric("perfect.worth", "worth to the first seat", worth, (worth, worth), share=False)


def _certain(share: float) -> float:
    return round(share) if abs(share - round(share)) < CERTAIN else share
