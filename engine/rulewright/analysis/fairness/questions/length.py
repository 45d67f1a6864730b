"""Question: how long does a game take, and does it have a winner?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import inf

from rulewright.analysis.fairness.answer import Answer, InBook, format_count, format_share, join_words
from rulewright.analysis.fairness.answer_from_games import answer_from_games
from rulewright.analysis.fairness.dependent_games import widen_interval
from rulewright.analysis.fairness.game_cache import GameCache, PlayedGames
from rulewright.analysis.simulation.game_counts import Counts, GameRow
from rulewright.analysis.simulation.metrics import SHARED_NOTE, Metric, find_minimum, list_metrics
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.base.significance import is_mean_normal
from rulewright.engine.narration.plain_names import Names
from rulewright.ruleset.ruleset import Ruleset

PLACE = 20
TITLE = "How long does a game take?"
IN_BOOK = InBook.PLAYED

MOST_ENDS = 3
"""The maximum number of reported steps that end games. Any others are rare."""

LONG_TAIL = 3
"""The minimum ratio between the ninth decile and the median of a distribution with a long tail."""


def answer(table: GameCache) -> Answer | None:
    """Answer from the number of decisions, the ruleset's own measures, and the steps that end games.

    Return None if no game was played.
    """
    return answer_from_games(table, lambda played, players: _answer_size(table, played, players))


def _answer_size(table: GameCache, played: PlayedGames, players: int) -> Answer:
    """Return how long the games take and how they end, with the statistics of each measure."""
    counts = played.counts
    metrics = list_metrics(counts, table.ruleset)
    if groups := table.list_groups(players):
        metrics = {name: _widen(each, played.rows, groups, table.ruleset) for name, each in metrics.items()}
    names = ["decisions", "draws", *(f"measures.{name}" for name in table.ruleset.measures)]
    names += [name for name, some in (("shared", counts.shared), ("unfinished", counts.unfinished)) if some]
    open_ = [name for name in names if _is_decided_by_rare_games(counts, metrics[name])]
    metrics |= {name: replace(metrics[name], interval=(-inf, inf)) for name in open_}
    says = [_describe_length(counts), _describe_draws(counts, metrics["draws"].interval[1])]
    if counts.shared:
        says.append(f"{format_share(counts.shared / counts.games)} of the games end in a shared win. {SHARED_NOTE}")
    ends = _list_ends(table, counts.decided)
    if open_:
        titles = join_words([metrics[name].title for name in open_])
        says.append(f"Rare games may decide these means, so they have no interval: {titles}.")
    if ends:
        says.append(f"How the games end: {'; '.join(ends)}.")
    return Answer(tuple(says), tuple(metrics[name] for name in names))


def _widen(metric: Metric, rows: Sequence[GameRow], groups: Sequence[int], ruleset: Ruleset) -> Metric:
    """Return a metric of saved games with the interval for games that depend on each other."""
    least: float = 0
    if metric.id == "decisions":
        values = [row.decisions for row in rows]
    elif metric.id in ("draws", "shared"):
        winners = [len(row.winning_seats or ()) for row in rows]
        values = [count > 1 if metric.id == "shared" else not count for count in winners]
    elif metric.id.startswith("measures."):
        name = metric.id.removeprefix("measures.")
        values = [row.measures[name] for row in rows]
        least = find_minimum(ruleset, name)
    else:
        return metric
    return widen_interval(metric, values, groups, least=least)


def _is_decided_by_rare_games(counts: Counts, metric: Metric) -> bool:
    """Return whether a mean has several values and rare games may decide it, so that its interval is not valid."""
    name = metric.id.removeprefix("measures.")
    values = counts.lengths if metric.id == "decisions" else counts.measures.get(name, Counter())
    return not metric.share and len(values) > 1 and not is_mean_normal([*values.elements()])


def _describe_length(counts: Counts) -> str:
    """Return sentences on the numbers of decisions. There must be at least one game."""
    shortest, middle, late, longest = (find_quantile(counts.lengths, part) for part in (0.0, 0.5, 0.9, 1.0))
    if not longest:
        return "Nobody makes a decision in these games."
    if shortest == longest:
        most = format_share(compute_wilson_interval(0, counts.games)[1])
        return f"Every game takes {format_count(longest, 'decision')}; at most {most} take more or fewer."
    text = (
        f"Half of the games take at most {format_count(middle, 'decision')}, and nine of ten at most {late:,}; "
        f"the shortest took {shortest:,} and the longest {longest:,}."
    )
    if middle and late >= LONG_TAIL * middle:
        text += " The tail is long: one game in ten takes at least three times as long as the median game."
    return text


def _describe_draws(counts: Counts, most: float) -> str:
    """Return a sentence on the share of games without a winner. Without any, it says that at most `most` are so."""
    drawn = counts.draws + counts.unfinished
    if drawn:
        what = "have no winner or do not end" if counts.unfinished else "have no winner"
        return f"{format_share(drawn / counts.games)} of the games {what}."
    return f"Every game had a winner; at most {format_share(most)} have none."


def find_quantile(values: Counter[int], part: float) -> int:
    """Return the smallest value that is at least as large as the share `part` of all values.

    `values` has the count of each value and must not be empty.
    """
    target, seen = part * sum(values.values()), 0
    for value in sorted(values):
        seen += values[value]
        if seen >= target:
            return value
    return max(values)


def _list_ends(table: GameCache, decided: Counter[int]) -> list[str]:
    """Return in words the steps that end the most games, with their shares, at most `MOST_ENDS`."""
    names = Names(table.ruleset)
    games = sum(decided.values())
    results = []
    for number, times_ in sorted(decided.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_ENDS]:
        step = table.ruleset.steps.get(number)
        title = names.format_words(step.words.get("title", "")) or names.name_procedure(step.procedure) if step else ""
        rule = step.rule if step else "the last step"
        results.append(f"{title + ', ' if title else ''}{rule} ({format_share(times_ / games)})")
    return results
