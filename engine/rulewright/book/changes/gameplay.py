"""The part of a comparison that changes how the game is played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulewright.book.changes.change import Change


def only_gameplay(changes: Iterable[Change]) -> list[Change]:
    """The changes without what is only words or looks: of a rule both change, only the lines that matter in play."""
    kept = (replace(change, lines=tuple(line for line in change.lines if not line.words)) for change in changes)
    return [change for change in kept if change.lines]
