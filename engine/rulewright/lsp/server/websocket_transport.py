"""The server over an accepted WebSocket, with one text frame per message and no headers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from rulewright.lsp.server.capabilities import register
from rulewright.lsp.server.language_server import RulesServer
from rulewright.source.source_map import SOURCES

Receive = Callable[[], Awaitable[str | bytes | None]]
"""Returns the next frame, or None if the client has disconnected."""

Send = Callable[[str], Awaitable[None]]
"""Sends a text frame. Its exceptions end the conversation."""


async def serve_client(server: RulesServer, receive: Receive, send: Send) -> bool:
    """Serve one client until it leaves. Returns whether it announced its exit.

    `server` must be new and serve only this client. It runs in its own thread and event loop, so checks do not delay
    the caller's loop. Raises the exceptions of `receive` and `send`.
    """
    register(server)
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    writer = _Writer(asyncio.get_running_loop(), queue)
    server.connect(writer)
    at_work = asyncio.new_event_loop()
    worker = threading.Thread(target=_work, args=(at_work,), daemon=True, name="rules server")
    worker.start()
    heard = asyncio.create_task(_hear(server, receive, at_work))
    sending = asyncio.create_task(_send(queue, send))
    try:
        done, _ = await asyncio.wait([heard, sending], return_when=asyncio.FIRST_COMPLETED)
    finally:
        heard.cancel()
        sending.cancel()
        at_work.call_soon_threadsafe(at_work.stop)
    for task in done:
        task.result()
    return heard in done and heard.result() and server.leaving


@dataclass(slots=True)
class _Writer:
    """A writer that passes messages to the sender's event loop."""

    loop: asyncio.AbstractEventLoop
    queue: asyncio.Queue[str | None]

    def write(self, body: bytes, /) -> None:
        self._put(body.decode())

    def close(self) -> None:
        self._put(None)

    def _put(self, message: str | None) -> None:
        with suppress(RuntimeError):  # the loop is closed, so the client has disconnected
            self.loop.call_soon_threadsafe(self.queue.put_nowait, message)


async def _hear(server: RulesServer, receive: Receive, at_work: asyncio.AbstractEventLoop) -> bool:
    """Pass each message to `server` in the loop `at_work`, in order, until the client exits or the connection ends.

    Returns True if an exit was passed on. On False, the last messages may still be waiting in `at_work`.
    """
    here = asyncio.get_running_loop()
    left = here.create_future()

    def leave() -> None:
        if not left.done():
            left.set_result(None)

    def take_body(body: str | bytes) -> None:
        if not server.receive(body):
            here.call_soon_threadsafe(leave)

    while True:
        heard = asyncio.ensure_future(receive())
        try:
            await asyncio.wait([heard, left], return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not heard.done():
                heard.cancel()
        if left.done():
            return True
        body = heard.result()
        if body is None:
            return False
        at_work.call_soon_threadsafe(take_body, body)


async def _send(queue: asyncio.Queue[str | None], send: Send) -> None:
    while (message := await queue.get()) is not None:
        await send(message)


def _work(loop: asyncio.AbstractEventLoop) -> None:
    """Run an event loop until it is stopped, and close it. Its texts of files are separate from other threads."""
    asyncio.set_event_loop(loop)
    try:
        # Other readers in this process read from disk. Mixed with their texts, unsaved changes would get lost or end up
        # in the wrong place.
        with SOURCES.isolate_thread():
            loop.run_forever()
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
