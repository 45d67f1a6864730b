"""Question: does the player in the lead go on to win, or can the other one come back?"""

from __future__ import annotations

from collections.abc import Sequence

import yaml

from rulewright.analysis.fairness.answer import Answer, InBook, format_count, format_share
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.simulation.game_counts import Counts
from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.ruleset.overlay import find_node, lay_over
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Scalar

PLACE = 30
TITLE = "Can a player come back from behind?"
IN_BOOK = InBook.ONE_SIZE

MEASURE = "lead_at_a_moment"
"""The id of the measure that `with_lead` adds to the rules: the first player's lead."""

MOMENTS = 6
"""The maximum number of reported moments. At least one game in ten goes beyond the last one."""

ENOUGH = 30
"""A moment is reported only if at least this many games go beyond it."""


def answer(table: GameCache) -> Answer:
    """Answer from the values (`evaluate:`) of two good players at the moments of the first measure over time.

    Without `evaluate:`, without such a measure, or if two players are not the smallest table, the answer explains this.
    """
    ruleset = table.ruleset
    if ruleset.evaluate is None:
        return Answer(("The ruleset cannot tell who is in the lead, because it has no `evaluate:`.",))
    clock = next((measure.id for measure in ruleset.measures.values() if measure.per is not None), None)
    if clock is None:
        return Answer(("The ruleset has no moments to compare (`per:` in its `measures:`).",))
    if table.fewest != 2:
        return Answer(("This question is only for games of two players, which this game does not allow.",))
    games = [game for game in map(list_moments, table.play_each(with_lead(ruleset, clock), (table.good,) * 2)) if game]
    if not games:
        return Answer(("There are too few games with a winner to tell.",))
    result = _moments(games)
    behind = sum(any(lead < 0 for _, lead in game) for game in games)
    back = Metric(
        "behind",
        "the winner was behind at some point",
        behind / len(games),
        compute_wilson_interval(behind, len(games)),
        True,
    )
    says = []
    if result:
        first, last = result[0], result[-1]
        says.append(
            f"The leader at {first.id.rpartition('.')[2]} wins {format_share(first.value)} of the games that "
            "go on from there"
            + (
                f", and the leader at {last.id.rpartition('.')[2]} wins {format_share(last.value)}."
                if last != first
                else "."
            )
        )
        if first.interval[0] > 0.8:
            says.append("An early lead snowballs: the player who is ahead early usually wins.")
        elif last.interval[1] < 0.6:
            says.append("A lead means little: either player may still win.")
    says.append(
        f"In {format_share(back.value)} of {format_count(len(games), 'decisive game')}, the winner was behind "
        "at some point."
    )
    return Answer(tuple(says), (*result, back))


def with_lead(ruleset: Ruleset, clock: str) -> Ruleset:
    """Build a new ruleset that adds a measure of the first player's lead over the last one, with the id `MEASURE`.

    The measure is taken at the same moments as the measure `clock`. The ruleset must have `evaluate:`.
    """
    per = find_node(ruleset, f"measures.{clock}.per")
    assert isinstance(per, Scalar)
    one, other = (
        f"sum({ruleset.evaluate}(somebody) for somebody in players if somebody == {which}(players))"
        for which in ("first", "last")
    )
    measure = {"is": f"{one} - {other}", "per": per.text, "title": "Lead", "means": "The first player's lead."}
    return lay_over(ruleset, yaml.safe_dump({"measures": {MEASURE: measure}}, width=10_000))


def list_moments(counts: Counts) -> list[tuple[int, int]]:
    """Return the moments of one game, each with the lead of the eventual winner.

    The list is empty unless exactly one player has won.
    """
    if sum(counts.wins_by_seat) != 1:
        return []
    sign = 1 if counts.wins_by_seat[0] else -1
    return [(moment, sign * values[0]) for moment, values in sorted(counts.series.get(MEASURE, {}).items())]


def _moments(games: Sequence[Sequence[tuple[int, int]]]) -> list[Metric]:
    """Return, for up to `MOMENTS` moments, how often the leader at the moment won the games that went beyond it.

    Games that are tied at the moment do not count. Moments with too few games are left out, so the result may be empty.
    """
    led: dict[int, list[int]] = {}
    for game in games:
        for moment, lead in game[:-1]:
            if lead:
                led.setdefault(moment, [0, 0])[lead < 0] += 1
    least = max(ENOUGH, len(games) // 10)
    moments = [moment for moment in sorted(led) if sum(led[moment]) >= least]
    metrics = []
    for moment in moments[:: max(1, -(-len(moments) // MOMENTS))]:
        won, lost = led[moment]
        title = f"the leader at {moment:,} wins"
        metrics.append(
            Metric(f"lead.{moment}", title, won / (won + lost), compute_wilson_interval(won, won + lost), share=True)
        )
    return metrics
