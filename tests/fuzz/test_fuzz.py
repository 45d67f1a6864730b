"""A few inputs of each fuzzer, the same every time; `make fuzz` tries as many as there is time for."""

from __future__ import annotations

import pytest

from tests.fuzz import caches, dice, expressions, rulesets, saves
from tests.fuzz.mutate import Trial, tried

FUZZERS: dict[str, tuple[Trial, int]] = {
    "caches": (caches.trial, 40),
    "dice": (dice.trial, 300),
    "expressions": (expressions.trial, 60),
    "rulesets": (rulesets.trial, 40),
    "saves": (saves.trial, 100),
}


@pytest.mark.parametrize("name", FUZZERS)
def test_nothing_is_found(name: str) -> None:
    trial, count = FUZZERS[name]
    assert tried(trial, seed="tests", count=count) == count
