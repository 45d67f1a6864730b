"""A graph of all positions that a procedure can reach, with equal positions merged.

The search is breadth-first. The decisions of a policy branch like chance events. Decisions in a search for the best
keep all their options.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rulewright.analysis.odds.threshold_rolls import Thresholds
from rulewright.base.errors import RulewrightError
from rulewright.engine.state.game_state import CHANCE, State, list_outcomes
from rulewright.engine.state.state_keys import StateKeys
from rulewright.language.expressions.expression_cost import MOST_IN_A_MOVE

Branch = tuple[int, Fraction]
"""The number of the position that the branch leads to, and the probability of the branch."""

ONE = Fraction(1)

MOST_WORK = 20 * MOST_IN_A_MOVE
"""The maximum number of operations for all branches together."""

WORK_OF_A_BRANCH = 1_000
"""The number of operations per allowed branch, which lowers the total limit if few branches are allowed."""


class TooLargeError(RulewrightError):
    """An error for a graph that exceeds its limit of branches or operations.

    `branches` counts the branches followed, `positions` the positions seen, and `waiting` those still to follow.
    """

    def __init__(self, branches: int, positions: int, waiting: int) -> None:
        super().__init__(
            f"after {branches:,} branches, there are {positions:,} positions, with {waiting:,} still to follow"
        )
        self.branches = branches
        self.positions = positions
        self.waiting = waiting


@dataclass(slots=True)
class Node:
    """A position of the graph.

    `end` is the outcome of a final position. `seeks` is 1 for a decision that maximizes the value, -1 for one that
    minimizes it, and 0 if the branches have probabilities. If the game hides information, `observation` is the
    information set of the deciding player. Positions that look alike to that player have the same `observation`.
    """

    branches: list[Branch] = field(default_factory=list)
    end: Any = None
    seeks: int = 0
    observation: Hashable = None


@dataclass(frozen=True, slots=True)
class DecisionPolicy:
    """The options to take with their probabilities, or a search: 1 maximizes the value, -1 minimizes it."""

    options: Sequence[tuple[int, Fraction]] = ()
    seeks: int = 0


Settle = Callable[[State, int], DecisionPolicy]
"""A function that makes the pending decision of a state, given the number of earlier decisions."""


@dataclass(frozen=True, slots=True)
class StateGraph:
    """The positions by number, with the start first. `branches` is the total number of branches."""

    nodes: Sequence[Node]
    branches: int


def _apply_both(state: State, totals: tuple[Any, Any]) -> None:
    state.apply_outcome(totals[0])
    state.apply_outcome(totals[1])


def explore(
    start: State,
    positions: StateKeys,
    thresholds: Thresholds,
    settle: Settle,
    read_end: Callable[[State], Any],
    *,
    most: int,
    counted: int = 0,
    over: Callable[[State], bool],
    seen: Callable[[State], Hashable] | None = None,
) -> StateGraph:
    """Follow every branch from `start` and return the graph.

    Raises `TooLargeError` beyond `most` branches, or if the branches take too many operations. Also raises `DiceError`
    for a roll that is too large, and `RulesFault` if the rules fail. Policies and scripts may raise their own errors.

    Args:
        start: The first state. The search may change it.
        positions: Computes the keys that identify equal positions.
        thresholds: Merges chance outcomes that lead to the same result.
        settle: Returns the policy for a decision.
        read_end: Returns the outcome of a final state. Ends with equal outcomes are merged.
        most: The maximum number of branches.
        counted: The number of scripted decisions. Until then, positions also differ by the number of decisions made.
        over: Returns whether a state is final.
        seen: Returns the information set of the deciding player, if the game hides information.
    """
    nodes: list[Node] = []
    known: dict[Any, int] = {}
    waiting: list[tuple[int, State, int]] = []
    result = spent = 0
    most_work = min(MOST_WORK, max(most * WORK_OF_A_BRANCH, MOST_IN_A_MOVE))

    def number(state: State, decisions: int) -> int:
        """Return the number of the node for a state. A new state that is not final also waits to be followed."""
        ended = over(state)
        end = read_end(state) if ended else None
        key = (None, end) if ended else (decisions, positions.compute_key(state, named=decisions < counted))
        result = known.get(key)
        if result is None:
            result = known[key] = len(nodes)
            nodes.append(Node(end=end))
            if not ended:
                waiting.append((result, state, decisions))
        return result

    number(start, 0)
    place = 0
    while place < len(waiting):
        index, state, decisions = waiting[place]
        waiting[place] = (index, start, 0)  # free the state, because all its branches have been followed
        place += 1
        node = nodes[index]
        if state.mode == CHANCE:
            contest = thresholds.merge_contest(state)
            settled: Sequence[tuple[Any, Fraction]] = contest or thresholds.merge_outcomes(
                state, list_outcomes(state.roll)
            )
            take: Callable[[State, Any], None] = State.apply_outcome if contest is None else _apply_both
        else:
            answer = settle(state, decisions)
            node.seeks = answer.seeks
            if seen is not None and answer.seeks:
                node.observation = seen(state)
            settled = [(option, ONE) for option in range(len(state.options))] if answer.seeks else answer.options
            take = State.apply
            decisions = min(decisions + 1, counted)
        result += len(settled)
        if result > most:
            raise TooLargeError(result, len(nodes), len(waiting) - place)
        last = len(settled) - 1
        for nth, (answered, chance) in enumerate(settled):
            after = state.clone() if nth < last else state
            left = after.work
            take(after, answered)
            spent += max(0, left - after.work)
            if spent > most_work:
                raise TooLargeError(result, len(nodes), len(waiting) - place)
            node.branches.append((number(after, decisions), chance))
    return StateGraph(nodes, result)
