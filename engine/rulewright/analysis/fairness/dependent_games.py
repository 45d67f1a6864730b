"""Groups of saved games that depend on each other, because the same people or the same dice are in several of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import inf

from rulewright.analysis.fairness.setup_differences import FEWEST
from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.clustered_intervals import (
    ClusterSums,
    compute_clustered_mean_interval,
    compute_clustered_share_interval,
)


@dataclass(frozen=True, slots=True)
class GameGroups:
    """The group of each game, and the seat in each game of each person whose skill must be held fixed.

    `groups` is empty if no game depends on another one.
    """

    groups: tuple[int, ...] = ()
    held: tuple[tuple[int | None, ...], ...] = ()


def widen_interval(
    metric: Metric, values: Sequence[float], groups: Sequence[Hashable], *, least: float = -inf
) -> Metric:
    """Return a metric of games with the interval for games that depend on each other within groups.

    `values` has the value of each game, which is 1 or 0 for a share, and `groups` its group. Without groups, the metric
    stays the same.
    """
    if not groups:
        return metric
    sums = ClusterSums.sum_values(values, groups)
    if metric.share:
        return replace(metric, interval=compute_clustered_share_interval(sums))
    return replace(metric, interval=compute_clustered_mean_interval(sums, least=least))


def group_games(people: Sequence[Sequence[str | None]], deals: Sequence[Hashable]) -> GameGroups:
    """Return the groups of games from the people in the seats of each game, and what tells its dice from others.

    Games with a person or a deal in common are in the same group, and so are those that have one in common with the
    same game. With fewer than `FEWEST` groups, such as the games of one club, games are only in the same group if they
    have the same deal. The skill of all people who played several games must then be held fixed. People without an id
    are different in all games.
    """
    groups = _join([[*filter(None, each), (deal,)] for each, deal in zip(people, deals, strict=True)])
    if len(set(groups)) == len(groups):
        return GameGroups()
    if len(set(groups)) >= FEWEST:
        return GameGroups(groups)
    named = dict.fromkeys(person for each in people for person in each if person is not None)
    held = (tuple(each.index(person) if person in each else None for each in people) for person in named)
    several = tuple(seats for seats in held if len(seats) - seats.count(None) > 1)
    return GameGroups(_join([[deal] for deal in deals]), several)


def _join(games: Sequence[Sequence[Hashable]]) -> tuple[int, ...]:
    """Return the group of each game, as the number of its first one. Games with a thing in common share a group."""
    first: dict[Hashable, int] = {}
    parents = list(range(len(games)))

    def find(game: int) -> int:
        while parents[game] != game:
            game = parents[game]
        return game

    for game, each in enumerate(games):
        for event in each:
            one, other = sorted((find(first.setdefault(event, game)), find(game)))
            parents[other] = one
    return tuple(map(find, range(len(games))))
