"""What every open window is told as it happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from secrets import token_hex
from threading import Lock
from typing import Any

Event = Mapping[str, Any]

_MOST_WAITING = 1_000
"""Events that wait for a window that takes none; then it is let go, and comes back to begin anew."""

_PATIENCE = 15.0
"""Seconds of silence after which something is sent, so that a window that is gone is noticed."""


@dataclass(frozen=True, slots=True, eq=False)
class Listener:
    """Somebody who is told. None in the queue is the end."""

    loop: asyncio.AbstractEventLoop
    queue: asyncio.Queue[Event | None]

    def put(self, event: Event | None) -> None:
        """Tell of something, in the loop of whoever listens."""
        with suppress(asyncio.QueueFull):
            self.queue.put_nowait(event)
            return
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


@dataclass(slots=True, eq=False)
class EventBus:
    """Tells everybody who listens, from any thread. `started` is another one whenever the studio is started."""

    started: str = field(default_factory=lambda: token_hex(8))
    _listeners: set[Listener] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)
    _closed: bool = False

    def publish(self, event: Event) -> None:
        """Tell everybody."""
        self._tell(event)

    def close(self) -> None:
        """Tell everybody that this is the end."""
        self._closed = True
        self._tell({"kind": "bye"})
        self._tell(None)

    def listen(self) -> Listener:
        """Be told from now on, in this loop."""
        listener = Listener(asyncio.get_running_loop(), asyncio.Queue(_MOST_WAITING))
        with self._lock:
            self._listeners.add(listener)
        if self._closed:
            listener.put(None)
        return listener

    def leave(self, listener: Listener) -> None:
        """Be told no more."""
        with self._lock:
            self._listeners.discard(listener)

    async def stream(self) -> AsyncIterator[str]:
        """Return what happens, as server-sent events; first which start of the studio it is that tells."""
        listener = self.listen()
        try:
            yield _sent({"kind": "hello", "started": self.started})
            while True:
                try:
                    event = await asyncio.wait_for(listener.queue.get(), _PATIENCE)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event is None:
                    return
                yield _sent(event)
        finally:
            self.leave(listener)

    def _tell(self, event: Event | None) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            with suppress(RuntimeError):  # that loop is closed: nobody is there any more
                listener.loop.call_soon_threadsafe(listener.put, event)


def _sent(event: Event) -> str:
    return f"data: {json.dumps(event)}\n\n"
