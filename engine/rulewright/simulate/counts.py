"""Counts of games: whole numbers that add up the same in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


class Counts:
    """What games came to. Two counts of different games of one run add up to the count of both."""

    def __init__(self, seats: int, policies: Mapping[str, int]) -> None:
        self.games = 0
        self.draws = 0
        self.unfinished = 0
        self.decisions = 0
        self.wins_by_seat = [0] * seats
        self.games_by_policy: Counter[str] = Counter()
        self.wins_by_policy: Counter[str] = Counter(dict.fromkeys(policies, 0))
        self.measures: dict[str, Counter[int]] = {}
        self.lengths: Counter[int] = Counter()
        self.steps: Counter[int] = Counter()
        self.series: dict[str, dict[int, list[int]]] = {}

    def add_game(
        self,
        *,
        seats: Sequence[str],
        winners: Sequence[int] | None,
        decisions: int,
        measures: Mapping[str, int],
    ) -> None:
        """Count one game: who sat where, which seats won (none of them: a draw; None: it did not end)."""
        self.games += 1
        self.decisions += decisions
        self.lengths[decisions] += 1
        for policy in seats:
            self.games_by_policy[policy] += 1
        if winners is None:
            self.unfinished += 1
        elif not winners:
            self.draws += 1
        for seat in winners or ():
            self.wins_by_seat[seat] += 1
            self.wins_by_policy[seats[seat]] += 1
        for name, value in measures.items():
            self.measures.setdefault(name, Counter())[value] += 1

    def add_steps(self, numbers: Iterable[int]) -> None:
        """Count the steps that fired."""
        self.steps.update(numbers)

    def add_moment(self, measure: str, moment: int, value: int) -> None:
        """Count what a measure was at one moment of one game. A series holds, for each moment, the sum and how many."""
        found = self.series.setdefault(measure, {}).setdefault(moment, [0, 0])
        found[0] += value
        found[1] += 1

    def __iadd__(self, other: Counts) -> Counts:
        self.games += other.games
        self.draws += other.draws
        self.unfinished += other.unfinished
        self.decisions += other.decisions
        self.wins_by_seat = [a + b for a, b in zip(self.wins_by_seat, other.wins_by_seat, strict=True)]
        self.games_by_policy.update(other.games_by_policy)
        self.wins_by_policy.update(other.wins_by_policy)
        self.lengths.update(other.lengths)
        self.steps.update(other.steps)
        for name, values in other.measures.items():
            self.measures.setdefault(name, Counter()).update(values)
        for name, moments in other.series.items():
            for moment, (total, games) in moments.items():
                found = self.series.setdefault(name, {}).setdefault(moment, [0, 0])
                found[0] += total
                found[1] += games
        return self

    def plain(self) -> dict[str, Any]:
        """As data that compares equal for equal counts."""
        return {
            "games": self.games,
            "draws": self.draws,
            "unfinished": self.unfinished,
            "decisions": self.decisions,
            "wins_by_seat": self.wins_by_seat,
            "games_by_policy": dict(sorted(self.games_by_policy.items())),
            "wins_by_policy": dict(sorted(self.wins_by_policy.items())),
            "measures": {name: dict(sorted(values.items())) for name, values in sorted(self.measures.items())},
            "lengths": dict(sorted(self.lengths.items())),
            "steps": dict(sorted(self.steps.items())),
            "series": {name: dict(sorted(moments.items())) for name, moments in sorted(self.series.items())},
        }
