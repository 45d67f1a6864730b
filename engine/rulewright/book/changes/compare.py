"""Differences between two rulesets in sentences a player understands, with the odds that moved."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import PLAYED, SECTIONS, Change, Line
from rulewright.book.changes.fallback import fallback_line
from rulewright.book.changes.figures import moved_figures
from rulewright.book.changes.formulas import for_bots
from rulewright.book.changes.readers import Readers
from rulewright.book.changes.sections import teller
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.weight import weigh
from rulewright.ruleset.queries.difference import Difference, differences
from rulewright.ruleset.ruleset import Ruleset


def changes(before: Ruleset, after: Ruleset) -> list[Change]:
    """The changes from `before` to `after`, in the order of the sections; in each, what a player notices comes first.

    A figure that only leans on another one that changed is told where it moved, too.
    """
    pair = Pair(Side(before), Side(after))
    grouped: dict[tuple[str, str], list[Difference]] = {rule: [] for rule in moved_figures(pair)}
    for difference in differences(before, after):
        grouped.setdefault(difference.rule, []).append(difference)
    order = list(SECTIONS)
    readers = Readers(before), Readers(after)
    found = [_change(pair, rule, group, readers) for rule, group in grouped.items()]
    return sorted(
        (change for change in found if change.lines), key=lambda change: (order.index(change.group), -change.weight)
    )


def _change(pair: Pair, rule: tuple[str, str], group: list[Difference], readers: tuple[Readers, Readers]) -> Change:
    section, identity = rule
    path = f"{section}.{identity}"
    whole = next((d for d in group if len(d.path) == 2 and d.what in ("added", "removed")), None)
    what: str = whole.what if whole is not None else "changed"
    if whole is not None:
        lines = list(teller(section).whole(pair.side(what), identity, whole))
    else:
        lines = list(teller(section).lines(pair, identity, group))
        lines += _left(pair, group, lines)
        if section == "terms" and lines and all(line.what == "renamed" for line in lines):
            what = "renamed"
    title = pair.side(what).title(section, identity) if identity else "Order"
    sides = {"added": readers[1:], "removed": readers[:1]}.get(what, readers)
    bots = section in PLAYED and all(path in side.only_bots for side in sides)
    told = tuple(dict.fromkeys(for_bots(lines) if bots else lines))
    weight = weigh(section, what, told, max(side.count(path) for side in sides))
    return Change(section, identity, title, what, told, bots, weight)


def _left(pair: Pair, group: list[Difference], lines: list[Line]) -> Iterator[Line]:
    """Lines for what no other line speaks of, so that nothing that differs is passed over."""
    covered = [path for line in lines for path in line.covers]
    for difference in group:
        if not any(difference.path[: len(path)] == path for path in covered):
            yield fallback_line(pair, difference)
