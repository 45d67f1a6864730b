"""Polling for file changes that other programs make.

Polling also detects files that are deleted and recreated, on every platform. The interval grows with the time that one
poll takes, so large folders get fewer polls.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, report_failure

EVERY = 0.4
"""The minimum number of seconds between two polls."""

_SHARE = 20
"""The minimum wait before the next poll, as a multiple of the time that the last poll took."""


@dataclass(slots=True, eq=False)
class FileWatcher:
    """A thread that calls `look` at intervals until it is closed. It survives exceptions from `look`."""

    look: Callable[[], object]
    every: float = EVERY
    _ended: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def begin(self) -> None:
        """Start the thread."""
        self._thread = Thread(target=self._go_on, name="watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread. Waits 0.2 seconds at most."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join(0.2)  # the poll only reads, so it may end with the process

    def _go_on(self) -> None:
        took = 0.0
        while not self._ended.wait(max(self.every, _SHARE * took)):
            began = time.perf_counter()
            try:
                self.look()
            except RulewrightError:
                pass  # an unreadable file may be readable at the next poll
            except Exception as error:
                report_failure(Failure("the polling for changed files", "", error))
            took = time.perf_counter() - began
