"""Perfect play without hidden information, with the value of each position and the option that achieves it.

The solver handles positions in groups, each after everything that it can lead to. A group contains positions that can
lead to each other. Within a group, the value of a position is the expected value of its best option, computed
repeatedly until no value changes (value iteration). A game that never ends has value 0 for everyone. Among options of
equal value, the solver keeps the first that gave the position its value, because this option makes progress instead of
going round in circles.

With more than two players, each maximizes their own value and takes the first of equal options (maxⁿ). This is perfect
play only against others that do the same. Sources: R. Bellman, "Dynamic Programming" (1957); K. Thompson, "Retrograde
analysis of certain endgames", ICCA Journal 9 (1986); H. Everett, "Recursive games" (1957); C. Luckhardt and K. Irani,
"An algorithmic solution of N-person games", AAAI 1986.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.ai.solving.position_graph import CHANCES, PositionGraph
from rulewright.ai.solving.solution import UnsolvedError
from rulewright.ir.strongly_connected import find_components

CLOSE = 1e-11
"""The largest change of a value in a round that counts as converged."""

BETTER = 1e-12
"""The minimum advantage with which an option replaces another one. Smaller differences are rounding errors."""

TOLERANCE = 1e-6
"""The accepted relative difference, from rounding, between results of play and the values of positions."""

MOST_ROUNDS = 100_000
"""The maximum number of rounds over a group of positions that lead to each other."""

AS_TAKEN = 3
"""The number of rounds with fixed choices after each round in which choices may change."""

Begun = Sequence[tuple[int, float]]
"""The possible first positions of a game, with their probabilities."""

Branches = list[tuple[int, float]]
"""The positions of a group that an option may lead to, by their indices in it, with their probabilities."""

Option = tuple[float, Branches]
"""The value of an option outside its group, and its branches within the group."""


class Perfect:
    """The value of every position of a graph for every seat, and the option to take at each (from 0).

    Raises `UnsolvedError` if the values in a group do not converge.
    """

    def __init__(self, graph: PositionGraph, seats: int) -> None:
        """Solve all positions of a complete graph. Raises `UnsolvedError` if the values do not converge."""
        self.graph = graph
        self.seats = seats
        # In a zero-sum game of two, the values of one seat suffice.
        self._opposed = seats == 2 and all(abs(sum(payoffs)) < BETTER for payoffs, _ in graph.endings)
        columns = range(1 if self._opposed else seats)
        self._ends = [[payoffs[seat] for payoffs, _ in graph.endings] for seat in columns]
        self._values = [array("d", bytes(8 * len(graph))) for _ in columns]
        self.choices = array("q", [0]) * len(graph)
        self._groups = find_components(range(len(graph)), graph.list_successors)
        for group in self._groups:
            self._settle(group)

    def compute_value(self, begun: Begun) -> tuple[float, ...]:
        """Return the value for each seat of a game with these starting positions."""
        results = [
            sum(chance * (values[at] if at >= 0 else ends[-1 - at]) for at, chance in begun)
            for values, ends in zip(self._values, self._ends, strict=True)
        ]
        return (results[0], -results[0]) if self._opposed else tuple(results)

    def compute_results(self, begun: Begun) -> tuple[tuple[float, ...], float]:
        """Return each seat's probability of winning, and that of a draw, under perfect play.

        Raises `UnsolvedError` if play does not achieve the computed values.
        """
        kinds = {won: 0.0 for _, won in self.graph.endings}
        for kind in [*kinds][1:]:
            kinds[kind] = self._comes_to(begun, [float(won == kind) for _, won in self.graph.endings])
        for kind in [*kinds][:1]:
            kinds[kind] = 1.0 - sum(kinds.values())
        mean, value = self._comes_to(begun, self._ends[0]), self.compute_value(begun)[0]
        if abs(mean - value) > TOLERANCE * (1 + abs(mean)):
            raise UnsolvedError(
                f"the solution of {self.graph.positions.ruleset.title} does not converge: the start should have the "
                f"value {value:g}, but gets {mean:g}"
            )
        wins = [sum(often for kind, often in kinds.items() if seat in kind) for seat in range(self.seats)]
        return tuple(wins), kinds.get((), 0.0)

    def _comes_to(self, begun: Begun, of: list[float]) -> float:
        """Return the expected value under perfect play, given the value of each ending."""
        graph, result = self.graph, array("d", bytes(8 * len(self.graph)))
        for group in self._groups:
            place = {node: at for at, node in enumerate(group)}
            lines = [_option(graph, graph.options[node] + self.choices[node], place, result, of) for node in group]
            values = [0.0] * len(group)
            for _ in range(MOST_ROUNDS):
                if _follow(lines, values) < CLOSE:
                    break
            for node, value in zip(group, values, strict=True):
                result[node] = value
        return sum(chance * (result[at] if at >= 0 else of[-1 - at]) for at, chance in begun)

    def _settle(self, group: Sequence[int]) -> None:
        """Compute the values of a group of positions that lead to each other, and the options to take.

        Changes the values and options of the group. Raises `UnsolvedError` if they do not converge within
        `MOST_ROUNDS`.
        """
        graph = self.graph
        place = {node: at for at, node in enumerate(group)}
        columns = range(len(self._values))
        # The option numbers of each position, without the options that the graph omits.
        numbers = [
            [number for number in range(graph.options[node], graph.options[node + 1])
             if graph.branches[number] < graph.branches[number + 1]]
            for node in group
        ]  # fmt: skip
        options = [
            [
                [_option(graph, number, place, values, ends) for number in each]
                for values, ends in zip(self._values, self._ends, strict=True)
            ]
            for each in numbers
        ]
        results = [[0.0] * len(group) for _ in columns]
        choices = [-1] * len(group)
        seekers = []
        for node in group:
            who = graph.who[node]
            seekers.append((0, 1.0) if who == CHANCES else (0, 1.0 - 2 * who) if self._opposed else (who, 1.0))
        for _ in range(MOST_ROUNDS):
            moved = 0.0
            for at, (seat, sign) in enumerate(seekers):
                of_seat, here = options[at][seat], results[seat]
                saved = choices[at]
                best, value, stays = -1, 0.0, 0.0
                for option, (total, branches) in enumerate(of_seat):
                    for target, chance in branches:
                        total += chance * here[target]
                    total *= sign
                    if option == saved:
                        stays = total
                    if best < 0 or total > value + BETTER:
                        best, value = option, total
                if saved < 0 or value > stays + BETTER:
                    choices[at] = best
                else:
                    value = stays
                value *= sign
                change = abs(value - here[at])
                if change > moved:
                    moved = change
                here[at] = value
            lines = [
                [options[at][seat][option] for at, option in enumerate(choices)] for seat in columns
            ]  # the chosen options, from the view of every seat
            for line, here in zip(lines, results, strict=True):
                for _ in range(AS_TAKEN if moved >= CLOSE else 1):
                    moved = max(moved, _follow(line, here))
            if moved < CLOSE:
                break
        else:
            raise UnsolvedError(
                f"{graph.positions.ruleset.title} cannot be solved: the best values of {len(group):,} "
                "positions in a cycle do not converge"
            )
        for at, node in enumerate(group):
            self.choices[node] = numbers[at][choices[at]] - graph.options[node]
            for node_values, here in zip(self._values, results, strict=True):
                node_values[node] = here[at]


def _option(
    graph: PositionGraph, number: int, place: dict[int, int], values: Sequence[float], ends: Sequence[float]
) -> Option:
    """Return an option, split into its known value outside the group and its branches inside.

    `place` has the index of each position in the group. `values` and `ends` are the values of positions and endings.
    """
    beyond, within = 0.0, []
    for at in range(graph.branches[number], graph.branches[number + 1]):
        target, chance = graph.targets[at], graph.chances[at]
        if target in place:
            within.append((place[target], chance))
        else:
            beyond += chance * (values[target] if target >= 0 else ends[-1 - target])
    return beyond, within


def _follow(lines: Sequence[Option], values: list[float]) -> float:
    """Update the values of positions once under fixed choices, and return the largest change."""
    moved = 0.0
    for at, (total, branches) in enumerate(lines):
        for target, chance in branches:
            total += chance * values[target]
        change = abs(total - values[at])
        if change > moved:
            moved = change
        values[at] = total
    return moved
