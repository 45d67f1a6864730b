"""What a question about a game is answered with."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.analysis.simulation.metrics import Metric


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question.

    `says` are whole sentences, the first of which is the answer; `figures` are what they rest on, each with its
    interval, and `commands` give those figures again. A question that these rules or bots leave without an answer says
    why, and has no figures.
    """

    sentences: tuple[str, ...]
    metrics: tuple[Metric, ...] = ()
    commands: tuple[str, ...] = field(default=())


def format_share(share: float) -> str:
    """Return a share as readers are told it: `51.3 %`. Neither 0 nor 100 unless it is."""
    shown = f"{100 * share:.1f}"
    if (shown == "0.0" and share) or (shown == "100.0" and share < 1):
        return "less than 0.1\N{NO-BREAK SPACE}%" if share < 0.5 else "more than 99.9\N{NO-BREAK SPACE}%"
    return f"{shown.removesuffix('.0')}\N{NO-BREAK SPACE}%"


def format_count(count: int, one: str, many: str = "") -> str:
    """Return so many of a thing: `1 game`, `2,000 games`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
