"""What functions keep of the versions of a thing: the latest, and no more of one thing for being changed often."""

from __future__ import annotations

import gc
from collections.abc import Callable
from threading import Thread
from weakref import ref

import pytest

from rulewright.base.incremental.latest_results import MOST_NAMES, MOST_VERSIONS, keep_latest
from rulewright.source.files.safe_read import DEFAULT_LIMITS
from rulewright.source.yaml.yaml_reader import read_once


def count(calls: list[tuple[str, int]]) -> Callable[[str, int], str]:
    """Return a function that notes each of its calls in `calls`."""

    @keep_latest(lambda name, version: name)
    def describe(name: str, version: int) -> str:
        calls.append((name, version))
        return f"{name} {version}"

    return describe


def test_the_latest_versions_are_kept_and_older_ones_are_not() -> None:
    calls: list[tuple[str, int]] = []
    describe = count(calls)
    for version in range(MOST_VERSIONS + 1):
        assert describe("one", version) == f"one {version}"
    calls.clear()
    for version in range(1, MOST_VERSIONS + 1):
        assert describe("one", version) == f"one {version}"
    assert calls == []
    describe("one", 0)
    assert calls == [("one", 0)]


def test_a_version_that_comes_back_stays_longest() -> None:
    calls: list[tuple[str, int]] = []
    describe = count(calls)
    for version in range(20):
        describe("one", -1)
        describe("one", version)
    assert calls.count(("one", -1)) == 1


def test_changes_of_one_thing_leave_the_others_alone() -> None:
    calls: list[tuple[str, int]] = []
    describe = count(calls)
    for number in range(MOST_NAMES - 1):
        describe(f"{number}", 0)
    for version in range(1_000):
        describe("edited", version)
    calls.clear()
    for number in range(MOST_NAMES - 1):
        describe(f"{number}", 0)
    assert calls == []


def test_there_is_a_limit_to_the_number_of_things() -> None:
    calls: list[tuple[str, int]] = []
    describe = count(calls)
    for number in range(MOST_NAMES + 1):
        describe(f"{number}", 0)
    calls.clear()
    describe("1", 0)
    describe("0", 0)
    assert calls == [("0", 0)]


def test_a_failed_call_is_made_again() -> None:
    calls = []

    @keep_latest(lambda name: name)
    def fail(name: str) -> str:
        calls.append(name)
        raise ValueError(name)

    for _ in range(2):
        with pytest.raises(ValueError, match="one"):
            fail("one")
    assert calls == ["one", "one"]


def test_a_function_may_call_itself() -> None:
    @keep_latest(lambda number: "all")
    def add_up(number: int) -> int:
        return number + add_up(number - 1) if number else 0

    assert add_up(20) == sum(range(21))


def test_threads_may_call_at_once() -> None:
    describe = count([])
    wrong: list[str] = []

    def ask() -> None:
        for number in range(3_000):
            text = describe(f"{number % 300}", number % 7)
            if text != f"{number % 300} {number % 7}":
                wrong.append(text)

    threads = [Thread(target=ask) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []


def test_the_nodes_of_replaced_texts_are_dropped() -> None:
    roots = [ref(read_once(f"numbers: {{goal: {number}}}\n", "edited.yaml", DEFAULT_LIMITS)) for number in range(50)]
    gc.collect()
    assert sum(root() is not None for root in roots) == MOST_VERSIONS
