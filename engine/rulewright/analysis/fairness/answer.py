"""The answer to a fairness question, and the format of its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from rulewright.analysis.simulation.metrics import Metric
from rulewright.base.confidence_intervals import Interval, compute_wilson_interval
from rulewright.engine.narration.rich_text import MINUS

FEWEST_GAMES = 100
"""The minimum number of games for a statement about games. With fewer, a share is uncertain by 10 points and more."""


class InBook(Enum):
    """The rulesets whose book may show the answer to a question.

    Answers from games between bots also need enough games, and rules without hidden information.
    """

    NEVER = auto()
    """In no book: the answer compares bots, or is about something other than the rules."""

    EXACT = auto()
    """In every book: the answer is exact and needs no games between bots."""

    PLAYED = auto()
    """Only if the games cover every number of players that is examined."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question, or its part for one number of players.

    Attributes:
        sentences: Complete sentences, of which the first is the answer. If the rules or bots cannot answer the
            question, they explain why.
        metrics: The evidence, each with its confidence interval.
        commands: Shell commands that reproduce the metrics.
        sample: The games that a part rests on, such as "400 games of `greedy`".
        missing: The number of further games that the question needs, or 0 if it is answered.
        change: The text of a rules file with the change that the answer recommends, or empty.
    """

    sentences: tuple[str, ...]
    metrics: tuple[Metric, ...] = ()
    commands: tuple[str, ...] = ()
    sample: str = ""
    missing: int = 0
    change: str = ""

    def __post_init__(self) -> None:
        """Raise `TypeError` unless there are sentences and all parts have their types.

        The letters of a text would count as sentences.
        """
        if not isinstance(self.sentences, tuple) or not self.sentences:
            raise TypeError(f"the sentences of an Answer must be a tuple of at least one text, not {self.sentences!r}")
        self._check_tuple("sentences", str)
        self._check_tuple("metrics", Metric)
        self._check_tuple("commands", str)
        plain: tuple[tuple[str, type], ...] = (("sample", str), ("missing", int), ("change", str))
        for name, kind in plain:
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise TypeError(f"`{name}` of an Answer must be of the type {kind.__name__}, not {value!r}")

    def _check_tuple(self, name: str, kind: type) -> None:
        """Raise `TypeError` unless a part is a tuple of values of this type."""
        values = getattr(self, name)
        if not isinstance(values, tuple) or not all(isinstance(each, kind) for each in values):
            raise TypeError(f"the {name} of an Answer must be a tuple of {kind.__name__}, not {values!r}")


def answer_each_size(sizes: Iterable[int], answer: Callable[[int], Answer | None]) -> Answer | None:
    """Return the answers for each number of players as one, with a paragraph for each.

    Numbers of players with the same sentences share a paragraph. A number of players without an answer is left out.
    Return None if none has one.
    """
    parts = [(players, part) for players in sizes if (part := answer(players)) is not None]
    if not parts:
        return None
    grouped: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for players, part in parts:
        grouped.setdefault((part.sample, part.sentences), []).append(players)
    says = (_describe_sizes(alike, sample) + " ".join(sentences) for (sample, sentences), alike in grouped.items())
    metrics = (_add_size(metric, players) for players, part in parts for metric in part.metrics)
    commands = dict.fromkeys(command for _, part in parts for command in part.commands)
    missing = max(part.missing for _, part in parts)
    change = next((part.change for _, part in parts if part.change), "")
    return Answer(tuple(says), tuple(metrics), tuple(commands), missing=missing, change=change)


def build_unknown(games: int, sample: str, command: str, *, fewest: int = FEWEST_GAMES) -> Answer:
    """Return the answer from fewer games than the question needs."""
    missing = max(1, fewest - games)
    text = f"Not known yet: this takes at least {games + missing:,} games, which is {missing:,} more."
    return Answer((text,), commands=(command,), sample=sample, missing=missing)


def _describe_sizes(sizes: Sequence[int], sample: str) -> str:
    text = f"With {join_words([f'{size:,}' for size in sizes])} player{'' if sizes == [1] else 's'}"
    each = " each" if len(sizes) > 1 else ""
    return f"{text}, in {sample}{each}: " if sample else f"{text}: "


def _add_size(metric: Metric, players: int) -> Metric:
    title = f"{metric.title}, {format_count(players, 'player')}"
    return replace(metric, id=f"{metric.id}.of.{players}", title=title)


def join_words(words: Sequence[str]) -> str:
    """Join words into a list: `1, 2 and 3`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


MEASURE_OVER_TIME = (
    "the ruleset needs a measure that is taken several times in a game. Write one with `per:`, such as "
    "`measures: {best: {is: max(p.points for p in players), per: round}}` if `round` counts the rounds."
)
"""The end of a sentence for rulesets without `per:` in their `measures:`."""


def format_share(share: float) -> str:
    """Format a share as a percentage with at most one decimal: `51.3 %`.

    A share that only rounds to 0 % or 100 % becomes `less than 0.1 %` or `more than 99.9 %`.
    """
    text = f"{100 * share:.1f}"
    if (text == "0.0" and share) or (text == "100.0" and share < 1):
        return "less than 0.1\N{NO-BREAK SPACE}%" if share < 0.5 else "more than 99.9\N{NO-BREAK SPACE}%"
    return f"{text.removesuffix('.0')}\N{NO-BREAK SPACE}%"


def format_points(share: float) -> str:
    """Format a difference of two shares in percentage points: `3.2 percentage points`."""
    number = _format_hundred(share)
    return f"{number} percentage point{'' if number == '1' else 's'}"


def _format_hundred(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0").replace("-", MINUS)


def format_interval(interval: Interval) -> str:
    """Format the interval of a share: `51.3 % to 60 %`."""
    low, high = interval
    return f"{format_share(low)} to {format_share(high)}"


def format_effect(share: float, interval: Interval) -> str:
    """Format a difference of two shares with its interval: `3.2 percentage points (1 to 5.3)`."""
    low, high = map(_format_hundred, interval)
    return f"{format_points(share)} ({low} to {high})"


def format_payoff(payoff: float, digits: int) -> str:
    """Format a mean payoff or another mean: `−0.06`."""
    return f"{payoff:,.{digits}f}".replace("-", MINUS)


def format_mean(mean: float, interval: Interval, digits: int) -> str:
    """Format a mean payoff with its interval: `0.1 (−0.3 to 0.5)`."""
    low, high = (format_payoff(end, digits) for end in interval)
    return f"{format_payoff(mean, digits)} ({low} to {high})"


def describe_rare_payoffs(games: int) -> str:
    """Return a sentence on the payoffs that so many games may have missed, because a rare one can decide the mean."""
    most = format_share(compute_wilson_interval(0, games)[1])
    return f"A payoff that comes up in less than {most} of the games may be missing from these."


def format_count(count: int, one: str, many: str = "") -> str:
    """Format a count with its noun: `1 game`, `2,000 games`. The default plural of `one` adds an `s`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
