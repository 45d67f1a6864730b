"""Question: which bot plays best, and can therefore stand for a good player in the other questions?"""

from __future__ import annotations

from dataclasses import replace

from rulewright.analysis.fairness.answer import (
    Answer,
    format_count,
    format_interval,
    format_mean,
    format_share,
    join_words,
)
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.strong_players import Challenge
from rulewright.analysis.simulation.metrics import Metric

PLACE = 1
TITLE = "Which bot plays best?"
NOT_FROM_SAVES = "it compares bots"


def answer(table: GameCache) -> Answer | None:
    """Answer from the race of bots.

    Return None without a race: if the good bot was given, for a game of one player, or if nobody makes a decision.
    """
    race = table.race
    if race is None:
        return None
    says = [
        f"`{race.best}` plays the games of the other answers: none of the bots that run fast enough is known to be "
        "stronger."
    ]
    if not race.challenges:
        says = [f"Not known yet: so few games leave no budget for a race. `{race.best}` plays the games."]
    won = [each for each in race.challenges if each.first == race.best and each.is_won]
    if won:
        says.append(f"It {'; '.join(map(_describe, won))}.")
    if race.ties:
        says.append(f"No significant difference from {join_words([f'`{bot}`' for bot in race.ties])} was found.")
    for each in race.stronger:
        says.append(
            f"`{each.first}` is stronger, but too slow for whole samples: it {_describe(each)}. Answers may change "
            "with such players."
        )
    metrics = [_build_metric(each) for each in race.challenges]
    if race.larger is not None:
        players, again = race.larger
        if again.is_won:
            says.append(
                f"This is true of {race.seats:,} players. With {players:,}, `{again.first}` is stronger: it "
                f"{_describe(again)}. To ask about larger tables, choose it with `--players {again.first}`."
            )
        metric = _build_metric(again)
        metrics.append(replace(metric, id=f"{metric.id}.of.{players}", title=f"{metric.title}, {players:,} players"))
    played = {race.seats} if race.larger is None else {race.seats, race.larger[0]}
    others = [players for players in table.advantage_sizes if players not in played]
    if race.challenges and others:
        listed = join_words([f"{players:,}" for players in others])
        says.append(f"The bots did not compete with {listed} players, where another one may be stronger.")
    return Answer(tuple(says), tuple(metrics), (table.build_race_command(),))


def _describe(each: Challenge) -> str:
    games = format_count(each.games, "game")
    if each.share:
        return f"wins {format_share(each.mean)} ({format_interval(each.interval)}) of {games} against `{each.second}`"
    return f"gains {format_mean(each.mean, each.interval, 2)} on average in {games} against `{each.second}`"


def _build_metric(each: Challenge) -> Metric:
    title = f"{each.first} against {each.second}"
    return Metric(f"race.{each.first}.{each.second}", title, each.mean, each.interval, share=each.share)
