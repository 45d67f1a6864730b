"""The message loop: answers or refuses every message of any transport."""

from __future__ import annotations

import json
from typing import Any, Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rulewright.lsp.server.language_server import RulesServer

MOST_IN_A_MESSAGE = 64 * 1024 * 1024
"""The maximum size of a message in bytes."""

_NO_JSON, _NO_REQUEST, _NO_PARAMETERS = -32700, -32600, -32602


class MessageWriter(Protocol):
    """The transport of messages to a client, each complete and in order."""

    def write(self, body: bytes, /) -> None: ...

    def close(self) -> None: ...


def take_in(server: RulesServer, body: bytes | str, writer: MessageWriter) -> bool:
    """Process a message. Returns False if the client leaves.

    A message that is not JSON-RPC and a request with invalid parameters get an error response, because the sender waits
    for one. A malformed response ends the request that it answers with an error.
    """
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        _refuse(writer, None, _NO_JSON, "this is not JSON")
        return True
    if not isinstance(raw, dict) or "jsonrpc" not in raw or not isinstance(raw.get("id"), int | str | None):
        _refuse(writer, None, _NO_REQUEST, "this is not a JSON-RPC message")
        return True
    # pygls would end the whole process, which may serve other clients.
    if raw.get("method") == types.EXIT:
        return False
    try:
        message = json.loads(body, object_hook=server.protocol.structure_message)
    except JsonRpcException:
        if "id" in raw and "method" not in raw:
            # A malformed response must still end the request it answers, because our caller is waiting for it.
            error = types.ResponseError(_NO_PARAMETERS, "the response is malformed")
            server.protocol.handle_message(types.ResponseErrorMessage(raw["id"], error))  # type: ignore[arg-type]
        elif "id" in raw:
            _refuse(writer, raw["id"], _NO_PARAMETERS, f"the parameters of {raw.get('method')} are not valid")
        return True
    server.protocol.handle_message(message)
    return True


def _refuse(writer: MessageWriter, identity: Any, code: int, why: str) -> None:
    texts = {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": why}}
    writer.write(json.dumps(texts).encode())
