"""Looks at the files again and again: what somebody else changes is told of a moment later."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread

from rulewright.errors import RulewrightError

EVERY = 0.4
"""Seconds between two looks."""


@dataclass(slots=True, eq=False)
class Watch:
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
            self._thread.join(5)

    def _go_on(self) -> None:
        while not self._ended.wait(self.every):
            try:
                self.look()
            except RulewrightError:
                continue  # what cannot be read now can be read later
            except Exception:
                traceback.print_exc()
