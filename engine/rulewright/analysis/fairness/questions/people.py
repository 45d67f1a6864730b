"""Question: which saved games of people count, and how far can the answers be trusted?"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.analysis.fairness.answer import Answer, format_count
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.saved_game_cache import SavedGameCache
from rulewright.analysis.fairness.saved_games import SavedGame

PLACE = 0
TITLE = "Whose games are these?"

MOST_NAMED = 3
"""The maximum number of named files that do not count. The rest is only counted."""


def answer(table: GameCache) -> Answer | None:
    """Answer for saved games of people. Return None for games of bots."""
    if not isinstance(table, SavedGameCache):
        return None
    saved = table.saved
    says = [
        f"These are {table.describe_games(len(saved.games))}, played to the end.",
        "Those who play are not everybody: other people may play differently.",
        *_describe_groups(table),
    ]
    if saved.left:
        says.append(
            f"Somebody left {format_count(len(saved.left), 'more game')}, after {_describe_exits(saved.left)}. "
            "Nobody knows how they would have ended, so they are no draws and count in no answer."
        )
    if saved.unfinished:
        says.append(f"{_list_names('game', [each.name for each in saved.unfinished])} not over yet.")
    if saved.refused:
        says.append(f"{_list_names('file', [each.file for each in saved.refused])} left out.")
    return Answer(tuple(says), commands=(table.build_fair_command(),))


def _describe_groups(table: SavedGameCache) -> list[str]:
    """Return a sentence on the games that depend on each other, or none if no game does."""
    groups = [table.group_games(players) for players in table.sizes]
    if any(each.held for each in groups):
        return ["All intervals hold only for these people, because they are few and play each other."]
    if any(each.groups for each in groups):
        return ["Games of the same people, or with the same dice, may be alike. All intervals take this into account."]
    return []


def _describe_exits(left: Sequence[SavedGame]) -> str:
    """Return in words after how many decisions the first player left each game."""
    first = [min(each.decision for each in game.people.left) for game in left]
    least, most = min(first), max(first)
    return format_count(most, "decision") if least == most else f"{least:,} to {format_count(most, 'decision')}"


def _list_names(what: str, names: Sequence[str]) -> str:
    """Return a count with the first names and a verb: `2 files (a.json, b.json) are`."""
    more = [f"{len(names) - MOST_NAMED:,} more"] if len(names) > MOST_NAMED else []
    listed = ", ".join([*names[:MOST_NAMED], *more])
    return f"{format_count(len(names), what)} ({listed}) {'is' if len(names) == 1 else 'are'}"
