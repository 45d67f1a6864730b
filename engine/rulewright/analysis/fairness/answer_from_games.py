"""Answers from games of the good bot, for each number of players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.analysis.fairness.answer import FEWEST_GAMES, Answer, answer_each_size, build_unknown
from rulewright.analysis.fairness.game_cache import GameCache, PlayedGames


def answer_from_games(
    table: GameCache, answer: Callable[[PlayedGames, int], Answer | None], *, coverage: bool = False
) -> Answer | None:
    """Return the answers from games of the good bot with each number of players, as one.

    `answer` takes the games and the number of players, and returns the sentences and metrics, or None. It is called
    only for enough games; fewer make the answer that more are needed. Return None if no game was played, or if no
    number of players has an answer. Raises `RulewrightError` if the rules fail in play.
    """

    def answer_size(players: int) -> Answer | None:
        played = table.play_good_bots(players, coverage=coverage)
        games = played.counts.games
        if not games:
            return None
        sample = table.describe_games(games, players=players)
        if games < FEWEST_GAMES:
            return build_unknown(games, sample, played.command)
        result = answer(played, players)
        return None if result is None else replace(result, sample=sample, commands=(played.command,))

    return answer_each_size(table.sizes, answer_size)
