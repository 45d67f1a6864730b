"""Differences between two rulesets in sentences a player understands, with the odds that moved."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import SECTIONS, Change, Line
from rulewright.book.changes.fallback import fallback_line
from rulewright.book.changes.figures import moved_figures
from rulewright.book.changes.sections import LINES, WHOLE
from rulewright.book.changes.side import Pair, Side
from rulewright.ruleset.difference import Difference, differences
from rulewright.ruleset.ruleset import Ruleset


def changes(before: Ruleset, after: Ruleset) -> list[Change]:
    """The changes from `before` to `after`, rule by rule, in the order of the sections.

    A figure that only leans on another one that changed is told where it moved, too.
    """
    pair = Pair(Side(before), Side(after))
    grouped: dict[tuple[str, str], list[Difference]] = {rule: [] for rule in moved_figures(pair)}
    for difference in differences(before, after):
        grouped.setdefault(difference.rule, []).append(difference)
    order = list(SECTIONS)
    found = [_change(pair, rule, group) for rule, group in grouped.items()]
    return sorted((change for change in found if change.lines), key=lambda change: order.index(change.section))


def _change(pair: Pair, rule: tuple[str, str], group: list[Difference]) -> Change:
    section, identity = rule
    whole = next((d for d in group if len(d.path) == 2 and d.what in ("added", "removed")), None)
    what: str = whole.what if whole is not None else "changed"
    if whole is not None:
        lines = list(WHOLE[section](pair.side(what), identity, whole))
    else:
        lines = list(LINES[section](pair, identity, group))
        lines += _left(pair, group, lines)
        if section == "terms" and lines and all(line.what == "renamed" for line in lines):
            what = "renamed"
    title = pair.side(what).title(section, identity) if identity else "Order"
    return Change(section, identity, title, what, tuple(dict.fromkeys(lines)))


def _left(pair: Pair, group: list[Difference], lines: list[Line]) -> Iterator[Line]:
    """Lines for what no other line speaks of, so that nothing that differs is passed over."""
    covered = [path for line in lines for path in line.covers]
    for difference in group:
        if not any(difference.path[: len(path)] == path for path in covered):
            yield fallback_line(pair, difference)
