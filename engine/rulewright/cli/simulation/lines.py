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
    return f"  {fitted(name, name_width())}{part:>10,} of {whole:<10,}{value:>8.2%}  {between(interval)}"


def between(interval: Sequence[float]) -> str:
    """The interval of a share."""
    return f"({interval[0]:.2%} to {interval[1]:.2%})"


def plain_between(interval: Sequence[float] | None) -> str:
    """The interval of a mean."""
    return f"({interval[0]:,.2f} to {interval[1]:,.2f})" if interval is not None else ""


def means_head(title: str) -> str:
    """What stands above lines of means."""
    return f"{title:<{name_width() + 2}}{'mean':>9}  {'interval':<20}{'least':>7}{'median':>7}{'most':>7}"


def mean(name: str, found: dict[str, Any]) -> str:
    """A mean with its interval, and the least, median and most."""
    return (
        f"  {fitted(name, name_width())}{found['mean']:>9,.2f}  {plain_between(found['interval']):<20}"
        f"{found['least']:>7,}{found['median']:>7,}{found['most']:>7,}"
    )


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
            f"{point['games']:>8,}"
        )
    return lines
