"""Question: which rules and table rows never matter?"""

from __future__ import annotations

from rulewright.analysis.fairness.answer import (
    FEWEST_GAMES,
    Answer,
    InBook,
    answer_each_size,
    build_unknown,
    format_count,
)
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.game_counts import leaves_events
from rulewright.engine.boards.board_contents import has_places
from rulewright.engine.narration.plain_names import Names

PLACE = 60
TITLE = "Which rules never matter?"
IN_BOOK = InBook.PLAYED
FOR_DESIGNERS = True

MOST_NAMED = 12
"""The maximum number of named rules. The rest is only counted."""


def answer(table: GameCache) -> Answer | None:
    """Answer from the steps that never fired and the rows that were never rolled, in games between good players.

    The answer has no metrics. Return None if no game was played.
    """
    return answer_each_size(table.sizes, lambda players: _answer_size(table, players))


def _answer_size(table: GameCache, players: int) -> Answer | None:
    sample = table.play_good_bots(players, coverage=True)
    counts, described = sample.counts, table.describe_games(sample.counts.games)
    if not counts.games:
        return None
    if counts.games < FEWEST_GAMES:
        return build_unknown(counts.games, described, sample.command)
    names = Names(table.ruleset)
    # Nested steps share the name of their outer step. The rule matters if any of them fired.
    fired: dict[str, int] = {}
    for number, step in table.ruleset.steps.items():
        if leaves_events(step):
            fired[step.rule] = fired.get(step.rule, 0) + counts.steps[number]
    silent = sorted(rule for rule, often in fired.items() if not often)
    rolled = {row for row, _ in counts.rows}
    rows = [
        f"{names.name_row(result.id, row)} ({names.format_words(result.title)})"
        for result in table.ruleset.declarations.tables.values()
        if result.id in rolled and not has_places(result)
        for row in result.rows
        if not counts.rows[result.id, row]
    ]
    says = []
    if silent:
        part = f"{len(silent):,} of {format_count(len(fired), 'rule')} that record events"
        says.append(f"{part} never fired: {_list(silent)}.")
    else:
        says.append("Every rule that records events fired.")
    if rows:
        says.append(f"These rows never came up: {_list(rows)}.")
    elif rolled:
        says.append("Every row of every table that is rolled on or drawn from came up.")
    return Answer(tuple(says), (), (sample.command,), described)


def _list(lines: list[str]) -> str:
    more = len(lines) - MOST_NAMED
    return ", ".join(lines[:MOST_NAMED]) + (f", and {more:,} more" if more > 0 else "")
