"""Question: how long do people wait for their next decision, by the clock?"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.analysis.fairness.answer import Answer, answer_each_size, build_unknown, format_mean
from rulewright.analysis.fairness.dependent_games import widen_interval
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
    groups = dict(zip((each.name for each in table.list_games(players)), table.list_groups(players), strict=False))
    if not timed:
        return None
    sample = f"{table.describe_games(len(table.list_games(players)), players=players)}, {len(timed):,} with times"
    command = table.build_fair_command()
    if len(timed) < FEWEST_TIMED:
        return build_unknown(len(timed), sample, command, fewest=FEWEST_TIMED)
    minutes = _measure(
        "minutes",
        "decision time per game, in minutes",
        {each.name: sum(each.people.seconds) / 60 for each in timed},
        groups,
    )
    says = [f"The decisions of a game take {format_mean(minutes.value, minutes.interval, 1)} minutes on average."]
    waits = {each.name: own for each in timed if (own := list_waits(each))}
    if len(waits) < FEWEST_TIMED:
        return Answer((*says, "Nobody waits for a second decision often enough."), (minutes,), (command,), sample)
    # Waits of one game depend on each other, so each game counts once.
    means = {name: sum(own) / len(own) for name, own in waits.items()}
    wait = _measure("wait", "wait between two decisions, in seconds", means, groups)
    every = [each for own in waits.values() for each in own]
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


def _measure(identity: str, title: str, values: Mapping[str, float], groups: Mapping[str, int]) -> Metric:
    """Return the mean of a value of each game with its interval, computed in whole thousandths.

    `groups` has the groups of games that depend on each other, if any do.
    """
    whole = [round(1_000 * each) for each in values.values()]
    low, high = compute_mean_interval(len(whole), sum(whole), sum(each * each for each in whole), least=0)
    metric = Metric(identity, title, sum(whole) / len(whole) / 1_000, (low / 1_000, high / 1_000), share=False)
    return widen_interval(metric, [*values.values()], [groups[name] for name in values if groups], least=0)
