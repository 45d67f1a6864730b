"""The exact odds of a roll in a few lines, for hover texts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulewright.dice.ast import Roll
from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.compute_distribution import Distribution, compute_distribution
from rulewright.dice.format_notation import format_roll
from rulewright.dice.limits import DiceLimits
from rulewright.language.declarations import Table

_LIMITS = DiceLimits()
_MOST_BARS = 16
_WIDTH = 24
_EIGHTHS = "▏▎▍▌▋▊▉█"


def compute_odds(roll: Roll) -> Distribution | None:
    """Return the exact distribution of a roll, or None if it is too expensive for a hover text."""
    try:
        return compute_distribution(roll, limits=_LIMITS)
    except DiceError:
        return None


def describe_roll(roll: Roll) -> list[str]:
    """Return the lines about a roll: the notation, the range, the mean, and a chart.

    Just the notation if its odds take too long to compute. A roll with a single result has no chart.
    """
    odds = compute_odds(roll)
    if odds is None:
        return [f"`{format_roll(roll)}`"]
    least, most = odds.outcomes[0], odds.outcomes[-1]
    head = f"`{format_roll(roll)}`: {least} to {most}, on average {number(odds.mean)}"
    return [head, *_chart(_bars(odds))] if least != most else [f"`{format_roll(roll)}`: always {least}"]


def describe_table(table: Table) -> list[str]:
    """Return a chart of the chances of a roll table's first rows, up to `_MOST_BARS`.

    Empty for other tables, and if the odds take too long to compute.
    """
    result = compute_odds(table.roll) if table.roll is not None else None
    if result is None:
        return []
    rows = [
        (row.id, sum((result.get_probability(face) for face in row.faces), Fraction(0))) for row in table.rows.values()
    ]
    return _chart(rows)


def describe_mean(roll: Roll) -> str | None:
    """Return the mean of a roll as a short text, or None if it has only one result or is too expensive."""
    odds = compute_odds(roll)
    if odds is None or len(odds.outcomes) == 1:
        return None
    return number(odds.mean)


def number(value: Fraction) -> str:
    """Return a number with at most two decimals.

    >>> number(Fraction(65, 2)), number(Fraction(7)), number(Fraction(1, 3))
    ('32.5', '7', '0.33')
    """
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def _bars(distribution: Distribution) -> list[tuple[str, Fraction]]:
    """Return the chance of each outcome, or of ranges of outcomes if there are too many."""
    together = -(-len(distribution.outcomes) // _MOST_BARS)
    bars = []
    for start in range(0, len(distribution.outcomes), together):
        some = distribution.outcomes[start : start + together]
        label = str(some[0]) if len(some) == 1 else f"{some[0]}–{some[-1]}"
        bars.append((label, sum((distribution.get_probability(each) for each in some), Fraction(0))))
    return bars


def _chart(bars: Sequence[tuple[str, Fraction]]) -> list[str]:
    """Return a bar for each of the first `_MOST_BARS` chances, as a Markdown code block. Empty for no bars."""
    if not bars:
        return []
    bars = bars[:_MOST_BARS]
    room = max(len(label) for label, _ in bars)
    most = max(chance for _, chance in bars) or Fraction(1)
    lines = [f"{label:>{room}} {_bar(chance / most):<{_WIDTH}} {float(100 * chance):5.1f} %" for label, chance in bars]
    return ["```text", *lines, "```"]


def _bar(share: Fraction) -> str:
    eighths = round(share * _WIDTH * 8)
    return "█" * (eighths // 8) + (_EIGHTHS[eighths % 8 - 1] if eighths % 8 else "")
