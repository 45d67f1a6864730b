"""A comparison of two simulations: as data, and as text."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from rulewright.cli.simulation.lines import fitted
from rulewright.cli.terminal import can_show, width

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.simulate.compare import Move

METHOD = (
    "Both rulesets played the same seeds in the same seats, and are compared game by game. Intervals hold 95 % each. "
    "Moved means that it is no noise by a paired t test, adjusted for all figures together by Holm's method (5 %)."
)


Alone: TypeAlias = tuple[list[str], list[str]]
"""What only the first ruleset measures, and what only the second does: by title, and compared with nothing."""


def alone(first: Ruleset, second: Ruleset) -> Alone:
    """The titles of the measures that only one of two rulesets has."""
    from rulewright.simulate.figures import measure_titles

    titles, others = measure_titles(first), measure_titles(second)
    return (
        [title for name, title in titles.items() if name not in others],
        [title for name, title in others.items() if name not in titles],
    )


def data(first: str, second: str, games: int, moves: Sequence[Move], only: Alone) -> dict[str, Any]:
    """The comparison as data."""
    from rulewright.simulate.report import finite

    return {
        "ruleset": first,
        "compared_with": second,
        "games": games,
        "method": METHOD,
        "only_first": only[0],
        "only_second": only[1],
        "moves": [
            {
                "figure": move.id,
                "title": move.title,
                "first": move.first,
                "second": move.second,
                "difference": move.difference,
                "interval": finite(move.interval),
                "chance": move.chance,
                "adjusted": move.adjusted,
                "moved": move.moved,
            }
            for move in moves
        ],
    }


def text(first: str, second: str, games: int, moves: Sequence[Move], only: Alone) -> list[str]:
    """The comparison as text: what moved first."""
    import textwrap

    room = max(14, width() - 66)
    found = [
        f"{first} → {second}" if can_show("→") else f"{first} -> {second}",
        f"{games:,} {'pair' if games == 1 else 'pairs'} of games",
        "",
    ]
    found.append(f"  {'':<{room}}{'first':>9} {'second':>9} {'change':>9}  {'interval':<21}{'chance':>8}")
    for title, wanted in (("moved", True), ("within noise", False)):
        group = [move for move in moves if move.moved == wanted]
        found.append(title if group else f"{title}: nothing")
        for move in sorted(group, key=lambda each: each.adjusted):
            form = "{:.2%}" if move.share else "{:,.2f}"
            signed = "{:+.2%}" if move.share else "{:+,.2f}"
            low, high = (signed.format(each) for each in move.interval)
            interval = f"{low} to {high}" if all(map(isfinite, move.interval)) else "none yet"
            found.append(
                f"  {fitted(move.title, room)}{form.format(move.first):>9} {form.format(move.second):>9}"
                f" {signed.format(move.difference):>9}  {interval:<21}{_chance(move.adjusted):>8}"
            )
    for reference, titles in zip((first, second), only, strict=True):
        if titles:
            said = f"only {reference} measures: {', '.join(titles)}"
            found += textwrap.wrap(said, width(), subsequent_indent="  ")
    return [*found, "", *textwrap.wrap(METHOD, width())]


def _chance(chance: float) -> str:
    return "<0.0001" if chance < 0.0001 else f"{chance:.4f}"
