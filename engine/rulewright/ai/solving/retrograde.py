"""Perfect play where all is seen: what each position is worth, and the option that keeps it.

Positions that can lead to each other are settled together, after everything that they may lead to: each is worth what
its best option is worth on an average, and that is worked out again until nothing moves (value iteration). A game that
goes on for ever is worth nothing to anybody. Where several options are worth the same, the first by which a position
came to its worth is kept: it leads there, and not in a circle.

Of more than two, each goes by what the game is worth to themselves, and takes the first of equals (maxⁿ): that is
perfect against others who do so, and no promise against others.
Sources: R. Bellman, "Dynamic Programming" (1957); K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal
9 (1986); H. Everett, "Recursive games" (1957); C. Luckhardt and K. Irani, "An algorithmic solution of N-person games",
AAAI 1986.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.ai.solving.position_graph import CHANCES, PositionGraph
from rulewright.ai.solving.solution import UnsolvedError
from rulewright.ir.strongly_connected import find_components

CLOSE = 1e-11
"""How little a worth may still move."""

BETTER = 1e-12
"""By how much an option must be worth more to take the place of another: less is rounding."""

TOLERANCE = 1e-6
"""How far what is played may lie from what positions are worth, as a share: rounding of many rounds."""

MOST_ROUNDS = 100_000
"""Times that positions which lead to each other are gone through."""

AS_TAKEN = 3
"""Rounds in which nobody thinks again, after each in which all do."""

Begun = Sequence[tuple[int, float]]
"""Positions that a game may begin at, by the dice, with their chances."""

Branches = list[tuple[int, float]]
"""Positions of a group that an option may lead to, by their places in it, with their chances."""

Option = tuple[float, Branches]
"""What an option comes to beyond a group, and where it stays within."""


class Perfect:
    """The worth of every position of a graph to every seat, and the option taken at each (from 0)."""

    def __init__(self, graph: PositionGraph, seats: int) -> None:
        self.graph = graph
        self.seats = seats
        # What is worth to one what it costs the other is worked out once.
        self._opposed = seats == 2 and all(abs(sum(worth)) < BETTER for worth, _ in graph.endings)
        columns = range(1 if self._opposed else seats)
        self._ends = [[worth[seat] for worth, _ in graph.endings] for seat in columns]
        self._worths = [array("d", bytes(8 * len(graph))) for _ in columns]
        self.choices = array("q", [0]) * len(graph)
        self._groups = find_components(range(len(graph)), graph.list_successors)
        for group in self._groups:
            self._settle(group)

    def compute_value(self, begun: Begun) -> tuple[float, ...]:
        """Return what it is worth to each seat that a game begins so."""
        found = [
            sum(chance * (worths[at] if at >= 0 else ends[-1 - at]) for at, chance in begun)
            for worths, ends in zip(self._worths, self._ends, strict=True)
        ]
        return (found[0], -found[0]) if self._opposed else tuple(found)

    def compute_results(self, begun: Begun) -> tuple[tuple[float, ...], float]:
        """Return how often each seat wins, and how often nobody does, where all play by what is taken.

        Raises `UnsolvedError` where playing so does not come to what positions are worth.
        """
        kinds = {won: 0.0 for _, won in self.graph.endings}
        for kind in [*kinds][1:]:
            kinds[kind] = self._comes_to(begun, [float(won == kind) for _, won in self.graph.endings])
        for kind in [*kinds][:1]:
            kinds[kind] = 1.0 - sum(kinds.values())
        came, worth = self._comes_to(begun, self._ends[0]), self.compute_value(begun)[0]
        if abs(came - worth) > TOLERANCE * (1 + abs(came)):
            raise UnsolvedError(
                f"the solution of {self.graph.positions.ruleset.title} does not converge: the start should have the "
                f"value {worth:g}, but gets {came:g}"
            )
        wins = [sum(often for kind, often in kinds.items() if seat in kind) for seat in range(self.seats)]
        return tuple(wins), kinds.get((), 0.0)

    def _comes_to(self, begun: Begun, of: list[float]) -> float:
        """Return what a game comes to on an average.

        Where all play by what is taken and each ending is worth so much.
        """
        graph, found = self.graph, array("d", bytes(8 * len(self.graph)))
        for group in self._groups:
            place = {node: at for at, node in enumerate(group)}
            lines = [_option(graph, graph.options[node] + self.choices[node], place, found, of) for node in group]
            worths = [0.0] * len(group)
            for _ in range(MOST_ROUNDS):
                if _follow(lines, worths) < CLOSE:
                    break
            for node, worth in zip(group, worths, strict=True):
                found[node] = worth
        return sum(chance * (found[at] if at >= 0 else of[-1 - at]) for at, chance in begun)

    def _settle(self, group: Sequence[int]) -> None:
        """Compute what positions are worth that lead to each other, and what is taken in them."""
        graph = self.graph
        place = {node: at for at, node in enumerate(group)}
        columns = range(len(self._worths))
        # Of each position, what its options come to for each seat; those that were not followed come to nothing.
        numbers = [
            [number for number in range(graph.options[node], graph.options[node + 1])
             if graph.branches[number] < graph.branches[number + 1]]
            for node in group
        ]  # fmt: skip
        options = [
            [
                [_option(graph, number, place, worths, ends) for number in each]
                for worths, ends in zip(self._worths, self._ends, strict=True)
            ]
            for each in numbers
        ]
        found = [[0.0] * len(group) for _ in columns]
        taken = [-1] * len(group)
        seekers = []
        for node in group:
            who = graph.who[node]
            seekers.append((0, 1.0) if who == CHANCES else (0, 1.0 - 2 * who) if self._opposed else (who, 1.0))
        for _ in range(MOST_ROUNDS):
            moved = 0.0
            for at, (seat, sign) in enumerate(seekers):
                of_seat, here = options[at][seat], found[seat]
                kept = taken[at]
                best, value, stays = -1, 0.0, 0.0
                for option, (total, branches) in enumerate(of_seat):
                    for target, chance in branches:
                        total += chance * here[target]
                    total *= sign
                    if option == kept:
                        stays = total
                    if best < 0 or total > value + BETTER:
                        best, value = option, total
                if kept < 0 or value > stays + BETTER:
                    taken[at] = best
                else:
                    value = stays
                value *= sign
                change = abs(value - here[at])
                if change > moved:
                    moved = change
                here[at] = value
            lines = [
                [options[at][seat][option] for at, option in enumerate(taken)] for seat in columns
            ]  # what is taken, seen by every seat
            for line, here in zip(lines, found, strict=True):
                for _ in range(AS_TAKEN if moved >= CLOSE else 1):
                    moved = max(moved, _follow(line, here))
            if moved < CLOSE:
                break
        else:
            raise UnsolvedError(
                f"{graph.positions.ruleset.title} has {len(group):,} positions in a cycle, and their "
                "best values do not converge"
            )
        for at, node in enumerate(group):
            self.choices[node] = numbers[at][taken[at]] - graph.options[node]
            for worths, here in zip(self._worths, found, strict=True):
                worths[node] = here[at]


def _option(
    graph: PositionGraph, number: int, place: dict[int, int], worths: Sequence[float], ends: Sequence[float]
) -> Option:
    """Return an option, by what positions are worth that were settled before."""
    beyond, within = 0.0, []
    for at in range(graph.branches[number], graph.branches[number + 1]):
        target, chance = graph.targets[at], graph.chances[at]
        if target in place:
            within.append((place[target], chance))
        else:
            beyond += chance * (worths[target] if target >= 0 else ends[-1 - target])
    return beyond, within


def _follow(lines: Sequence[Option], worths: list[float]) -> float:
    """Go once through positions of which it is settled what is taken; by how much their worths moved at the most."""
    moved = 0.0
    for at, (total, branches) in enumerate(lines):
        for target, chance in branches:
            total += chance * worths[target]
        change = abs(total - worths[at])
        if change > moved:
            moved = change
        worths[at] = total
    return moved
