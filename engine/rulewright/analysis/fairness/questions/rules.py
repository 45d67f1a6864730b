"""Question: which rules and table rows never matter?"""

from __future__ import annotations

from rulewright.analysis.fairness.answer import Answer, InBook, format_count
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.game_counts import leaves_events
from rulewright.engine.boards.board_contents import has_places
from rulewright.engine.narration.plain_names import Names

PLACE = 60
TITLE = "Which rules never matter?"
IN_BOOK = InBook.ONE_SIZE
FOR_DESIGNERS = True

MOST_NAMED = 12
"""The maximum number of named rules. The rest is only counted."""


def answer(table: GameCache) -> Answer:
    """Answer from the steps that never fired and the rows that were never rolled, in games between good players.

    The answer has no metrics. If no game was played, it says so.
    """
    sample = table.play_good_bots(coverage=True)
    counts = sample.counts
    if not counts.games:
        return Answer(("There are too few games to tell.",))
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
    watched = f"in {format_count(counts.games, 'game')} of {table.good}"
    says = []
    if silent:
        part = f"{len(silent):,} of {format_count(len(fired), 'rule')} that record events"
        says.append(f"{part} never fired {watched}: {_list(silent)}.")
    else:
        says.append(f"Every rule that records events fired {watched}.")
    if rows:
        says.append(f"These rows never came up: {_list(rows)}.")
    elif rolled:
        says.append("Every row of every table that is rolled on or drawn from came up.")
    return Answer(tuple(says), (), (sample.command,))


def _list(lines: list[str]) -> str:
    more = len(lines) - MOST_NAMED
    return ", ".join(lines[:MOST_NAMED]) + (f", and {more:,} more" if more > 0 else "")
