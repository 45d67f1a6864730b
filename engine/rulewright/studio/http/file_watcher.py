"""Looks at the files again and again: what somebody else changes is told of a moment later.

Files are polled and not listened for: what is deleted and made again is found again, on every platform. The larger a
folder is, the less often it is looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, report_failure

EVERY = 0.4
"""Seconds between two looks."""

_SHARE = 20
"""How many times as long as a look takes is waited at least until the next one."""


@dataclass(slots=True, eq=False)
class FileWatcher:
    """Calls `look` in a thread of its own until it is closed. Whatever goes wrong with one look, there is another."""

    look: Callable[[], object]
    every: float = EVERY
    _ended: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def begin(self) -> None:
        """Begin to look."""
        self._thread = Thread(target=self._go_on, name="watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look no more."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join(0.2)  # it only reads: what takes longer ends with the process

    def _go_on(self) -> None:
        took = 0.0
        while not self._ended.wait(max(self.every, _SHARE * took)):
            began = time.perf_counter()
            try:
                self.look()
            except RulewrightError:
                pass  # what cannot be read now can be read later
            except Exception as error:
                report_failure(Failure("the watch for changed files", "", error))
            took = time.perf_counter() - began
