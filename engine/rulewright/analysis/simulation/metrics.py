"""The figures of a simulation by name: each a share or a mean, with its interval, and when that is narrow enough."""

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
    """A figure: `share` says that it is a part of 1, else it is a mean."""

    id: str
    title: str
    value: float
    interval: Interval
    share: bool

    @property
    def width(self) -> float:
        """How wide the interval is."""
        return self.interval[1] - self.interval[0]


def list_metrics(counts: Counts, ruleset: Ruleset) -> dict[str, Metric]:
    """Return every figure by id: `wins.<policy>`, `seat.<number>`, `seat_edge`, `draws`, `unfinished`, `decisions`.

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
    share("unfinished", "games without an end", counts.unfinished, counts.games)
    mean("decisions", "decisions", counts.lengths, 0)
    titles = measure_titles(ruleset)
    for name in titles:
        mean(f"measures.{name}", titles[name], counts.measures.get(name, Counter()), find_minimum(ruleset, name))
    return {figure.id: figure for figure in metrics}


def compute_seat_edge(wins: Sequence[int], games: int) -> Metric:
    """Return the seat advantage: the largest distance of a seat's win rate from an even share.

    An even share is the average win rate of all seats, which is half for two players without draws. The confidence
    interval includes that of every seat, so a small advantage is only certain if it is certain for every seat. The
    even share is treated as exact. With draws or shared wins this makes the interval too wide, and never too narrow.
    A solo game has no advantage.
    """
    edges, ends = [0.0], [(0.0, 0.0)]
    even = sum(wins) / (len(wins) * games) if games else 0.0
    for won in wins if len(wins) > 1 else ():
        low, high = (end - even for end in compute_wilson_interval(won, games))
        edges.append(abs(won / games - even) if games else 0.0)
        ends.append((0.0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high))))
    interval = max(low for low, _ in ends), min(1.0, max(high for _, high in ends))
    return Metric("seat_edge", "edge of a seat", max(edges), interval, share=True)


def find_minimum(ruleset: Ruleset, measure: str) -> float:
    """Return the smallest possible value of a measure: 0 for a count, or minus infinity if it is unknown."""
    return 0 if is_never_negative(ruleset.measures[measure].value, ruleset.declarations) else -inf


def measure_titles(ruleset: Ruleset) -> dict[str, str]:
    """Return the title of each measure."""
    names = Names(ruleset)
    return {measure.id: names.format_words(measure.title) for measure in ruleset.measures.values()}


def find_metric(figures: Mapping[str, Metric], name: str) -> Metric:
    """Return the metric with this id, or with this part of its id after the first dot.

    Raises `RulewrightError` if there is none.
    """
    fitting = [f for f in figures.values() if name in (f.id, f.id.partition(".")[2])]
    if len(fitting) != 1:
        hint = suggest_name(name, [*figures, *(each.partition(".")[2] for each in figures)])
        raise RulewrightError(f"there is no metric `{name}`; {hint or 'there is ' + ', '.join(figures)}")
    return fitting[0]


def name_leading_metric(policies: tuple[str, ...]) -> str:
    """Return the id of the main win rate of a run: of the first bot, or of the first seat if all bots are equal."""
    return f"wins.{policies[0]}" if len(set(policies)) > 1 else "seat.1"


def sum_powers(values: Mapping[int, int]) -> tuple[int, int, int]:
    """Return how many values, their sum, and the sum of their squares."""
    return (
        sum(values.values()),
        sum(value * count for value, count in values.items()),
        sum(value * value * count for value, count in values.items()),
    )


BAD_UNTIL = Code(
    "bad-until",
    "A width that cannot be read",
    "A run stops as soon as the confidence interval of a metric is narrower than a width.",
    "Write `0.02` for the win rate of the first bot, or `<metric>=<width>`, such as `decisions=1.5`.",
)


@dataclass(frozen=True, slots=True)
class Until:
    """Stop when the interval of `figure` (empty: the win rate the run is about) is no wider than `width`."""

    metric: str
    width: float

    def is_reached(self, counts: Counts, ruleset: Ruleset, policies: tuple[str, ...]) -> tuple[bool, Metric]:
        """Return whether it is, and the figure. Raises `RulewrightError` if there is no such figure."""
        metric = find_metric(list_metrics(counts, ruleset), self.metric or name_leading_metric(policies))
        if metric.share:
            _refuse_above_one(self.width, f"{self.width:g}", f"{self.metric}=" if self.metric else "")
        return metric.width <= self.width, metric


def parse_until(text: str) -> Until:
    """Return a target written as `WIDTH` or `METRIC=WIDTH`. Raises `DiagnosticError` with the code `bad-until`.

    >>> parse_until("decisions=1.5")
    Until(figure='decisions', width=1.5)

    The width of a share must be at most 1, because `5` may have been meant as a percentage.
    """
    figure, _, written = text.rpartition("=")
    try:
        width = float(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    except ValueError:
        width = 0.0
    if not (isfinite(width) and width > 0):
        offset = len(text) - len(written)
        span = make_argument_node(text).position(offset, len(written) or 1)
        raise DiagnosticError([Diagnostic(BAD_UNTIL, f"`{written}` is not a width above 0", span)])
    if not figure:
        _refuse_above_one(width, written)
    return Until(figure.strip(), width)


def _refuse_above_one(width: float, written: str, figure: str = "") -> None:
    """Refuse the width of a share that is more than all there is. Raises `DiagnosticError`."""
    if width <= 1:
        return
    percent = f"write `{figure}{width:g}%` or `{figure}{width / 100:g}`" if width <= 100 else None
    message = f"`{written}` is not a width for a share: it must be above 0 and at most 1"
    span = make_argument_node(figure + written).position(len(figure), len(written))
    raise DiagnosticError([Diagnostic(BAD_UNTIL, message, span, (), percent)])
