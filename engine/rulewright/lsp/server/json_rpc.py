"""The JSON-RPC 2.0 endpoint of the language server, for any transport. Every request gets a response.

Parameters and results are plain JSON data, as the protocol describes them. A handler states the shape of the parameters
that it reads, so that it gets no others. Types of the whole protocol would take as long to import as a check of rules.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import iscoroutinefunction
from itertools import count
from typing import Any, Protocol, TypeVar

from rulewright.base.plugins import Failure
from rulewright.lsp.server.parameter_shapes import Shape, fits

Json = dict[str, Any]
"""A JSON object."""

MOST_IN_A_MESSAGE = 64 * 1024 * 1024
"""The maximum size of a message in bytes."""

REFUSED = -32803
"""The error code for refusing a valid request."""

INVALID_PARAMETERS = -32602
"""The error code for parameters that are not valid."""

_PARSE_ERROR, _INVALID_REQUEST, _METHOD_NOT_FOUND, _INTERNAL_ERROR, _REQUEST_CANCELLED = (
    -32700,
    -32600,
    -32601,
    -32603,
    -32800,
)

_VERSION = "2.0"

Handler = TypeVar("Handler", bound=Callable[..., Any])


class RequestError(Exception):
    """The error that handler a request."""

    def __init__(self, message: str, code: int = REFUSED) -> None:
        super().__init__(message)
        self.code = code


class MessageWriter(Protocol):
    """The transport of messages to a client, each complete and in order."""

    def write(self, body: bytes, /) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _MethodHandler:
    """The handler of a method with the shape of its parameters."""

    handle: Callable[..., Any]
    shape: Shape


class Endpoint:
    """The server's side of a connection, with its handlers by method and by command."""

    def __init__(self) -> None:
        self.capabilities: Json = {}
        """What the server tells the client that it can do."""
        self.commands: dict[str, Callable[..., Any]] = {}
        self._handlers: dict[str, _MethodHandler] = {}
        self._writer: MessageWriter | None = None
        self._running: dict[int | str, asyncio.Task[Any]] = {}
        """The tasks of unfinished requests from the client, by id."""
        self._pending: dict[str, asyncio.Future[Any]] = {}
        """The futures of requests to the client that have no response yet, by id."""
        self._ids = count(1)
        self._is_shutting_down = False

    def handle(self, method: str, shape: Shape = None, **capabilities: Any) -> Callable[[Handler], Handler]:
        """Return a decorator for the handler of a method, which gets this endpoint and the parameters.

        Parameters that lack the shape are refused. The handler of a request may be a coroutine.
        """

        def register(handler: Handler) -> Handler:
            self._handlers[method] = _MethodHandler(handler, shape)
            self.capabilities.update(capabilities)
            return handler

        return register

    def handle_command(self, name: str) -> Callable[[Handler], Handler]:
        """Return a decorator for the handler of a command, which gets this endpoint and the arguments."""

        def register(handler: Handler) -> Handler:
            self.commands[name] = handler
            return handler

        return register

    def connect(self, writer: MessageWriter) -> None:
        """Send all messages to this transport from now on."""
        self._writer = writer

    # -- from the client ---------------------------------------------------------------------

    def receive(self, body: bytes | str) -> bool:
        """Process a message from the client. Returns False for the last one, `exit`.

        A message that is not JSON-RPC and a request with invalid parameters get an error response, because the sender
        waits for one. A malformed notification is ignored.
        """
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self._send_error(None, _PARSE_ERROR, "this is not JSON")
            return True
        if not isinstance(message, dict) or "jsonrpc" not in message or not _is_id(message.get("id")):
            self._send_error(None, _INVALID_REQUEST, "this is not a JSON-RPC message")
            return True
        id, method, params = message.get("id"), message.get("method"), message.get("params")
        if method == "exit":
            return False
        if method == "$/cancelRequest":
            self._cancel(params.get("id") if isinstance(params, dict) else None)
        elif method is None:
            self._handle_response(message)
        elif id is not None:
            self._handle_request(id, method, params)
        else:
            self._handle_notification(method, params)
        return True

    def _handle_request(self, id: int | str, method: object, params: Any) -> None:
        """Respond to a request, at once or when its handler has ended."""
        handler = self._handlers.get(method) if isinstance(method, str) else None
        if self._is_shutting_down:
            self._send_error(id, _INVALID_REQUEST, "the server is shutting down")
        elif handler is None:
            self._send_error(id, _METHOD_NOT_FOUND, f"there is no method {method}")
        elif not fits(params, handler.shape):
            self._send_error(id, INVALID_PARAMETERS, f"the parameters of {method} are not valid")
        elif iscoroutinefunction(handler.handle):
            task = self._running[id] = asyncio.get_running_loop().create_task(handler.handle(self, params))
            task.add_done_callback(lambda done: self._finish(id, done))
        else:
            self._send_result(id, lambda: handler.handle(self, params))

    def _finish(self, id: int | str, task: asyncio.Task[Any]) -> None:
        if self._running.get(id) is task:
            del self._running[id]
        self._send_result(id, task.result)

    def _send_result(self, id: int | str, compute: Callable[[], Any]) -> None:
        """Send the result that `compute` returns, or the error that it raises."""
        try:
            self._send({"id": id, "result": compute()})
        except RequestError as error:
            self._send_error(id, error.code, str(error))
        except asyncio.CancelledError:
            self._send_error(id, _REQUEST_CANCELLED, f"the request {id} is canceled")
        except Exception as error:
            self._send_error(id, _INTERNAL_ERROR, _report(error))

    def _handle_notification(self, method: object, params: Any) -> None:
        """Pass a notification to its handler. Unknown and malformed ones are ignored."""
        handler = self._handlers.get(method) if isinstance(method, str) else None
        if handler is None or self._is_shutting_down or not fits(params, handler.shape):
            return
        try:
            handler.handle(self, params)
        except Exception as error:
            _report(error)

    def _cancel(self, id: object) -> None:
        task = self._running.get(id) if isinstance(id, int | str) else None
        if task is not None:
            task.cancel()

    def shut_down(self) -> None:
        """Cancel all requests that wait, and refuse later ones."""
        self._is_shutting_down = True
        for task in self._running.values():
            task.cancel()

    # -- to the client -----------------------------------------------------------------------

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Json) -> Awaitable[Any]:
        """Send a request, and return a future of its result. It raises `RequestError` for an error."""
        id = f"server-{next(self._ids)}"
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: done.cancelled() or done.exception())  # even if nothing awaits it
        self._pending[id] = future
        self._send({"id": id, "method": method, "params": params})
        return future

    def _handle_response(self, message: Json) -> None:
        future = self._pending.pop(str(message.get("id")), None)
        if future is None or future.done():
            return
        if "error" in message:
            error = message["error"]
            reason = error.get("message") if isinstance(error, dict) else None
            future.set_exception(RequestError(str(reason or "the client refused")))
        else:
            future.set_result(message.get("result"))

    def _send_error(self, id: int | str | None, code: int, why: str) -> None:
        self._send({"id": id, "error": {"code": code, "message": why}})

    def _send(self, message: Json) -> None:
        if self._writer is not None:
            self._writer.write(json.dumps({"jsonrpc": _VERSION, **message}).encode())


def _is_id(id: object) -> bool:
    return id is None or isinstance(id, int | str)


def _report(error: Exception) -> str:
    """Print that the server has failed, and return the same sentence."""
    result = str(Failure("the language server", "", error))
    print(f"error: {result}", file=sys.stderr)
    return result
