"""A few inputs of each fuzzer, the same every time; `make fuzz` tries as many as there is time for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.breadth import times
from tests.fuzz import caches, dice, expressions, grammar, hosts, rulesets, saves, stops
from tests.fuzz.mutate import Trial, tried

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FUZZERS: dict[str, tuple[Trial, int]] = {
    "caches": (caches.trial, 40),
    "dice": (dice.trial, times(300, 10_000)),
    "expressions": (expressions.trial, 60),
    "grammar": (grammar.trial, times(300, 10_000)),
    "rulesets": (rulesets.trial, 40),
    "saves": (saves.trial, 100),
    "stops": (stops.trial, times(1, 400)),
}


@pytest.mark.parametrize("name", FUZZERS)
def test_nothing_is_found(name: str) -> None:
    trial, count = FUZZERS[name]
    assert tried(trial, seed="tests", count=count) == count


@pytest.mark.browser
def test_nothing_is_found_in_other_hosts(browser: Browser) -> None:
    there, count = hosts.Hosts(browser), times(1, 400)
    try:
        assert tried(there.trial, seed="tests", count=count) == count
    finally:
        there.close()
