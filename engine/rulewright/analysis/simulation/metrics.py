"""The metrics of a simulation: shares and means with confidence intervals, and stopping rules for their width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite

from rulewright.analysis.simulation.game_counts import Counts
from rulewright.base.confidence_intervals import Interval, compute_mean_interval, compute_wilson_interval
from rulewright.base.errors import RulewrightError
from rulewright.engine.narration.plain_names import Names
from rulewright.language.expressions.narrowing import is_never_negative
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.diagnostics.suggestions import suggest_name


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with its 95 % confidence interval. It is a share of 1 if `share` is true, or else a mean.

    With `points`, the share is the difference of two shares, and therefore shown in percentage points.
    """

    id: str
    title: str
    value: float
    interval: Interval
    share: bool
    points: bool = False

    def __post_init__(self) -> None:
        """Raise `TypeError` unless the value and the ends of the interval are numbers, and the title is a text."""
        numbers = (self.value, *self.interval) if isinstance(self.interval, tuple) else ()
        if len(numbers) != 3 or not all(isinstance(number, (int, float)) for number in numbers):
            raise TypeError(f"a Metric needs a number and an interval of two, not {self.value!r} and {self.interval!r}")
        if not isinstance(self.title, str):
            raise TypeError(f"the title of a Metric must be a text, not {self.title!r}")

    @property
    def width(self) -> float:
        """The width of the confidence interval."""
        return self.interval[1] - self.interval[0]


def list_metrics(counts: Counts, ruleset: Ruleset) -> dict[str, Metric]:
    """Return every metric of a simulation by id. Without games, all values are 0.

    The ids are `wins.<policy>`, `seat.<number>`, `seat_edge`, `draws`, `shared`, `unfinished`, `decisions` and
    `measures.<measure>`.
    """
    metrics: list[Metric] = []

    def share(identity: str, title: str, part: int, whole: int) -> None:
        metrics.append(
            Metric(identity, title, part / whole if whole else 0.0, compute_wilson_interval(part, whole), share=True)
        )

    def mean(identity: str, title: str, values: Counter[int], least: float) -> None:
        count, total, squares = sum_powers(values)
        value = total / count if count else 0.0
        metrics.append(
            Metric(identity, title, value, compute_mean_interval(count, total, squares, least=least), share=False)
        )

    for policy, wins in sorted(counts.wins_by_policy.items()):
        share(f"wins.{policy}", f"wins of {policy}", wins, counts.games_by_policy[policy])
    for seat, wins in enumerate(counts.wins_by_seat, 1):
        share(f"seat.{seat}", f"wins of seat {seat}", wins, counts.games)
    metrics.append(compute_seat_edge(counts.wins_by_seat, counts.games))
    share("draws", "draws", counts.draws, counts.games)
    share("shared", "shared wins", counts.shared, counts.games)
    share("unfinished", "games without an end", counts.unfinished, counts.games)
    mean("decisions", "decisions", counts.lengths, 0)
    titles = measure_titles(ruleset)
    for name, measure in ruleset.measures.items():
        values = counts.measures.get(name, Counter[int]())
        if measure.is_share:
            share(f"measures.{name}", titles[name], values[1], sum(values.values()))
        else:
            mean(f"measures.{name}", titles[name], values, find_minimum(ruleset, name))
    return {metric.id: metric for metric in metrics}


SHARED_NOTE = "A shared win counts for each of its winners, so win rates can add up to more than 100 %."
"""What reports say about win rates if there are shared wins."""


def compute_win_share(counts: Counts, first: str, second: str) -> Metric:
    """Return the share of games that one bot wins, of those that either of two bots wins."""
    wins, losses = counts.wins_by_policy[first], counts.wins_by_policy[second]
    interval = compute_wilson_interval(wins, wins + losses)
    title = f"{first} against {second}"
    return Metric(title, title, wins / (wins + losses) if wins + losses else 0.0, interval, share=True)


def compute_seat_edge(wins: Sequence[int], games: int) -> Metric:
    """Return the largest seat advantage: how far the win rate of any seat is from an even share.

    The even share is the average win rate of all seats, which is one half for two players without draws. The interval
    covers every seat, so a small upper end limits the advantage of all of them. It treats the even share as exact, so
    draws and shared wins can only make it too wide. With one seat, the advantage is 0.
    """
    edges, ends = [0.0], [(0.0, 0.0)]
    even = sum(wins) / (len(wins) * games) if games else 0.0
    for won in wins if len(wins) > 1 else ():
        low, high = (end - even for end in compute_wilson_interval(won, games))
        edges.append(abs(won / games - even) if games else 0.0)
        ends.append((0.0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high))))
    interval = max(low for low, _ in ends), min(1.0, max(high for _, high in ends))
    return Metric("seat_edge", "seat advantage", max(edges), interval, share=True)


