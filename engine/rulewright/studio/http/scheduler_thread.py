"""The thread that runs a scheduler's work in the server. Where there are no threads, an event loop does so instead."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event, Thread

from rulewright.base.scheduler import Scheduler


@dataclass(slots=True, eq=False)
class SchedulerThread:
    """A daemon thread that runs the steps of a scheduler when they are due."""

    scheduler: Scheduler
    _news: Event = field(default_factory=Event)
    _ended: bool = False
    _thread: Thread | None = None

    def begin(self) -> None:
        """Start the thread."""
        self.scheduler.on_change = self._news.set
        self._thread = Thread(target=self._go_on, name="work", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread. Waits 0.2 seconds at most, because the work only reads and may end with the process."""
        self._ended = True
        self._news.set()
        if self._thread is not None:
            self._thread.join(0.2)

    def _go_on(self) -> None:
        while not self._ended:
            self._news.clear()
            self._news.wait(self.scheduler.run_step())
