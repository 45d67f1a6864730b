"""The server over the standard streams, as editors start it."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from pygls.io_ import StdoutWriter, run_async

from rulewright.studio.server.features import register
from rulewright.studio.server.server import RulesServer

_MOST_IN_A_MESSAGE = 64 * 1024 * 1024


def serve(server: RulesServer, stdin: int, stdout: BinaryIO) -> int:
    """Serve one client until it leaves; the exit code is 0 where it said so before. `stdin` is a descriptor."""
    server.protocol.set_writer(StdoutWriter(stdout))
    with suppress(BrokenPipeError, KeyboardInterrupt):
        try:
            asyncio.run(_serve(server, stdin))
        except SystemExit as left:
            return left.code if isinstance(left.code, int) else 0
    return 1


async def _serve(server: RulesServer, stdin: int) -> None:
    reader = asyncio.StreamReader(limit=_MOST_IN_A_MESSAGE)
    loop = asyncio.get_running_loop()

    # Read by a thread of its own, whatever is checked meanwhile: a message is taken in whole when its turn comes.
    def feed() -> None:
        with suppress(RuntimeError, OSError):  # the loop, or the stream, is closed
            # What is buffered holds a lock, with which nobody can leave while somebody reads.
            while chunk := os.read(stdin, 65_536):
                loop.call_soon_threadsafe(reader.feed_data, chunk)
            loop.call_soon_threadsafe(reader.feed_eof)

    threading.Thread(target=feed, daemon=True, name="reader").start()
    with suppress(asyncio.IncompleteReadError):
        await run_async(stop_event=threading.Event(), reader=reader, protocol=server.protocol)


def main(folders: Sequence[Path], *, docs: str = "") -> int:
    """Serve over the standard streams. Whatever else would be printed goes to standard error."""
    stdout = sys.stdout.buffer
    sys.stdout = sys.stderr
    server = RulesServer(folders, docs=docs)
    register(server)
    return serve(server, sys.stdin.fileno(), stdout)
