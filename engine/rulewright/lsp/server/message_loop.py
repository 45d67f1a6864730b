"""Messages taken in, by whatever way they come: each is answered, or refused in words."""

from __future__ import annotations

import gc
import json
from typing import Any, Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rulewright.lsp.server.language_server import RulesServer

MOST_IN_A_MESSAGE = 64 * 1024 * 1024
"""Bytes that a message may have."""

_NO_JSON, _NO_REQUEST, _NO_PARAMETERS = -32700, -32600, -32602


class MessageWriter(Protocol):
    """What carries messages to a client, each whole and in its turn."""

    def write(self, body: bytes, /) -> None: ...

    def close(self) -> None: ...


def take_in(server: RulesServer, body: bytes | str, writer: MessageWriter) -> bool:
    """Have a message answered; whether the client stays.

    Whoever asks what cannot be understood is told so: they wait for an answer.
    """
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        _refuse(writer, None, _NO_JSON, "this is not JSON")
        return True
    if not isinstance(raw, dict) or "jsonrpc" not in raw or not isinstance(raw.get("id"), int | str | None):
        _refuse(writer, None, _NO_REQUEST, "this is not a JSON-RPC message")
        return True
    # pygls would end the whole process, which may serve others.
    if raw.get("method") == types.EXIT:
        return False
    try:
        message = json.loads(body, object_hook=server.protocol.structure_message)
    except JsonRpcException:
        if "id" in raw and "method" not in raw:
            # An answer of no form is an answer all the same: whoever asked waits for one.
            error = types.ResponseError(_NO_PARAMETERS, "an answer that cannot be understood")
            server.protocol.handle_message(types.ResponseErrorMessage(raw["id"], error))  # type: ignore[arg-type]
        elif "id" in raw:
            _refuse(writer, raw["id"], _NO_PARAMETERS, f"these are not parameters of {raw.get('method')}")
        return True
    server.protocol.handle_message(message)
    return True


def relax_collections() -> None:
    """Have Python look less often for what is in no use any more.

    Each time it looks through every rule there is, and somebody who writes waits.
    """
    gc.set_threshold(200_000, 20, 100)


def _refuse(writer: MessageWriter, identity: Any, code: int, why: str) -> None:
    said = {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": why}}
    writer.write(json.dumps(said).encode())
