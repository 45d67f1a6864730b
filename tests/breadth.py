"""How much of one kind the tests look at.

`make test` shows each kind of fact once or a few times; `make thorough` (the profile `thorough`) goes through all there
is. Where a test names a few of many, it says beside them why these are enough: what they have in common with the rest.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

Each = TypeVar("Each")

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
"""Whether this run looks at everything."""


def some(every: Sequence[Each], few: Sequence[Each]) -> Sequence[Each]:
    """`few` of `every`; when thorough, `every`. The few must be among them, so that none is named that is gone."""
    assert few, "nothing would be looked at"
    assert all(each in every for each in few), "some of these are gone"
    return every if THOROUGH else few


def spread(every: Sequence[Each], count: int) -> Sequence[Each]:
    """Return `count` of `every`, the first and then evenly on, the same in each run; when thorough, `every`."""
    if THOROUGH or len(every) <= count:
        return every
    return [every[number * len(every) // count] for number in range(count)]


def times(usual: int, thorough: int) -> int:
    """Return how often to repeat what only differs by its seed."""
    return thorough if THOROUGH else usual
