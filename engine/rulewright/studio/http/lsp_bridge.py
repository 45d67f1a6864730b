"""A language server per window, connected by WebSocket.

The studio reports file changes to the language server, because the editor in the browser does not watch the disk.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path

from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.lsp.server.language_server import RulesServer
from rulewright.lsp.server.websocket_transport import serve_client
from rulewright.studio.http.project import Project

_BEGUN = '"initialized"'
_CHANGED = 2


async def serve_window(socket: WebSocket, studio: Project) -> None:
    """Run a language server for a window until the window disconnects. Reports external changes of files to it."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    begun = False

    def notify(paths: list[Path]) -> None:
        """Queue a message to the server that files have changed, from any thread."""
        changes = [{"uri": path.absolute().as_uri(), "type": _CHANGED} for path in paths]
        params = {"changes": changes}
        message = {"jsonrpc": "2.0", "method": "workspace/didChangeWatchedFiles", "params": params}
        with suppress(RuntimeError):  # the event loop is closed
            loop.call_soon_threadsafe(queue.put_nowait, json.dumps(message))

    async def hear() -> None:
        """Queue the messages of the window until it disconnects, and then None."""
        nonlocal begun
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                frame = await socket.receive_text()
                begun = begun or _BEGUN in frame
                queue.put_nowait(frame)
        queue.put_nowait(None)

    async def receive() -> str | None:
        while True:
            frame = await queue.get()
            # Before initialization, the server has no state that could be stale.
            if frame is None or begun or not frame.startswith('{"jsonrpc": "2.0", "method": "workspace/didCh'):
                return frame

    deaf = studio.on_change(notify)
    hearing = asyncio.create_task(hear())
    try:
        await serve_client(RulesServer(studio.open_workspace()), receive, socket.send_text)
        await socket.close()
    finally:
        deaf()
        hearing.cancel()
