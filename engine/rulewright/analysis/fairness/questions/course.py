"""Question: how do the measures of a game develop?"""

from __future__ import annotations

from rulewright.analysis.fairness.answer import MEASURE_OVER_TIME, Answer, InBook
from rulewright.analysis.fairness.answer_from_games import answer_from_games
from rulewright.analysis.fairness.dependent_games import widen_interval
from rulewright.analysis.fairness.game_cache import GameCache, PlayedGames
from rulewright.analysis.simulation.metrics import Metric, find_minimum, measure_titles
from rulewright.analysis.simulation.simulation_report import select_common
from rulewright.base.confidence_intervals import compute_mean_interval

PLACE = 70
TITLE = "How does a game develop?"
IN_BOOK = InBook.PLAYED

MOMENTS = 6
"""The maximum number of reported moments of a measure. At least one game in ten reaches the last one."""


def answer(table: GameCache) -> Answer | None:
    """Answer from the measures that the ruleset reports over time (`per:`).

    Without such a measure, the answer says so and has no metrics. Return None if no game was played.
    """
    if not any(measure.per is not None for measure in table.ruleset.measures.values()):
        return Answer((f"To follow a game, {MEASURE_OVER_TIME}",))
    return answer_from_games(table, lambda played, players: _answer_size(table, played, players))


def _answer_size(table: GameCache, played: PlayedGames, players: int) -> Answer | None:
    """Return how each measure over time develops, or None if too few games reach its moments."""
    titles = measure_titles(table.ruleset)
    says: list[str] = []
    metrics: list[Metric] = []
    for name, moments in played.counts.series.items():
        lines = _list_moments(table, players, name, titles[name], moments)
        if lines:
            says.append(f"{titles[name]}: {_describe_way(lines)}.")
            metrics += lines
    return Answer(tuple(says), tuple(metrics)) if says else None


def _list_moments(table: GameCache, players: int, name: str, title: str, moments: dict[int, list[int]]) -> list[Metric]:
    """Return the mean of a measure at up to `MOMENTS` moments that many games reach."""
    points = select_common([{"at": at, "games": moments[at][1]} for at in sorted(moments)])
    groups = table.list_groups(players)
    games = (
        [each.counts.series.get(name, {}) for each in table.play_each(table.ruleset, (table.good,) * players)]
        if groups
        else []
    )
    lines = []
    for point in points[:: max(1, -(-len(points) // MOMENTS))]:
        total, times, squares = moments[point["at"]]
        least = find_minimum(table.ruleset, name)
        interval = compute_mean_interval(times, total, squares, least=least)
        metric = Metric(f"{name}.{point['at']}", f"{title} at {point['at']:,}", total / times, interval, False)
        values = [
            (game[point["at"]][0], group) for game, group in zip(games, groups, strict=True) if point["at"] in game
        ]
        lines.append(widen_interval(metric, [each for each, _ in values], [group for _, group in values], least=least))
    return lines


def _describe_way(lines: list[Metric]) -> str:
    """Return the first and the last value in words, with the highest and the lowest if they are others."""
    most = max(lines, key=lambda metric: metric.value)
    least = min(lines, key=lambda metric: metric.value)
    first, last = lines[0], lines[-1]
    way = f"from {first.value:,.1f} to {last.value:,.1f}"
    turns = [each for each in (most, least) if each.value not in (first.value, last.value)]
    for turn, what in ((most, "highest"), (least, "lowest")):
        if turn in turns:
            way += f", {what} at {int(turn.id.rpartition('.')[2]):,} ({turn.value:,.1f})"
    return way
