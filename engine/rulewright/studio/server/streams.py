"""The server over the standard streams, as editors start it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from pygls.exceptions import JsonRpcException
from pygls.io_ import StdoutWriter

from rulewright.studio.server.features import register
from rulewright.studio.server.server import RulesServer

_MOST_IN_A_MESSAGE = 64 * 1024 * 1024
_NO_JSON, _NO_REQUEST, _NO_PARAMETERS = -32700, -32600, -32602


def serve(server: RulesServer, stdin: int, stdout: BinaryIO) -> int:
    """Serve one client until it leaves; the exit code is 0 where it said so before. `stdin` is a descriptor."""
    writer = StdoutWriter(stdout)
    server.protocol.set_writer(writer)
    with suppress(BrokenPipeError, KeyboardInterrupt):
        try:
            asyncio.run(_serve(server, stdin, writer))
        except SystemExit as left:
            return left.code if isinstance(left.code, int) else 0
    return 1


async def _serve(server: RulesServer, stdin: int, writer: StdoutWriter) -> None:
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
    with suppress(asyncio.IncompleteReadError, ValueError):  # the client is gone in the midst of a message
        while (body := await _body(reader)) is not None:
            _take_in(server, body, writer)


async def _body(reader: asyncio.StreamReader) -> bytes | None:
    """The next message; None where the client is gone."""
    length = 0
    while header := await reader.readline():
        name, _, value = header.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
        elif not header.strip() and length:
            return await reader.readexactly(length)
    return None


def _take_in(server: RulesServer, body: bytes, writer: StdoutWriter) -> None:
    """Have a message answered. Whoever asks what cannot be understood is told so: they wait for an answer."""
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        _refuse(writer, None, _NO_JSON, "this is no JSON")
        return
    if not isinstance(raw, dict) or "jsonrpc" not in raw:
        _refuse(writer, None, _NO_REQUEST, "this is no message of JSON-RPC")
        return
    try:
        message = json.loads(body, object_hook=server.protocol.structure_message)
    except JsonRpcException:
        if "id" in raw:
            _refuse(writer, raw["id"], _NO_PARAMETERS, f"these are no parameters of {raw.get('method')}")
        return
    server.protocol.handle_message(message)


def _refuse(writer: StdoutWriter, identity: Any, code: int, why: str) -> None:
    said = {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": why}}
    body = json.dumps(said).encode()
    writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


def main(folders: Sequence[Path], *, docs: str = "") -> int:
    """Serve over the standard streams. Whatever else would be printed goes to standard error."""
    stdout = sys.stdout.buffer
    sys.stdout = sys.stderr
    server = RulesServer(folders, docs=docs)
    register(server)
    return serve(server, sys.stdin.fileno(), stdout)
