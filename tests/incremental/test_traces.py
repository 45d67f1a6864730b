"""A stored result is used again exactly if all that was read has the same digest; whatever the order of the changes."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.base.incremental.reads import Memo, Read, note_read, note_reads, record_reads
from rulewright.base.incremental.series import MOST_STATES
from rulewright.base.incremental.traces import MOST_TABLES, MOST_TRACES, NoTraces, Traces

NAMES = "abcd"


@dataclass
class World:
    """Some numbers that are read by name."""

    numbers: dict[str, int]
    asked: list[Read] = field(default_factory=list)
    series: str = "numbers"

    def get_digest(self, read: Read) -> str:
        self.asked.append(read)
        return str(self.numbers.get(str(read)))

    def is_plain(self, read: Read) -> bool:
        return read != "d"

    def read(self, name: str) -> int:
        note_read(name)
        return self.numbers[name]


def follow(world: World, start: str, steps: int) -> int:
    """Read a number, which says what to read next: what is read depends on what was read."""
    total, at = 0, start
    for _ in range(steps):
        total += world.read(at)
        at = NAMES[world.numbers[at] % len(NAMES)]
    return total


def fetch(traces: Traces, world: World, start: str, steps: int) -> int:
    return traces.fetch(("follow", start, steps), world, lambda: follow(world, start, steps))


STATES = st.lists(st.fixed_dictionaries({name: st.integers(0, 3) for name in NAMES}), min_size=1, max_size=40)


@given(STATES, st.lists(st.tuples(st.sampled_from(NAMES), st.integers(1, 4)), min_size=1, max_size=6))
def test_every_result_is_the_one_of_a_fresh_start(states: list[dict[str, int]], asked: list[tuple[str, int]]) -> None:
    traces = Traces()
    for numbers in states:
        world = World(numbers)
        for start, steps in asked:
            assert fetch(traces, world, start, steps) == follow(world, start, steps)


@given(STATES, st.sampled_from(NAMES), st.integers(1, 4))
def test_only_a_change_of_what_was_read_is_computed_again(states: list[dict[str, int]], start: str, steps: int) -> None:
    traces, seen = Traces(), set()
    for numbers in states[:MOST_TRACES]:
        world = World(numbers)
        with record_reads() as reads:
            follow(world, start, steps)
        known = tuple((str(read), world.get_digest(read)) for read in reads)
        before = traces.work["follow"]
        fetch(traces, world, start, steps)
        assert (traces.work["follow"] == before) == (known in seen)
        seen.add(known)


def test_what_comes_back_is_still_known() -> None:
    traces = Traces()
    for number in (1, 2, 1, 3, 2, 1):
        fetch(traces, World({"a": number, "b": 0, "c": 0, "d": 0}), "a", 1)
    assert traces.work["follow"] == 3


def test_a_changed_read_ends_the_comparison() -> None:
    traces = Traces()
    fetch(traces, World({"a": 3, "b": 2, "c": 0, "d": 0}), "a", 2)
    later = World({"a": 2, "b": 2, "c": 0, "d": 0})
    assert traces.find(("follow", "a", 2), later) is None
    assert set(later.asked) == {"a"}, "what was read after it may not even exist now"


def test_the_states_of_several_series_are_told_apart() -> None:
    traces = Traces()
    for number in range(6):
        for series in ("one", "two"):
            world = World({"a": number if series == "one" else 0, "b": 0, "c": 0, "d": 0}, series=series)
            assert fetch(traces, world, "a", 1) == (number if series == "one" else 0)
    assert traces.work["follow"] == 6


def test_a_result_that_nobody_asked_for_in_between_is_compared_with_all_changes() -> None:
    for away in (1, 2, MOST_STATES - 1, MOST_STATES, MOST_STATES + 1):
        traces = Traces()
        fetch(traces, World({"a": 1, "b": 1}), "a", 1)
        for state in range(away):
            # Another result keeps the series going.
            fetch(traces, World({"a": 2 if state == 0 else 3, "b": state}), "b", 1)
        assert fetch(traces, World({"a": 3, "b": 0}), "a", 1) == 3
        assert fetch(traces, World({"a": 1, "b": 0}), "a", 1) == 1


def test_a_series_that_has_compared_too_much_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.base.incremental.series.MOST_READS", 2)
    traces = Traces()
    for number in range(20):
        world = World({name: (number // 3 + place) % 5 for place, name in enumerate(NAMES)})
        for start in NAMES:
            assert fetch(traces, world, start, 3) == follow(world, start, 3)


def test_who_uses_a_result_reads_what_it_has_read() -> None:
    traces, world = Traces(), World(dict.fromkeys(NAMES, 1))
    fetch(traces, world, "a", 2)
    with record_reads() as outer:
        fetch(traces, world, "a", 2)
    assert list(outer) == ["a", "b"]


def test_the_stored_results_are_bounded() -> None:
    traces = Traces(most=3)
    for start in NAMES:
        for number in range(10):
            fetch(traces, World({**dict.fromkeys(NAMES, 0), start: number}), start, 1)
    assert len({key for key, _ in traces}) == 3
    assert len(list(traces)) == 3 * MOST_TRACES
    assert {key for key, _ in traces} == {("follow", start, 1) for start in NAMES[1:]}


def test_the_tables_are_bounded() -> None:
    traces = Traces()
    first = traces.open_table(1, lambda: [1])
    for key in range(2, MOST_TABLES + 1):
        traces.open_table(key, lambda: [2])
    assert traces.open_table(1, lambda: [3]) is first
    for key in range(100, 100 + MOST_TABLES):
        traces.open_table(key, lambda: [4])
    assert traces.open_table(1, lambda: [5]) == [5]


def test_an_exception_leaves_nothing_behind() -> None:
    traces, world = Traces(), World({"a": 1})
    for _ in range(2):
        with pytest.raises(KeyError):
            fetch(traces, world, "a", 2)
    assert list(traces) == []
    assert traces.work["follow"] == 2
    with record_reads() as after:
        pass
    assert not after, "the recording that failed has ended"


def test_a_result_that_is_not_to_be_kept_is_computed_each_time() -> None:
    traces, world = Traces(), World(dict.fromkeys(NAMES, 1))
    for number in (1, 2):
        assert traces.fetch(("odd", 1), world, lambda: world.read("a"), keep=lambda value: value > 1) == 1
        assert traces.work["odd"] == number


def test_a_result_that_does_not_fit_is_computed_anew() -> None:
    traces, world = Traces(), World(dict.fromkeys(NAMES, 1))
    for fits, number in ((True, 1), (True, 1), (False, 2), (True, 2)):
        traces.fetch(("some", 1), world, lambda: world.read("a"), fits=lambda _, fits=fits: fits)
        assert traces.work["some"] == number


def test_no_traces_compute_everything_and_record_nothing() -> None:
    traces, world = NoTraces(), World(dict.fromkeys(NAMES, 1))
    assert [fetch(traces, world, "a", 2) for _ in range(2)] == [2, 2]
    assert list(traces) == []
    assert world.asked == []


def test_inner_recordings_are_part_of_the_outer_ones_unless_alone() -> None:
    with record_reads() as outer:
        note_read("one")
        with record_reads() as inner:
            note_reads(["two", "three"])
        with record_reads(alone=True) as alone:
            note_read("four")
    assert (list(outer), list(inner), list(alone)) == (["one", "two", "three"], ["two", "three"], ["four"])


def test_a_memo_tells_everyone_what_its_result_has_read() -> None:
    memo, world = Memo(), World(dict.fromkeys(NAMES, 1))

    def get() -> int:
        return memo.get("sum", lambda: follow(world, "a", 2))

    assert get() == 2  # nothing is recorded, so its reads are not known
    for _ in range(2):
        with record_reads() as reads:
            assert get() == 2
        assert list(reads) == ["a", "b"]
