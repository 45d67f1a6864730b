"""A text bar chart of a distribution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from rulewright.base.number_format import format_interval, format_percent

if TYPE_CHECKING:
    from rulewright.dice.exact.compute_distribution import Distribution

MOST_ROWS = 40
"""The maximum number of bars. If there are more outcomes, bars show ranges of them."""

_RARE = Fraction(1, 2000)
_EIGHTHS = "▏▎▍▌▋▊▉█"


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One bar with its minimum and maximum value, its probability, and the probability of at least its minimum."""

    least: int
    greatest: int
    chance: Fraction
    at_least: Fraction


Interval = Callable[[Fraction], tuple[float, float]]
"""A function from a sampled probability to its confidence interval."""


def draw_chart(
    distribution: Distribution,
    *,
    width: int,
    blocks: bool,
    yes_no: bool = False,
    interval: Interval | None = None,
    decimals: int = 2,
    at_most: bool = False,
) -> list[str]:
    """Return the lines of a chart: the titles of its columns, then a bar for each outcome.

    Above `MOST_ROWS` outcomes, a bar may join several, and an empty line and a note about this follow.

    Args:
        distribution: The distribution to draw.
        width: The width of the chart in columns. Lines may be wider, because a bar keeps 8 columns.
        blocks: Whether the terminal can show block characters.
        yes_no: Whether to label 0 and 1 as no and yes, for comparisons.
        interval: The function from a probability to its confidence interval, or None if the chances are exact.
        decimals: The number of decimals of percentages.
        at_most: Whether the last column shows "at most" instead of "at least".
    """
    room = max(7, decimals + 5)
    rows, note = _rows(distribution)
    labels = [_label(row, dash="–" if blocks else "-", yes_no=yes_no) for row in rows]
    label_width = max(map(len, labels))
    columns = f"{'chance':>{room}}" + ("" if interval is None else f"  {'between':>15}")
    columns += "" if yes_no else f"  {'at most' if at_most else 'at least':>{room + 1}}"
    bar_width = max(8, width - label_width - len(columns) - 4)
    most = max(row.chance for row in rows)
    lines = [" " * (label_width + bar_width + 4) + columns]
    for row, label in zip(rows, labels, strict=True):
        drawn = draw_bar(row.chance / most, bar_width, blocks=blocks)
        line = f"{label:>{label_width}}  {drawn:{bar_width}}  {format_percent(row.chance, decimals):>{room}}"
        line += "" if interval is None else f"  {format_interval(interval(row.chance)):>15}"
        reached = 1 - row.at_least + row.chance if at_most else row.at_least
        lines.append(line if yes_no else f"{line}  {format_percent(reached, decimals):>{room + 1}}")
    return [*lines, "", note] if note else lines


def _label(row: ChartRow, *, dash: str, yes_no: bool) -> str:
    if yes_no:
        return ("no", "yes")[row.least]
    return str(row.least) if row.least == row.greatest else f"{row.least}{dash}{row.greatest}"


def draw_bar(share: Fraction, width: int, *, blocks: bool) -> str:
    """Return a bar for `share` of `width`, with at least one mark."""
    if not blocks:
        return "#" * max(1, round(share * width))
    eighths = max(1, round(share * width * 8))
    return "█" * (eighths // 8) + (_EIGHTHS[eighths % 8 - 1] if eighths % 8 else "")


def _rows(distribution: Distribution) -> tuple[list[ChartRow], str]:
    """Return the bars and a note on joined outcomes, which is empty without any."""
    outcomes = distribution.outcomes
    if len(outcomes) <= MOST_ROWS:
        chances = distribution.iterate_items()
        return [
            ChartRow(outcome, outcome, chance, distribution.compute_at_least(outcome)) for outcome, chance in chances
        ], ""
    # Group the rare outcomes at each end in one bar, to leave room for the others.
    low, high = distribution.find_quantile(_RARE), distribution.find_quantile(1 - _RARE)
    step = _round_step((high - low) // (MOST_ROWS - 3) + 1)
    edges = [outcomes[0], *range((low // step + 1) * step, high + 1, step), outcomes[-1] + 1]
    rows: list[ChartRow] = []
    for least, beyond in pairwise(edges):
        above = distribution.compute_at_least(least)
        chance = above - distribution.compute_at_least(beyond)
        if chance:
            rows.append(ChartRow(least, beyond - 1, chance, above))
    joined = f"in steps of {step}, " if step > 1 else ""
    return rows, f"{len(outcomes)} outcomes, shown {joined}with the rare ones at both ends grouped."


def _round_step(least: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50, … that is at least `least`."""
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if step >= least:
                return step
        power *= 10
