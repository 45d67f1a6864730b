"""Question: which rules and table rows never matter?"""

from __future__ import annotations

from rulewright.analysis.fairness.answer import Answer, InBook, format_count
from rulewright.analysis.fairness.answer_from_games import answer_from_games
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.game_counts import Counts, leaves_events
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
    return answer_from_games(table, lambda played, _: _answer_size(table, played.counts), coverage=True)


def _answer_size(table: GameCache, counts: Counts) -> Answer:
    """Return which rules that record events never fired, and which rows of used tables never came up."""
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
    return Answer(tuple(says))


def _list(lines: list[str]) -> str:
    more = len(lines) - MOST_NAMED
    return ", ".join(lines[:MOST_NAMED]) + (f", and {more:,} more" if more > 0 else "")
