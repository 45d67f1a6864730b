"""A sweep: its main figures for each value, as data and as text."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from rulewright.cli.chart import bar
from rulewright.cli.simulation.lines import NO_INTERVAL, fitted
from rulewright.cli.terminal import can_show, width

if TYPE_CHECKING:
    from rulewright.simulate.figures import Figure
    from rulewright.simulate.overlay import Value

Turn = tuple[tuple["Value", ...], str, int, dict[str, "Figure"]]
"""The values, the digest of the gameplay with them, the games played, and what came of it."""


def data(ruleset: str, turns: Sequence[Turn]) -> dict[str, Any]:
    """The sweep as data."""
    from rulewright.simulate.report import finite

    return {
        "ruleset": ruleset,
        "sweep": [
            {
                "values": dict(values),
                "digest": digest,
                "games": games,
                "figures": {
                    figure.id: {"title": figure.title, "value": figure.value, "interval": finite(figure.interval)}
                    for figure in figures.values()
                },
            }
            for values, digest, games, figures in turns
        ],
    }


def text(title: str, turns: Sequence[Turn]) -> list[str]:
    """The sweep as text: for each figure a curve over the values."""
    labels = [_label(values, alone=len(values) == 1) for values, _, _, _ in turns]
    games = {games for _, _, games, _ in turns}
    over = ", ".join(path for path, _ in turns[0][0])
    found = [title, f"{over}: {' to '.join(f'{each:,}' for each in sorted({min(games), max(games)}))} games a value"]
    columns = min(max(map(len, labels), default=0), 32)
    room = width() - columns - 36
    for name in _in_all(turns):
        figures = [turn[3][name] for turn in turns]
        most = max(abs(figure.value) for figure in figures) or 1.0
        found += ["", figures[0].title]
        for label, figure in zip(labels, figures, strict=True):
            form = "{:.2%}" if figure.share else "{:,.2f}"
            value, low, high = (form.format(each) for each in (figure.value, *figure.interval))
            interval = f"({low} to {high})" if all(map(isfinite, figure.interval)) else NO_INTERVAL
            part = Fraction(max(0.0, figure.value) / most)
            drawn = bar(part, room, blocks=can_show("█▏")) if part else ""
            found.append(f"  {fitted(label, columns)} {drawn:<{room}} {value:>9}  {interval}")
    return found


def _in_all(turns: Sequence[Turn]) -> list[str]:
    first = turns[0][3]
    wanted = [name for name in first if all(name in turn[3] for turn in turns)]
    # A bot that sits in every seat wins what there is to win, whatever the rules.
    alone = sum(name.startswith("wins.") for name in wanted) == 1
    return [name for name in wanted if not (alone and name.startswith("wins."))]


def _label(values: tuple[Value, ...], *, alone: bool) -> str:
    return values[0][1] if alone else ", ".join(f"{path.rpartition('.')[2]}={text}" for path, text in values)
