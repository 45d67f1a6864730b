"""A scheduler without threads: whoever has time calls `run_step`, and the most urgent work goes on by one step.

Work is an iterator. Each step does a part of it and yields how many seconds to rest before the next one, or None to go
on as soon as nothing is more urgent. New work replaces unfinished work of the same name, so nothing outdated is
finished. An event loop, a thread or the worker of a browser may drive the same work.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from threading import Lock

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, report_failure

Work = Iterator[float | None]
"""Work in steps, with the seconds to rest after each."""


MOMENT = 0.02
"""The number of seconds after which to look again whether another thread has ended its step."""


class Urgency(IntEnum):
    """What comes first: the diagnostics of open files, then what the user looks at, then everything else."""

    OPEN = 0
    SHOWN = 1
    REST = 2


@dataclass(slots=True, eq=False)
class _Task:
    """Unfinished work. `due` is the time of its next step, and `number` counts the tasks."""

    work: Work
    urgency: Urgency
    number: int
    due: float


class Scheduler:
    """Unfinished work by name. `on_change` is called after work was added.

    Any thread may add work and run steps, of which one runs at a time. Steps that fail end their work: an unexpected
    exception is reported, a `RulewrightError` is not.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.on_change: Callable[[], object] = lambda: None
        self._lock = Lock()
        self._clock, self._sleep = clock, sleep
        self._tasks: dict[Hashable, _Task] = {}
        self._replaced: deque[Work] = deque()
        self._begun = 0
        self._busy: deque[Urgency] = deque()

    def put(self, name: Hashable, work: Work, urgency: Urgency = Urgency.REST, *, rest: float = 0.0) -> None:
        """Add work, in place of unfinished work of the same name. Its first step is due after `rest` seconds."""
        self.cancel(name)
        self._begun += 1
        self._tasks[name] = _Task(work, urgency, self._begun, self._clock() + rest)
        self.on_change()

    def cancel(self, name: Hashable) -> bool:
        """Drop the work of this name, and return whether it was unfinished. A step that is running ends first."""
        task = self._tasks.pop(name, None)
        if task is not None:
            self._replaced.append(task.work)
        return task is not None

    def __contains__(self, name: Hashable) -> bool:
        return name in self._tasks

    @contextmanager
    def do_first(self, urgency: Urgency) -> Iterator[None]:
        """Begin no step that is less urgent than what runs in the block. Calls `on_change` at its end."""
        self._busy.append(urgency)
        try:
            yield
        finally:
            self._busy.remove(urgency)
            self.on_change()

    def run_step(self, *, wait: bool = True) -> float | None:
        """Run a step of the most urgent work that is due: of equally urgent work, the one that was added first.

        Returns how many seconds later to call again, or None if there is nothing to do until `on_change`. While another
        thread runs a step, it does nothing unless it is to `wait`. Work that raises an exception is dropped: silently
        for a `RulewrightError`, with a report on stderr for any other `Exception`.
        """
        if not self._lock.acquire(blocking=wait):
            return MOMENT
        try:
            while self._replaced:
                close = getattr(self._replaced.popleft(), "close", None)
                if close is not None:
                    close()
            least, now = min([*self._busy, Urgency.REST]), self._clock()
            tasks = [each for each in list(self._tasks.items()) if each[1].urgency <= least]
            due = [each for each in tasks if each[1].due <= now]
            if not due:
                return min((task.due - now for _, task in tasks), default=None)
            name, task = min(due, key=lambda each: (each[1].urgency, each[1].number))
            try:
                task.due = self._clock() + (next(task.work) or 0.0)
                return 0.0
            except (StopIteration, RulewrightError):
                pass
            except Exception as error:
                report_failure(Failure(str(name), "", error))
            if self._tasks.get(name) is task:
                del self._tasks[name]
            return 0.0
        finally:
            self._lock.release()

    def run_until(self, is_done: Callable[[], bool], patience: float = float("inf")) -> bool:
        """Run steps until `is_done`, no work is left, or `patience` seconds are over, and return whether it is done."""
        ends = self._clock() + patience
        while not is_done():
            rest, left = self.run_step(wait=False), ends - self._clock()
            if rest is None or left <= 0:
                break
            if rest and not is_done():  # another thread may have finished it during this step
                self._sleep(min(rest, left))
        return is_done()
