"""The answer to a fairness question, and the format of its numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from rulewright.analysis.simulation.metrics import Metric


class InBook(Enum):
    """The rulesets whose book may show the answer to a question.

    Answers from games between bots also need enough games, and rules without hidden information.
    """

    NEVER = auto()
    """In no book: the answer compares bots, or is about something other than the rules."""

    EXACT = auto()
    """In every book: the answer is exact and needs no games between bots."""

    ONE_SIZE = auto()
    """Only for games with one fixed number of players, because simulations cover only the smallest number."""

    TURN_ORDER = auto()
    """Only for games without chance before the first decision, because their seats are then the turn order."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question.

    `sentences` are complete sentences, and the first one is the answer. `metrics` are the evidence, each with a
    confidence interval. `commands` are shell commands that reproduce the metrics. If the rules or bots cannot answer
    the question, `sentences` explain why and `metrics` is empty.
    """

    sentences: tuple[str, ...]
    metrics: tuple[Metric, ...] = ()
    commands: tuple[str, ...] = field(default=())


def format_share(share: float) -> str:
    """Format a share as a percentage with at most one decimal: `51.3 %`.

    A share that only rounds to 0 % or 100 % becomes `less than 0.1 %` or `more than 99.9 %`.
    """
    shown = f"{100 * share:.1f}"
    if (shown == "0.0" and share) or (shown == "100.0" and share < 1):
        return "less than 0.1\N{NO-BREAK SPACE}%" if share < 0.5 else "more than 99.9\N{NO-BREAK SPACE}%"
    return f"{shown.removesuffix('.0')}\N{NO-BREAK SPACE}%"


def format_count(count: int, one: str, many: str = "") -> str:
    """Format a count with its noun: `1 game`, `2,000 games`. The default plural of `one` adds an `s`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
