"""Events that the studio sends to every open window."""

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
"""The maximum number of events waiting for a window. After that, the connection is closed, and the window reconnects.
"""

_PATIENCE = 15.0
"""The number of seconds without an event before a comment is sent, to detect closed windows."""


@dataclass(frozen=True, slots=True, eq=False)
class Listener:
    """One subscriber with its queue of events. None in the queue means the end."""

    loop: asyncio.AbstractEventLoop
    queue: asyncio.Queue[Event | None]

    def put(self, event: Event | None) -> None:
        """Queue an event. Must run in the listener's event loop.

        If the queue is full, its events are dropped and the subscription ends.
        """
        with suppress(asyncio.QueueFull):
            self.queue.put_nowait(event)
            return
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


@dataclass(slots=True, eq=False)
class EventBus:
    """A thread-safe publisher of events. Each start of the studio has another random id, `started`."""

    started: str = field(default_factory=lambda: token_hex(8))
    _listeners: set[Listener] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)
    _closed: bool = False

    def publish(self, event: Event) -> None:
        """Send an event to every listener."""
        self._notify(event)

    def close(self) -> None:
        """Send a `bye` event to every listener and end all subscriptions."""
        self._closed = True
        self._notify({"kind": "bye"})
        self._notify(None)

    def listen(self) -> Listener:
        """Create a subscription in the running event loop.

        If the bus is closed, the subscription ends at once.
        """
        listener = Listener(asyncio.get_running_loop(), asyncio.Queue(_MOST_WAITING))
        with self._lock:
            self._listeners.add(listener)
        if self._closed:
            listener.put(None)
        return listener

    def leave(self, listener: Listener) -> None:
        """End a subscription. Has no effect if it has ended already."""
        with self._lock:
            self._listeners.discard(listener)

    async def stream(self) -> AsyncIterator[str]:
        """Yield events in server-sent event format, beginning with a `hello` event that has the id of this start.

        Yields a comment after 15 seconds without an event, so that the server notices closed windows. Ends when the bus
        closes or the window does not keep up.
        """
        listener = self.listen()
        try:
            yield _format_event({"kind": "hello", "started": self.started})
            while True:
                try:
                    event = await asyncio.wait_for(listener.queue.get(), _PATIENCE)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event is None:
                    return
                yield _format_event(event)
        finally:
            self.leave(listener)

    def _notify(self, event: Event | None) -> None:
        """Pass an event to all subscriptions, from any thread. None ends them."""
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            with suppress(RuntimeError):  # the listener's event loop is closed
                listener.loop.call_soon_threadsafe(listener.put, event)


def _format_event(event: Event) -> str:
    return f"data: {json.dumps(event)}\n\n"
