"""Question: does something that set-up gives to one player help to win?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.analysis.fairness.answer import Answer, InBook, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.setup_differences import SetupDifference, find_differences
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.paired_comparison import LEVEL
from rulewright.analysis.simulation.shard import GameRow
from rulewright.base.confidence_intervals import (
    Interval,
    adjust_by_holm,
    compute_binomial_chance,
    compute_wilson_interval,
)

PLACE = 5
TITLE = "Who has an advantage from the start?"
IN_BOOK = InBook.ONE_SIZE

MOST_NAMED = 4
"""The maximum number of advantages in one sentence."""


@dataclass(frozen=True, slots=True)
class Advantage:
    """How often the player with something wins, of the games that one player won and in which one player had it."""

    difference: SetupDifference
    players: int
    wins: int
    games: int
    chance: float

    @property
    def share(self) -> float:
        """The share of wins."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> Interval:
        """The 95 % confidence interval of the share."""
        return compute_wilson_interval(self.wins, self.games)

    @property
    def points(self) -> float:
        """The difference from an even share, in percentage points."""
        return 100 * (self.share - 1 / self.players)


def answer(table: GameCache) -> Answer | None:
    """Answer for each number of players in `sizes` of the table.

    Return None for a game of one player, and if set-up gives every player the same, or always the same seat more.
    After an interrupt, the answer leaves out the remaining numbers of players.
    """
    if table.ruleset.players[1] < 2:
        return None
    says: list[str] = []
    metrics: list[Metric] = []
    for players in table.sizes:
        differences = find_differences(
            table.ruleset, players, seed=table.seed, games=table.games, options=table.options
        )
        if not differences:
            continue
        sample = table.play((table.good,) * players, rows=True)
        if not sample.counts.games:
            break
        advantages = measure_advantages(differences, sample.rows, players)
        says.append(_describe(players, sample.counts.games, advantages))
        metrics += _build_metrics(advantages)
    return Answer(tuple(says), tuple(metrics), (table.build_fair_command(),)) if says else None


def measure_advantages(
    differences: Sequence[SetupDifference], rows: Sequence[GameRow], players: int
) -> list[Advantage]:
    """Return the advantage of each difference in these games, the largest effect first.

    The chances are adjusted for the number of differences.
    """
    counts = []
    for difference in differences:
        won = [
            row.winners == (holder,)
            for row, holder in zip(rows, difference.holders, strict=False)
            if holder is not None and row.winners is not None and len(row.winners) == 1
        ]
        counts.append((sum(won), len(won)))
    chances = adjust_by_holm([compute_binomial_chance(wins, games, 1 / players) for wins, games in counts])
    results = [
        Advantage(difference, players, wins, games, chance)
        for difference, (wins, games), chance in zip(differences, counts, chances, strict=True)
    ]
    return sorted(results, key=lambda each: -abs(each.points))


def _describe(players: int, games: int, advantages: Sequence[Advantage]) -> str:
    between = f"With {format_count(players, 'player')}, in {format_count(games, 'game')}"
    certain = [each for each in advantages if each.chance <= LEVEL]
    if not certain:
        widest = max(max(abs(end - 1 / players) for end in each.interval) for each in advantages)
        asked = ", ".join(f"whoever {each.difference.does}" for each in advantages[:MOST_NAMED])
        return (
            f"{between}, nothing that set-up gives to one player has a significant effect on who wins ({asked}); "
            f"more than {_format_points(100 * widest)} would show."
        )
    first, *others = certain
    low, high = first.interval
    text = (
        f"{between}, whoever {first.difference.does} wins {format_share(first.share)} ({format_share(low)} to "
        f"{format_share(high)}) of the games with one winner: {_format_points(abs(first.points))} "
        f"{'more' if first.points > 0 else 'less'} than an even share."
    )
    if others:
        named = "; ".join(f"whoever {each.difference.does}, {format_share(each.share)}" for each in others[:MOST_NAMED])
        text += f" Also: {named}."
    return text


def _build_metrics(advantages: Sequence[Advantage]) -> Iterator[Metric]:
    for each in advantages:
        title = f"{each.difference.does}, {format_count(each.players, 'player')}"
        yield Metric(f"{each.difference.id}.of.{each.players}", title, each.share, each.interval, share=True)


def _format_points(points: float) -> str:
    """Format a difference of two shares: `3.2 percentage points`."""
    shown = f"{points:.1f}".removesuffix(".0")
    return f"{shown} percentage point{'' if shown == '1' else 's'}"
