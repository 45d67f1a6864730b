"""The server on a port of this machine, for clients that connect over WebSockets.

Each client gets its own server. Clients without the token and pages of other origins are refused.
"""

from __future__ import annotations

import asyncio
import hmac
import http
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from rulewright.base.errors import RulewrightError
from rulewright.base.garbage_collection import relax_collections
from rulewright.lsp.features.workspace import Workspace
from rulewright.lsp.server.json_rpc import MOST_IN_A_MESSAGE
from rulewright.lsp.server.language_server import RulesServer
from rulewright.lsp.server.websocket_transport import serve_client

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")


def listen(folders: Sequence[Path], port: int, *, docs: str = "") -> None:
    """Print the address and serve clients with the token until interrupted.

    A port of 0 means any free one. Raises `RulewrightError` if the port cannot be opened.
    """
    relax_collections()
    with suppress(KeyboardInterrupt):
        asyncio.run(_listen(folders, port, docs=docs))


async def _listen(folders: Sequence[Path], port: int, *, docs: str) -> None:
    """Print the address with a new token, and serve clients until cancelled.

    Raises `RulewrightError` if the port cannot be used.
    """
    token = secrets.token_urlsafe(32)

    async def serve_connection(connection: ServerConnection) -> None:
        """Serve a client with a language server of its own until it leaves."""

        async def receive() -> str | bytes | None:
            try:
                return await connection.recv()
            except ConnectionClosed:
                return None

        with suppress(ConnectionClosed):
            await serve_client(RulesServer(Workspace(folders), docs=docs), receive, connection.send)

    def check_request(connection: ServerConnection, request: Request) -> Response | None:
        own = connection.local_address[1]
        refused = find_refusal(request, token, own)
        return None if refused is None else connection.respond(http.HTTPStatus(refused[0]), refused[1])

    try:
        server = await serve(
            serve_connection, HOST, port, process_request=check_request, max_size=MOST_IN_A_MESSAGE, compression=None
        )
    except (OSError, OverflowError) as error:
        raise RulewrightError(
            f"cannot listen on port {port}: {error}; use `--ws` without a number for a free port"
        ) from None
    async with server:
        print(f"ws://{HOST}:{next(iter(server.sockets)).getsockname()[1]}/?token={token}", flush=True)
        await server.serve_forever()


def find_refusal(request: Request, token: str, port: int) -> tuple[int, str] | None:
    """Return the status and reason for refusing a client, or None to accept it."""
    own = {f"{name}:{port}" for name in NAMES}
    # DNS rebinding: a foreign page may point its own host name here, but its requests still contain that name.
    if request.headers.get("Host") not in own:
        return 421, "the Host header does not name this server\n"
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc not in own:
        return 403, "pages from other origins have no access\n"
    given = parse_qs(urlsplit(request.path).query).get("token", [""])[0]
    if not hmac.compare_digest(given.encode(), token.encode()):
        return 401, "the token is missing or wrong: use the printed address\n"
    return None
