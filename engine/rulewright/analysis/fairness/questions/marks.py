"""Question: which decisions did people mark with a word while they played?"""

from __future__ import annotations

from collections import Counter

from rulewright.analysis.fairness.answer import Answer, format_count
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.saved_game_cache import SavedGameCache
from rulewright.engine.narration.plain_names import Names

PLACE = 52
TITLE = "What did people mark?"

MOST_NAMED = 6
"""The maximum number of reported words, the most frequent first."""


def answer(table: GameCache) -> Answer | None:
    """Answer from the marks in saved games of people, also in those that somebody left. Return None without marks."""
    if not isinstance(table, SavedGameCache):
        return None
    names = Names(table.ruleset)
    marked: dict[str, Counter[str]] = {}
    games: dict[str, set[str]] = {}
    for saved in (*table.saved.games, *table.saved.left):
        for mark in saved.people.marks:
            step = table.ruleset.steps[saved.decisions[mark.decision - 1][1]]
            prompt = names.format_words(step.words.get("ask", ""))
            marked.setdefault(mark.word, Counter())[f"“{prompt}”" if prompt else step.rule] += 1
            games.setdefault(mark.word, set()).add(saved.name)
    if not marked:
        return None
    often = sorted(marked, key=lambda word: (-marked[word].total(), word))
    played = table.describe_games(len(table.saved.games))
    says = []
    for word in often[:MOST_NAMED]:
        where, times = marked[word].most_common(1)[0]
        says.append(
            f"“{word}” was marked {format_count(marked[word].total(), 'time')} in "
            f"{format_count(len(games[word]), 'game')}, most often at {where} ({times:,})."
        )
    if len(often) > MOST_NAMED:
        says.append(f"There are also {format_count(len(often) - MOST_NAMED, 'other word')}.")
    also = f", and from {format_count(len(table.saved.left), 'game')} that somebody left" if table.saved.left else ""
    says.append(f"The marks are from {played}{also}.")
    return Answer(tuple(says), commands=(table.build_fair_command(),))
