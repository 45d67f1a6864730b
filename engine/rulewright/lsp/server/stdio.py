"""The server over standard input and output, as editors start it."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rulewright.base.garbage_collection import relax_collections
from rulewright.lsp.features.workspace import Workspace
from rulewright.lsp.server.capabilities import register
from rulewright.lsp.server.json_rpc import MOST_IN_A_MESSAGE
from rulewright.lsp.server.language_server import RulesServer


@dataclass(slots=True)
class StreamWriter:
    """A writer of messages with `Content-Length` headers to a stream."""

    stream: BinaryIO

    def write(self, body: bytes, /) -> None:
        self.stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.stream.flush()

    def close(self) -> None:
        self.stream.close()


def serve(server: RulesServer, stdin: int, stdout: BinaryIO) -> int:
    """Serve one client until it leaves.

    Returns exit code 0 if it announced its exit, otherwise 1. `stdin` is a file descriptor.
    """
    writer = StreamWriter(stdout)
    server.connect(writer)
    with suppress(BrokenPipeError, KeyboardInterrupt):
        asyncio.run(_serve(server, stdin))
    return 0 if server.leaving else 1


async def _serve(server: RulesServer, stdin: int) -> None:
    """Pass messages to the server until the client leaves or disconnects.

    `server.leaving` is False afterwards if the client has disconnected without an exit notification.
    """
    reader = asyncio.StreamReader(limit=MOST_IN_A_MESSAGE)
    loop = asyncio.get_running_loop()

    # Read in a separate thread, so that messages arrive completely while checks run.
    def feed() -> None:
        with suppress(RuntimeError, OSError):  # the loop, or the stream, is closed
            # A buffered stream has a lock that would block the exit during a read.
            while chunk := os.read(stdin, 65_536):
                loop.call_soon_threadsafe(reader.feed_data, chunk)
            loop.call_soon_threadsafe(reader.feed_eof)

    threading.Thread(target=feed, daemon=True, name="reader").start()
    with suppress(asyncio.IncompleteReadError, ValueError):  # the client disconnected in the middle of a message
        while (body := await _body(reader)) is not None:
            if not server.receive(body):
                return
    server.leaving = False  # the client disconnected without an exit notification


async def _body(reader: asyncio.StreamReader) -> bytes | None:
    """Return the next message, or None if the client has disconnected.

    Raises `IncompleteReadError` if it disconnects within a message, and `ValueError` for an invalid length.
    """
    length = 0
    while header := await reader.readline():
        name, _, value = header.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
        elif not header.strip() and length:
            return await reader.readexactly(length)
    return None


def main(folders: Sequence[Path], *, docs: str = "") -> int:
    """Serve over standard input and output, and return the exit code: 0 if the client announced its exit, otherwise 1.

    Redirects `sys.stdout` to standard error for the rest of the process.
    """
    stdout = sys.stdout.buffer
    sys.stdout = sys.stderr
    relax_collections()
    server = RulesServer(Workspace(folders), docs=docs)
    register(server)
    return serve(server, sys.stdin.fileno(), stdout)
