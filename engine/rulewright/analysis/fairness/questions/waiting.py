"""Question: how long do people wait for their next decision, by the clock?"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.analysis.fairness.answer import Answer, answer_each_size, build_unknown, format_mean
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.saved_game_cache import SavedGameCache
from rulewright.analysis.fairness.saved_games import SavedGame
from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.confidence_intervals import compute_mean_interval

PLACE = 22
TITLE = "How long do players wait?"

FEWEST_TIMED = 20
"""The minimum number of games with times. Times differ less than results, so that fewer games are enough."""

LONG_WAIT = 60
"""The seconds after which a wait is long."""


def answer(table: GameCache) -> Answer | None:
    """Answer from the seconds of the decisions in saved games of people. Return None if no game has any."""
    if not isinstance(table, SavedGameCache):
        return None
    return answer_each_size(table.sizes, lambda players: _answer_size(table, players))


def _answer_size(table: SavedGameCache, players: int) -> Answer | None:
    """Return how long games and waits take, or None without times."""
    timed = [each for each in table.list_games(players) if each.people.seconds]
    if not timed:
        return None
    sample = f"{table.describe_games(len(table.list_games(players)), players=players)}, {len(timed):,} with times"
    command = table.build_fair_command()
    if len(timed) < FEWEST_TIMED:
        return build_unknown(len(timed), sample, command, fewest=FEWEST_TIMED)
    minutes = _measure(
        "minutes", "decision time per game, in minutes", [sum(each.people.seconds) / 60 for each in timed]
    )
    says = [f"The decisions of a game take {format_mean(minutes.value, minutes.interval, 1)} minutes on average."]
    waits = [waits_of_game for each in timed if (waits_of_game := list_waits(each))]
    if len(waits) < FEWEST_TIMED:
        return Answer((*says, "Nobody waits for a second decision often enough."), (minutes,), (command,), sample)
    # Waits of one game depend on each other, so each game counts once.
    wait = _measure("wait", "wait between two decisions, in seconds", [sum(each) / len(each) for each in waits])
    every = [each for waits_of_game in waits for each in waits_of_game]
    long = sum(each > LONG_WAIT for each in every)
    says.append(
        f"Between two of their own decisions, players wait for {format_mean(wait.value, wait.interval, 1)} seconds on "
        f"average, and at most for {max(every):,.0f}. {long:,} of {len(every):,} waits are longer than a minute."
    )
    return Answer(tuple(says), (minutes, wait), (command,), sample)


def list_waits(saved: SavedGame) -> list[float]:
    """Return the seconds that others took between two decisions of the same seat. The game must have times.

    Two decisions in a row are no wait.
    """
    waits: list[float] = []
    waited: dict[int, float] = {}
    last = None
    for (seat, _), seconds in zip(saved.decisions, saved.people.seconds, strict=True):
        if seat in waited and seat != last:
            waits.append(waited[seat])
        for other in waited:
            waited[other] += seconds
        waited[seat], last = 0.0, seat
    return waits


def _measure(identity: str, title: str, values: Sequence[float]) -> Metric:
    """Return the mean of values with its interval, computed in whole thousandths."""
    whole = [round(1_000 * each) for each in values]
    low, high = compute_mean_interval(len(whole), sum(whole), sum(each * each for each in whole), least=0)
    return Metric(identity, title, sum(whole) / len(whole) / 1_000, (low / 1_000, high / 1_000), share=False)
