"""Question: the result with perfect play. Only small games can be solved."""

from __future__ import annotations

from rulewright.ai.solving.solution import Solution, UnsolvedError
from rulewright.ai.solving.solver import get_solver
from rulewright.analysis.fairness.answer import Answer, InBook, answer_each_size, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.metrics import Metric
from rulewright.engine.state.faults import RulesFault

PLACE = 15
TITLE = "Who wins with perfect play?"
NOT_FROM_SAVES = "it asks about the rules alone, which `fair` solves without `--from`"
IN_BOOK = InBook.EXACT

CERTAIN = 1e-6
"""The distance from 0 or 1 within which a share counts as exactly 0 or 1, because of rounding errors."""


def answer(table: GameCache) -> Answer | None:
    """Answer by solving the game for each number of players.

    Leaves out the numbers of players with which it has too many positions or cannot be solved. Return None if this
    leaves none, if `positions` of the table is 0, or after Ctrl+C, which also sets `interrupted`.
    """
    if not table.positions or table.ruleset.start is None:
        return None
    return answer_each_size(table.sizes, lambda players: _answer_size(table, players))


def _answer_size(table: GameCache, players: int) -> Answer | None:
    """Solve the game and return the answer. Return None if it is too large, if a rule fails, and after Ctrl+C."""
    if table.interrupted:
        return None
    try:
        solution = get_solver(table.ruleset).find_solution(
            players, {**table.ruleset.simulations, **table.options}, most=table.positions
        )
    except (UnsolvedError, RulesFault):
        return None
    except KeyboardInterrupt:
        table.interrupted = True
        return None
    prized = table.ruleset.payoff is not None
    first = f"If nobody makes a mistake, the value of the game for the first seat is {solution.values[0]:.4f}."
    says = (first.replace("-", "−") if prized else _describe(solution), _how(solution))
    metrics = [_build_metric(solution)] if prized else _build_metrics(solution)
    return Answer(says, tuple(metrics), (table.build_fair_command(),))


def _describe(solution: Solution) -> str:
    """Return a sentence on who wins how often without mistakes."""
    wins = [_certain(share) for share in solution.wins]
    if solution.players == 1:
        return f"A player who makes no mistake wins {format_share(wins[0])} of games."
    if _certain(solution.draws) == 1:
        return "If nobody makes a mistake, nobody wins: every game is a draw."
    # With more than two players, some of whom may not care which of the others wins, perfect play has several results.
    perfect = (
        "If nobody makes a mistake"
        if solution.players == 2
        else "If all players take the best option for themselves, and the first of equally good ones"
    )
    others = "" if solution.players == 2 else " Another choice among equally good options may let somebody else win."
    sure = next((seat for seat, share in enumerate(wins, 1) if share == 1 and sum(wins) == 1), None)
    if sure is not None:
        return f"{perfect}, seat {sure} wins every game.{others}"
    each = ", ".join(f"seat {seat} wins {format_share(share)}" for seat, share in enumerate(wins, 1))
    drawn = f", and {format_share(_certain(solution.draws))} are draws" if _certain(solution.draws) else ""
    return f"{perfect}, {each} of games{drawn}.{others}"


def _how(solution: Solution) -> str:
    """Return sentences on how the solution was computed."""
    if solution.gain:
        return (
            f"This is computed, not simulated, over {format_count(solution.positions, 'line')} of play. If each "
            f"player knew the strategies of the others, their gains would add up to at most {solution.gain:.4f}."
        )
    if not solution.positions:
        return "This is computed, not simulated: nobody makes a decision."
    return f"This is computed, not simulated: the game has {format_count(solution.positions, 'position')}."


def _build_metrics(solution: Solution) -> list[Metric]:
    """Return the share of wins of each seat, and of draws, with perfect play."""
    wins = [
        Metric(f"perfect.{seat}", f"seat {seat}, with perfect play", share, (share, share), share=True)
        for seat, share in enumerate(map(_certain, solution.wins), 1)
    ]
    draws = _certain(solution.draws)
    return [*wins, Metric("perfect.draws", "draws, with perfect play", draws, (draws, draws), share=True)]


def _build_metric(solution: Solution) -> Metric:
    value = solution.values[0]
    return Metric("perfect.worth", "value for the first seat", value, (value, value), share=False)


def _certain(share: float) -> float:
    return round(share) if abs(share - round(share)) < CERTAIN else share
