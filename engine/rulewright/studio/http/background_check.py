"""Background check of a folder's editions, which runs after writing has paused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, report_failure

QUIET = 3.0
"""The number of seconds without a change before a check."""


@dataclass(slots=True, eq=False)
class BackgroundCheck:
    """A thread that calls `look` when nothing has changed for `quiet` seconds after a change.

    `look` receives a function that returns whether to stop, because of another change or because the check closes.
    """

    look: Callable[[Callable[[], bool]], object]
    quiet: float = QUIET
    _changed: Event = field(default_factory=Event)
    _ended: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def begin(self) -> None:
        """Start the thread with a first check."""
        self._changed.set()
        self._thread = Thread(target=self._go_on, name="judge", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Schedule a check because something changed."""
        self._changed.set()

    def close(self) -> None:
        """Stop the thread. Waits 0.2 seconds at most."""
        self._ended.set()
        self._changed.set()
        if self._thread is not None:
            self._thread.join(0.2)  # the check only reads, so it may end with the process

    def _go_on(self) -> None:
        while True:
            self._changed.wait()
            self._changed.clear()
            if self._ended.wait(self.quiet):
                return
            if self._changed.is_set():
                continue
            try:
                self.look(self._changed.is_set)
            except RulewrightError:
                continue  # the next change triggers another check
            except Exception as error:
                report_failure(Failure("the background check of the rules", "", error))
