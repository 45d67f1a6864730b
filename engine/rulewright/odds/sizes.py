"""The size of an option: a number is its own, a list has a length, anything else has none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.odds.graph import ONE, Settled


def extreme(options: Sequence[Any], *, greatest: bool) -> Settled:
    """The first of the options with the greatest size, or with the least."""
    sizes = [_size(option) for option in options]
    known = [size for size in sizes if size is not None]
    if not known:
        return Settled([(0, ONE)])
    return Settled([(sizes.index(max(known) if greatest else min(known)), ONE)])


def _size(option: Any) -> int | None:
    if isinstance(option, tuple):
        return len(option)
    return option if type(option) is int else None
