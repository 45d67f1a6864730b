"""Whether the editions of a folder are sound, looked at in the background when nobody writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, report_failure

QUIET = 3.0
"""Seconds without a change after which it is looked."""


@dataclass(slots=True, eq=False)
class BackgroundCheck:
    """Calls `look`, in a thread of its own, each time something changed and nothing changes any more.

    `look` is given what says whether it is to stop: somebody writes again, or this is the end.
    """

    look: Callable[[Callable[[], bool]], object]
    quiet: float = QUIET
    _changed: Event = field(default_factory=Event)
    _ended: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def begin(self) -> None:
        """Begin, with a first look."""
        self._changed.set()
        self._thread = Thread(target=self._go_on, name="judge", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Wake the thread, because something changed."""
        self._changed.set()

    def close(self) -> None:
        """Look no more."""
        self._ended.set()
        self._changed.set()
        if self._thread is not None:
            self._thread.join(0.2)  # it only reads: what takes longer ends with the process

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
                continue  # what cannot be read now is looked at again when it changes
            except Exception as error:
                report_failure(Failure("the check in the background", "", error))