def find_minimum(ruleset: Ruleset, measure: str) -> float:
    """Return the minimum of a measure: 0 if it is never negative, or else minus infinity."""
    return 0 if is_never_negative(ruleset.measures[measure].value, ruleset.declarations) else -inf


def measure_titles(ruleset: Ruleset) -> dict[str, str]:
    """Return the title of each measure for readers, by id."""
    names = Names(ruleset)
    return {measure.id: names.format_words(measure.title) for measure in ruleset.measures.values()}


def find_metric(metrics: Mapping[str, Metric], name: str) -> Metric:
    """Return the metric with the id `name`, or the only one whose id ends in `.name`.

    Raises `RulewrightError` if no metric matches, or more than one.
    """
    fitting = [f for f in metrics.values() if name in (f.id, f.id.partition(".")[2])]
    if len(fitting) != 1:
        hint = suggest_name(name, [*metrics, *(each.partition(".")[2] for each in metrics)])
        raise RulewrightError(f"there is no metric `{name}`; {hint or 'there is ' + ', '.join(metrics)}")
    return fitting[0]


def name_leading_metric(policies: tuple[str, ...]) -> str:
    """Return the id of the main win rate: that of the first bot, or of seat 1 if all bots are the same."""
    return f"wins.{policies[0]}" if len(set(policies)) > 1 else "seat.1"


def sum_powers(values: Mapping[int, int]) -> tuple[int, int, int]:
    """Return the number of values, their sum, and the sum of their squares. `values` has the count of each value."""
    return (
        sum(values.values()),
        sum(value * count for value, count in values.items()),
        sum(value * value * count for value, count in values.items()),
    )


BAD_UNTIL = Code(
    "bad-until",
    "An invalid width",
    "A run stops as soon as the confidence interval of a metric is narrower than a width.",
    "Write `0.02` for the win rate of the first bot, or `<metric>=<width>`, such as `decisions=1.5`.",
)


@dataclass(frozen=True, slots=True)
class Until:
    """A condition to stop a run when the confidence interval of a metric is no wider than `width`.

    An empty `metric` means the main win rate (`name_leading_metric`).
    """

    metric: str
    width: float

    def is_reached(self, counts: Counts, ruleset: Ruleset, policies: tuple[str, ...]) -> tuple[bool, Metric]:
        """Return whether the condition is true, and the metric.

        Raises `RulewrightError` for an unknown metric, or for a width above 1 if the metric is a share.
        """
        metric = find_metric(list_metrics(counts, ruleset), self.metric or name_leading_metric(policies))
        if metric.share:
            _refuse_above_one(self.width, f"{self.width:g}", f"{self.metric}=" if self.metric else "")
        return metric.width <= self.width, metric


def parse_until(text: str) -> Until:
    """Parse `WIDTH` or `METRIC=WIDTH`. Raises `DiagnosticError` with the code `bad-until` for an invalid width.

    >>> parse_until("decisions=1.5")
    Until(metric='decisions', width=1.5)

    The width of a share is itself a share, so a bare `5` is an error. The author may have meant a percentage (`5%`).
    """
    metric, _, written = text.rpartition("=")
    try:
        width = float(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    except ValueError:
        width = 0.0
    if not (isfinite(width) and width > 0):
        offset = len(text) - len(written)
        span = make_argument_node(text).position(offset, len(written) or 1)
        raise DiagnosticError([Diagnostic(BAD_UNTIL, f"`{written}` is not a width above 0", span)])
    if not metric:
        _refuse_above_one(width, written)
    return Until(metric.strip(), width)


def _refuse_above_one(width: float, written: str, metric: str = "") -> None:
    """Raise `DiagnosticError` if the width of a share is above 1."""
    if width <= 1:
        return
    percent = f"write `{metric}{width:g}%` or `{metric}{width / 100:g}`" if width <= 100 else None
    message = f"`{written}` is not a width for a share: it must be above 0 and at most 1"
    span = make_argument_node(metric + written).position(len(metric), len(written))
    raise DiagnosticError([Diagnostic(BAD_UNTIL, message, span, (), percent)])
