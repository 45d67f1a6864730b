"""Question: how long does a game take, and does it have a winner?"""

from __future__ import annotations

from collections import Counter

from rulewright.analysis.fairness.answer import Answer, InBook, format_count, format_share
from rulewright.analysis.fairness.answer_from_games import answer_from_games
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.game_counts import Counts
from rulewright.analysis.simulation.metrics import SHARED_NOTE, list_metrics
from rulewright.engine.narration.plain_names import Names

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
    return answer_from_games(table, lambda played, _: _answer_size(table, played.counts))


def _answer_size(table: GameCache, counts: Counts) -> Answer:
    """Return how long the games take and how they end, with the statistics of each measure."""
    metrics = list_metrics(counts, table.ruleset)
    names = ["decisions", "draws", *(f"measures.{name}" for name in table.ruleset.measures)]
    names += [name for name, some in (("shared", counts.shared), ("unfinished", counts.unfinished)) if some]
    says = [_describe_length(counts), _describe_draws(counts, metrics["draws"].interval[1])]
    if counts.shared:
        says.append(f"{format_share(counts.shared / counts.games)} of the games end in a shared win. {SHARED_NOTE}")
    ends = _list_ends(table, counts.decided)
    if ends:
        says.append(f"How the games end: {'; '.join(ends)}.")
    return Answer(tuple(says), tuple(metrics[name] for name in names))


def _describe_length(counts: Counts) -> str:
    """Return sentences on the numbers of decisions. There must be at least one game."""
    shortest, middle, late, longest = (find_quantile(counts.lengths, part) for part in (0.0, 0.5, 0.9, 1.0))
    if not longest:
        return "Nobody makes a decision in these games."
    if shortest == longest:
        return f"Every game takes {format_count(longest, 'decision')}."
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
