"""Exact absorption probabilities of a state graph, including graphs with cycles.

Positions that can reach each other form a component, which is solved as a system of linear equations. Components are
processed in topological order. Source: Kemeny and Snell, "Finite Markov Chains" (1960), chapter III, for absorbing
chains; Howard, "Dynamic Programming and Markov Processes" (1960), for policy iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulewright.analysis.odds.state_graph import ONE, Node, StateGraph
from rulewright.base.errors import RulewrightError
from rulewright.ir.strongly_connected import find_components

NONE = Fraction(0)

MOST_TOGETHER = 400
"""The maximum number of positions to solve together: the work grows with the cube of their number."""


MOST_ROUNDS = 10_000
"""The maximum number of policy iterations."""


class UnsolvableError(RulewrightError):
    """An error for positions that never reach an end, a component that is too large, or endless policy iteration."""


def compute_arrivals(graph: StateGraph, chosen: Mapping[int, int]) -> dict[int, Fraction]:
    """Return the probability of each end, by node number.

    `chosen` maps each node that seeks a best option to the index of its branch. Unreachable ends are missing. Raises
    `UnsolvableError` for a component that is too large or never reaches an end.
    """
    inflow: dict[int, Fraction] = {0: ONE}
    ends: dict[int, Fraction] = {}
    for component in reversed(_components(graph.nodes)):
        arriving = {index: inflow.pop(index) for index in component if index in inflow}
        if not arriving:
            continue
        visits = _visits(graph.nodes, component, arriving, chosen)
        inside = frozenset(component)
        for index, often in visits.items():
            node = graph.nodes[index]
            if node.end is not None:
                ends[index] = often
            for target, chance in _branches(node, index, chosen):
                if target not in inside:
                    inflow[target] = inflow.get(target, NONE) + often * chance
    return ends


def _components(nodes: Sequence[Node]) -> list[list[int]]:
    """Return the components of positions that can reach each other, each after all components it leads to."""
    return find_components([0], lambda index: (target for target, _ in nodes[index].branches))


def find_best_choices(graph: StateGraph, value_of: Callable[[Any], Fraction]) -> tuple[dict[int, int], Fraction]:
    """Return the index of the best branch for each node that seeks, and the expected value of the first position.

    `value_of` returns the value of an end. Of equally good branches, the first one wins, except in cycles. Raises
    `UnsolvableError` for a component that is too large, never reaches an end, or has no stable choice.
    """
    values: dict[int, Fraction] = {}
    chosen: dict[int, int] = {}
    for component in _components(graph.nodes):
        seeking = [index for index in component if graph.nodes[index].seeks]
        if len(component) == 1 and not _loops(graph.nodes, component):
            index = component[0]
            node = graph.nodes[index]
            if node.end is not None:
                values[index] = value_of(node.end)
            elif node.seeks:
                results = [values[target] for target, _ in node.branches]
                chosen[index] = results.index(max(results) if node.seeks > 0 else min(results))
                values[index] = results[chosen[index]]
            else:
                values[index] = sum((chance * values[target] for target, chance in node.branches), NONE)
            continue
        _settle_together(graph.nodes, component, seeking, chosen, values)
    return chosen, values[0]


def _settle_together(
    nodes: Sequence[Node],
    component: Sequence[int],
    seeking: Sequence[int],
    chosen: dict[int, int],
    values: dict[int, Fraction],
) -> None:
    """Find the best choices in a component with cycles by policy iteration, and update `chosen` and `values`.

    `values` must have the values of all later positions. If some nodes maximize and others minimize, the minimizing
    nodes reach their best answer before any maximizing node changes. Raises `UnsolvableError` after `MOST_ROUNDS`
    rounds, or if the component is too large or may never end. Source: Hoffman and Karp, "On nonterminating stochastic
    games", Management Science 12 (1966).
    """
    _lead_out(nodes, component, chosen)
    least = [index for index in seeking if nodes[index].seeks < 0]
    greatest = [index for index in seeking if nodes[index].seeks > 0]
    for _ in range(MOST_ROUNDS):
        values.update(_values(nodes, component, chosen, values))
        if not (_improve(nodes, least, chosen, values) or _improve(nodes, greatest, chosen, values)):
            return
    raise UnsolvableError("the best values do not converge")


def _improve(
    nodes: Sequence[Node], seeking: Sequence[int], chosen: dict[int, int], values: dict[int, Fraction]
) -> bool:
    """Switch each of `seeking` in `chosen` to its best branch if that is better, and return whether any switched."""
    moved = False
    for index in seeking:
        node = nodes[index]
        results = [values[target] for target, _ in node.branches]
        best = max(results) if node.seeks > 0 else min(results)
        if results[chosen[index]] != best:
            chosen[index] = results.index(best)
            moved = True
    return moved


def _lead_out(nodes: Sequence[Node], component: Sequence[int], chosen: dict[int, int]) -> None:
    """Set initial choices in `chosen` that lead from every position to an exit, if possible, one step closer each."""
    inside = set(component)
    waiting = list(component)
    while waiting:
        left: list[int] = []
        reached: list[int] = []
        for index in waiting:
            node = nodes[index]
            out = next((place for place, (target, _) in enumerate(node.branches) if target not in inside), None)
            if node.seeks:
                chosen[index] = out or 0
            (left if out is None else reached).append(index)
        if not reached:
            return
        inside.difference_update(reached)
        waiting = left


def _branches(node: Node, index: int, chosen: Mapping[int, int]) -> Sequence[tuple[int, Fraction]]:
    return [node.branches[chosen[index]]] if node.seeks else node.branches


def _loops(nodes: Sequence[Node], component: Sequence[int]) -> bool:
    index = component[0]
    return any(target == index for target, _ in nodes[index].branches)


def _visits(
    nodes: Sequence[Node], component: Sequence[int], arriving: Mapping[int, Fraction], chosen: Mapping[int, int]
) -> Mapping[int, Fraction]:
    """Return how often each position of a component is visited on average: x = arriving + x Q.

    Raises `UnsolvableError` if the component has too many positions or never ends.
    """
    if len(component) == 1 and not _loops(nodes, component):
        return arriving
    place = {index: row for row, index in enumerate(component)}
    size = _check_size(component)
    rows = [[NONE] * size for _ in range(size)]
    for index, row in place.items():
        rows[row][row] += ONE
        for target, chance in _branches(nodes[index], index, chosen):
            if target in place:
                rows[place[target]][row] -= chance
    solved = _solve(rows, [arriving.get(index, NONE) for index in component])
    return dict(zip(component, solved, strict=True))


def _values(
    nodes: Sequence[Node], component: Sequence[int], chosen: Mapping[int, int], known: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """Return the expected value of each position of a component, from v = Q v + the value beyond the component.

    `known` has the values of the positions beyond. Raises `UnsolvableError` if the component has too many positions or
    never ends.
    """
    place = {index: row for row, index in enumerate(component)}
    size = _check_size(component)
    rows = [[NONE] * size for _ in range(size)]
    beyond = [NONE] * size
    for index, row in place.items():
        rows[row][row] += ONE
        for target, chance in _branches(nodes[index], index, chosen):
            if target in place:
                rows[row][place[target]] -= chance
            else:
                beyond[row] += chance * known[target]
    return dict(zip(component, _solve(rows, beyond), strict=True))


def _check_size(component: Sequence[int]) -> int:
    """Return the number of positions in a component. Raises `UnsolvableError` if it is above `MOST_TOGETHER`."""
    if len(component) > MOST_TOGETHER:
        raise UnsolvableError(
            f"{len(component):,} positions form a cycle; at most {MOST_TOGETHER} can be solved together"
        )
    return len(component)


def _solve(rows: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Return the solution of linear equations by Gaussian elimination, overwriting `rows` and `right`.

    Raises `UnsolvableError` if the equations have no unique solution.
    """
    size = len(rows)
    for column in range(size):
        pivot = next((row for row in range(column, size) if rows[row][column]), None)
        if pivot is None:
            raise UnsolvableError("these positions form a cycle that never ends")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        right[column], right[pivot] = right[pivot], right[column]
        first = rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column]
            if factor:
                factor /= first[column]
                line = rows[row]
                for across in range(column, size):
                    if first[across]:
                        line[across] -= factor * first[across]
                right[row] -= factor * right[column]
    result = [NONE] * size
    for row in range(size - 1, -1, -1):
        rest = sum((rows[row][across] * result[across] for across in range(row + 1, size) if rows[row][across]), NONE)
        result[row] = (right[row] - rest) / rows[row][row]
    return result
