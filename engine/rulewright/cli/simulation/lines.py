"""Lines of a report: shares, means, bars, curves; never wider than the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rulewright.cli.chart import bar
from rulewright.cli.terminal import can_show, width
from rulewright.simulate.report import common

MOST_MOMENTS = 12
"""Lines a measure over time is shown in."""

NO_INTERVAL = "(one game has none)"
"""What stands for the interval of a mean where it takes two games to tell of one."""

_OF_ALL = ("least", "median", "most")


def name_width() -> int:
    """The columns that names take: what figures leave."""
    return max(16, width() - 55)


def fitted(text: str, columns: int) -> str:
    """Text that takes just so many columns."""
    if len(text) <= columns:
        return f"{text:<{columns}}"
    return text[: columns - 1] + ("…" if can_show("…") else "~")


def share(name: str, part: int, whole: int, interval: Sequence[float]) -> str:
    """A part of a whole, with its interval."""
    value = part / whole if whole else 0.0
    return f"  {fitted(name, name_width())} {part:>9,} of {whole:<10,}{value:>8.2%}  {between(interval)}"


def between(interval: Sequence[float]) -> str:
    """The interval of a share."""
    return f"({interval[0]:.2%} to {interval[1]:.2%})"


def plain_between(interval: Sequence[float] | None) -> str:
    """The interval of a mean."""
    return f"({interval[0]:,.2f} to {interval[1]:,.2f})" if interval is not None else NO_INTERVAL


def means(title: str, found: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
    """Means by name, each with its interval, and the least, median and most; as many columns as the widest takes."""
    rows = [
        (f"{each['mean']:,.2f}", plain_between(each["interval"]), *(f"{each[key]:,}" for key in _OF_ALL))
        for _, each in found
    ]
    head = ("mean", "interval", *_OF_ALL)
    # Before each figure is a blank at least; an interval has two before it.
    least = (9, 20, 7, 7, 7)
    columns = [max(narrow, *(len(row[at]) + (at != 1) for row in (head, *rows))) for at, narrow in enumerate(least)]
    names = max(16, name_width() - sum(columns) + sum(least))
    lines = [f"{title:<{names + 2}}{_cells(head, columns)}"]
    return lines + [
        f"  {fitted(name, names)}{_cells(row, columns)}" for (name, _), row in zip(found, rows, strict=True)
    ]


def _cells(row: Sequence[str], columns: Sequence[int]) -> str:
    mean, interval, *others = row
    rest = "".join(f"{cell:>{width}}" for cell, width in zip(others, columns[2:], strict=True))
    return f"{mean:>{columns[0]}}  {interval:<{columns[1]}}{rest}"


def bars(title: str, found: Sequence[dict[str, int]]) -> list[str]:
    """A histogram."""
    most = max((each["games"] for each in found), default=0)
    labels = [str(each["from"]) if each["from"] == each["to"] else f"{each['from']}-{each['to']}" for each in found]
    columns = max(map(len, labels), default=0)
    room = width() - columns - 14
    lines = [title]
    for label, each in zip(labels, found, strict=True):
        drawn = bar(Fraction(each["games"], most), room, blocks=can_show("█▏")) if each["games"] else ""
        lines.append(f"  {label:>{columns}} {drawn:<{room}} {each['games']:>9,}")
    return lines


def curve(title: str, points: Sequence[dict[str, Any]]) -> list[str]:
    """A measure over the course of a game: the mean at a dozen moments, of the games that came so far."""
    points = common(points)
    step = max(1, -(-len(points) // MOST_MOMENTS))
    chosen = points[::step]
    most = max((point["mean"] for point in chosen), default=0.0) or 1.0
    room = width() - 51
    lines = [f"{title + ' over time':<{room + 10}}{'mean':>9}  {'interval':<20}{'games':>8}"]
    for point in chosen:
        part = Fraction(max(0.0, point["mean"]) / most)
        drawn = bar(part, room, blocks=can_show("█▏")) if part else ""
        lines.append(
            f"  {point['at']:>6} {drawn:<{room}} {point['mean']:>9,.2f}  {plain_between(point['interval']):<20}"
            f" {point['games']:>7,}"
        )
    return lines
