"""Work goes on step by step: the most urgent first, and nothing that newer work has replaced."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event, Thread

import pytest

from rulewright.base.errors import RulewrightError
from rulewright.base.scheduler import MOMENT, Scheduler, Urgency


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def scheduler(clock: Clock) -> Scheduler:
    return Scheduler(clock=clock, sleep=clock.sleep)


@pytest.fixture
def done() -> list[str]:
    return []


def work(done: list[str], name: str, steps: int = 2, rest: float | None = None) -> Iterator[float | None]:
    try:
        for step in range(steps):
            done.append(f"{name} {step}")
            yield rest
    finally:
        done.append(f"{name} ends")


def run_all(scheduler: Scheduler) -> None:
    scheduler.run_until(lambda: False)


def test_the_most_urgent_work_goes_on_between_any_two_steps(scheduler: Scheduler, done: list[str]) -> None:
    scheduler.put("all", work(done, "all"))
    scheduler.put("panel", work(done, "panel", 1), Urgency.SHOWN)
    scheduler.run_step()
    scheduler.put("open", work(done, "open", 1), Urgency.OPEN)
    scheduler.put("later", work(done, "later", 1))
    run_all(scheduler)
    assert done == [
        *("panel 0", "open 0", "open ends", "panel ends"),
        *("all 0", "all 1", "all ends", "later 0", "later ends"),
    ]


def test_replaced_work_goes_no_further(scheduler: Scheduler, done: list[str]) -> None:
    scheduler.put("check", work(done, "old"))
    scheduler.put("never", work(done, "never"))
    scheduler.run_step()
    scheduler.put("check", work(done, "new", 1))
    assert scheduler.cancel("never")
    assert not scheduler.cancel("never")
    run_all(scheduler)
    assert done == ["old 0", "old ends", "new 0", "new ends"]


def test_work_may_replace_itself(scheduler: Scheduler, done: list[str]) -> None:
    def replace() -> Iterator[None]:
        scheduler.put("check", work(done, "new", 1))
        yield
        done.append("too late")

    scheduler.put("check", replace())
    run_all(scheduler)
    assert done == ["new 0", "new ends"]


def test_resting_work_lets_less_urgent_work_go_on(scheduler: Scheduler, clock: Clock, done: list[str]) -> None:
    scheduler.put("slow", work(done, "slow", 2, rest=5), Urgency.OPEN)
    scheduler.put("rest", work(done, "rest", 1), rest=2)
    run_all(scheduler)
    assert done == ["slow 0", "rest 0", "rest ends", "slow 1", "slow ends"]
    assert clock.now == 10
    assert scheduler.run_step() is None


def test_nothing_less_urgent_begins_while_somebody_waits(scheduler: Scheduler, done: list[str]) -> None:
    told: list[None] = []
    scheduler.put("rest", work(done, "rest", 1))
    scheduler.put("open", work(done, "open", 1), Urgency.OPEN)
    scheduler.on_change = lambda: told.append(None)
    with scheduler.do_first(Urgency.SHOWN):
        run_all(scheduler)
        assert done == ["open 0", "open ends"]
        assert told == []
    assert told == [None]
    run_all(scheduler)
    assert done == ["open 0", "open ends", "rest 0", "rest ends"]


def test_waiting_ends_with_the_work_that_is_waited_for(scheduler: Scheduler, clock: Clock, done: list[str]) -> None:
    scheduler.put("one", work(done, "one"))
    assert scheduler.run_until(lambda: "one 0" in done)
    assert done == ["one 0"]
    scheduler.put("slow", work(done, "slow", 2, rest=9))
    assert not scheduler.run_until(lambda: "slow 1" in done, patience=3)
    assert clock.now == 3


def test_nobody_sleeps_long_while_another_thread_runs_a_step(clock: Clock) -> None:
    begun, go_on = Event(), Event()

    def go_slowly() -> Iterator[None]:
        begun.set()
        assert go_on.wait(60)
        yield

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        go_on.set()
        other.join(60)

    own = Scheduler(clock=clock, sleep=sleep)
    own.put("one", go_slowly())
    own.put("later", go_slowly(), rest=3_600)
    other = Thread(target=lambda: [own.run_step(), own.run_step()])
    other.start()
    assert begun.wait(60)
    assert own.run_until(lambda: "one" not in own)
    assert clock.now == MOMENT


def test_a_failing_step_ends_its_work_alone(
    scheduler: Scheduler, done: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(error: Exception) -> Iterator[None]:
        raise error
        yield

    scheduler.put("the refused work", fail(RulewrightError("no")))
    scheduler.put("the faulty work", fail(ValueError("oh")))
    scheduler.put("other", work(done, "other", 1))
    run_all(scheduler)
    assert done == ["other 0", "other ends"]
    error_text = capsys.readouterr().err
    assert "the faulty work failed" in error_text
    assert "refused" not in error_text
