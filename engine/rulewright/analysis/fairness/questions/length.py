"""Question: how long does a game take, and does it have a winner?"""

from __future__ import annotations

from collections import Counter

from rulewright.analysis.fairness.answer import Answer, InBook, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.metrics import list_metrics
from rulewright.engine.narration.plain_names import Names

PLACE = 20
TITLE = "How long does a game take?"
IN_BOOK = InBook.ONE_SIZE

MOST_ENDS = 3
"""The maximum number of reported steps that end games. Any others are rare."""


def answer(table: GameCache) -> Answer:
    """Answer from the number of decisions, the ruleset's own measures, and the steps that end games.

    If no game was played, the answer says so and has no metrics.
    """
    counts = table.play_good_bots().counts
    if not counts.games:
        return Answer(("There are too few games to tell.",))
    metrics = list_metrics(counts, table.ruleset)
    middle, late, longest = (find_quantile(counts.lengths, part) for part in (0.5, 0.9, 1.0))
    says = [
        f"Half of the games are over after {format_count(middle, 'decision')}, nine of ten after {late:,}; "
        "the longest took "
        f"{longest:,}."
        if longest > middle
        else f"Every game takes {format_count(longest, 'decision')}."
    ]
    if late >= 3 * middle:
        says.append("The tail is long: one game in ten takes at least three times as long as the median game.")
    drawn = counts.draws + counts.unfinished
    if drawn:
        what = "drawn or unfinished" if counts.unfinished else "drawn"
        says.append(f"{format_share(drawn / counts.games)} of the games are {what}.")
    else:
        says.append("No game was drawn.")
    ends = _ends(table, counts.decided)
    if ends:
        says.append(f"How the games end: {'; '.join(ends)}.")
    wanted = ["decisions", "draws", *(f"measures.{name}" for name in table.ruleset.measures)]
    wanted += ["unfinished"] if counts.unfinished else []
    return Answer(tuple(says), tuple(metrics[name] for name in wanted), (table.play_good_bots().command,))


def find_quantile(values: Counter[int], part: float) -> int:
    """Return the smallest value that is at least as large as the share `part` of all values.

    `values` has the count of each value and must not be empty.
    """
    wanted, seen = part * sum(values.values()), 0
    for value in sorted(values):
        seen += values[value]
        if seen >= wanted:
            return value
    return max(values)


def _ends(table: GameCache, decided: Counter[int]) -> list[str]:
    names = Names(table.ruleset)
    games = sum(decided.values())
    results = []
    for number, times_ in sorted(decided.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_ENDS]:
        step = table.ruleset.steps.get(number)
        title = names.format_words(step.words.get("title", "")) or names.name_procedure(step.procedure) if step else ""
        rule = step.rule if step else "the last step"
        results.append(f"{title + ', ' if title else ''}{rule} ({format_share(times_ / games)})")
    return results
