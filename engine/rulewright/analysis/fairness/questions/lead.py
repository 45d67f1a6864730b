"""Question: does the player in the lead go on to win, or can another one come back?"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.analysis.fairness.answer import (
    FEWEST_GAMES,
    MEASURE_OVER_TIME,
    Answer,
    InBook,
    answer_each_size,
    build_unknown,
    format_count,
    format_share,
)
from rulewright.analysis.fairness.dependent_games import widen_interval
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.seat_measures import MEASURE, with_seat_measures
from rulewright.analysis.simulation.game_counts import Counts
from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.ruleset.overlay import find_node
from rulewright.source.nodes import Scalar

PLACE = 30
TITLE = "Can a player come back from behind?"
IN_BOOK = InBook.PLAYED

MOMENTS = 6
"""The maximum number of reported moments. At least one game in ten goes beyond the last one."""

ENOUGH = 30
"""A moment is reported only if at least this many games go beyond it."""

DECISIVE, MEANS_LITTLE = 0.6, 0.2
"""How much more often than by chance an early leader wins if the lead is decisive, and the maximum difference from
chance, in either direction, if a lead halfway through means little. 0 is chance, and 1 is always: 0.6 is 80 % of the
games of two players."""

Standings = list[tuple[int, tuple[int, ...]]]
"""The moments of a game, each with the values of all players by seat, the winner's first."""


def answer(table: GameCache) -> Answer | None:
    """Answer from the values (`evaluate:`) of good players at the moments of the first measure over time.

    Without `evaluate:`, or without such a measure, the answer explains this. Return None for one player and if no game
    was played.
    """
    ruleset = table.ruleset
    if ruleset.players[1] < 2:
        return None
    if ruleset.evaluate is None:
        return Answer(("The ruleset cannot tell who is in the lead, because it has no `evaluate:`.",))
    clock = next((measure.id for measure in ruleset.measures.values() if measure.per is not None), None)
    if clock is None:
        return Answer((f"To compare the players during a game, {MEASURE_OVER_TIME}",))
    per = find_node(ruleset, f"measures.{clock}.per")
    assert isinstance(per, Scalar)
    return answer_each_size(table.sizes, lambda players: _answer_size(table, players, per.text))


def _answer_size(table: GameCache, players: int, per: str) -> Answer | None:
    """Return the answer for so many players, or None if no game was played. `per` is the expression of the moments.

    Raises `DiagnosticError` if `evaluate` is not an integer of a player, and `RulewrightError` if the rules fail in
    play.
    """
    assert table.ruleset.evaluate is not None
    measured = with_seat_measures(table.ruleset, table.ruleset.evaluate, players, per=per)
    played = [list_moments(each.counts, players) for each in table.play_each(measured, (table.good,) * players)]
    if not played:
        return None
    described = table.describe_games(len(played), players=players)
    # A game without a decision is only seen when it is over.
    games = [game for game in played if len(game) > 1]
    groups = [group for game, group in zip(played, table.list_groups(players), strict=False) if len(game) > 1]
    if len(games) < FEWEST_GAMES:
        if len(played) < FEWEST_GAMES:
            return build_unknown(len(played), described, table.build_fair_command())
        text = f"Only {format_count(len(games), 'game')} with one winner had a moment before the end to look at."
        return Answer((text,), sample=described)
    moments, halfway = list_leaders(games, groups), measure_halfway(games, groups)
    behind = [any(values[0] < max(values) for _, values in game[:-1]) for game in games]
    back = _build_share("behind", "the winner was behind at some point", behind, groups)
    says = [
        f"In {format_share(back.value)} of the {format_count(len(games), 'game')} with one winner, the winner was "
        "behind at some point."
    ]
    if halfway is not None:
        says.append(f"The leader halfway through the game wins {format_share(halfway.value)}.")
    if moments:
        listed = [f"at {each.id.rpartition('.')[2]}, {format_share(each.value)}" for each in (moments[0], moments[-1])]
        says.append(f"The leader wins of the games that go on: {'; '.join(dict.fromkeys(listed))}.")
    says += judge_leads(moments, halfway, players)
    results = (*moments, *([halfway] if halfway is not None else []), back)
    return Answer(tuple(says), results, (table.build_fair_command(),), described)


def judge_leads(moments: Sequence[Metric], halfway: Metric | None, players: int) -> list[str]:
    """Return a sentence on what a lead is worth, or none if the intervals leave it open.

    `moments` and `halfway` are the shares of wins of the leaders, the earliest moment first.
    """
    if moments and _scale(moments[0].interval[0], players) > DECISIVE:
        return ["An early lead is decisive: the player who is ahead early usually wins."]
    low, high = (0.0, 1.0) if halfway is None else (_scale(end, players) for end in halfway.interval)
    if low > -MEANS_LITTLE and high < MEANS_LITTLE:
        return ["A lead halfway through means little: any player may still win."]
    if high < 0:
        return ["A lead halfway through is a disadvantage: the leader wins less often than an even share."]
    return []


def _scale(share: float, players: int) -> float:
    """Return a share of wins on a scale from 0 (an even share) to 1 (all games)."""
    return (share - 1 / players) / (1 - 1 / players)


def list_moments(counts: Counts, players: int) -> Standings:
    """Return the moments of one game, each with the values of the eventual winner and of the others.

    The list is empty unless exactly one player has won.
    """
    if sum(counts.wins_by_seat) != 1:
        return []
    winner = counts.wins_by_seat.index(1)
    seats = [winner, *(seat for seat in range(players) if seat != winner)]
    series = [counts.series.get(f"{MEASURE}{seat}", {}) for seat in seats]
    return [(moment, tuple(values[moment][0] for values in series)) for moment in sorted(series[0])]


def list_leaders(games: Sequence[Standings], groups: Sequence[int] = ()) -> list[Metric]:
    """Return, for up to `MOMENTS` moments, how often the leader at the moment won the games that went beyond it.

    Games that are tied at the moment do not count. Moments with too few games are left out, so the result may be empty.
    `groups` has the group of each game, if games depend on each other.
    """
    led: dict[int, list[tuple[bool, int]]] = {}
    for number, game in enumerate(games):
        for moment, values in game[:-1]:
            if values.count(max(values)) == 1:
                led.setdefault(moment, []).append((values[0] == max(values), groups[number] if groups else number))
    least = max(ENOUGH, len(games) // 10)
    moments = [moment for moment in sorted(led) if len(led[moment]) >= least]
    return [
        _build_share(
            f"lead.{moment}",
            f"the leader at {moment:,} wins",
            [won for won, _ in led[moment]],
            [group for _, group in led[moment] if groups],
        )
        for moment in moments[:: max(1, -(-len(moments) // MOMENTS))]
    ]


def measure_halfway(games: Sequence[Standings], groups: Sequence[int] = ()) -> Metric | None:
    """Return how often the leader at the middle moment of a game wins. None if too few games have a leader then.

    `groups` is that of `list_leaders`.
    """
    middle = [game[(len(game) - 1) // 2][1] for game in games]
    led = [number for number, values in enumerate(middle) if values.count(max(values)) == 1]
    if len(led) < ENOUGH:
        return None
    won = [middle[number][0] == max(middle[number]) for number in led]
    return _build_share("lead.halfway", "the leader halfway wins", won, [groups[number] for number in led if groups])


def _build_share(identity: str, title: str, won: Sequence[bool], groups: Sequence[int]) -> Metric:
    games, wins = len(won), sum(won)
    metric = Metric(identity, title, wins / games, compute_wilson_interval(wins, games), share=True)
    return widen_interval(metric, won, groups)
