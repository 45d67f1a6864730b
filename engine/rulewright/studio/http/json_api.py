"""JSON requests and responses, with errors as messages and fitting HTTP statuses."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from math import isfinite
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, report_failure
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.diagnostics.formats.json import as_data
from rulewright.studio.http.project import Project, find_status
from rulewright.studio.panels.background_job import build_error_data
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.share_bundle import MOST_BYTES

MOST_ASKED = 8 * 1024 * 1024
"""The maximum size of a request in bytes, except for a zip archive."""

_ZIP = "application/zip"

Body = Mapping[str, Any]
Answer = Callable[[Project, Body], Any]
"""A request handler, which runs in a thread and receives the studio and the request's values."""

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""The JSON escape of a surrogate, which is not valid in a text unless it is part of a pair."""
_LONE = re.compile("[\ud800-\udfff]")


class JsonAnswer(JSONResponse):
    """A JSON response that replaces lone surrogates, which may occur in file names, with U+FFFD."""

    def render(self, content: Any) -> bytes:
        """Return content as JSON, with U+FFFD in place of lone surrogates. Raises `ValueError` for infinity and NaN."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        try:
            return text.encode()
        except UnicodeEncodeError:
            return _LONE.sub("\ufffd", text).encode()


def wrap_answer(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """Return a request handler that runs `answer` in a thread and converts exceptions to error responses.

    An unexpected exception is reported and becomes status 500.
    """

    async def respond(request: Request) -> Response:
        """Answer a request. Every exception becomes an error response."""
        try:
            body = await _read_request(request)
            in_threadpool = await run_in_threadpool(answer, request.app.state.studio, body)
            return in_threadpool if isinstance(in_threadpool, Response) else JsonAnswer(in_threadpool)
        except RulewrightError as error:
            return build_error_answer(error, request.app.state.studio)
        except ClientDisconnect:  # the window was closed, so no client reads the response
            return Response(status_code=400)
        except Exception as error:  # one failed request must not stop the studio
            failure = Failure(f"the response to {request.url.path}", "", error)
            report_failure(failure)
            return JsonAnswer({"error": {"message": str(failure), "diagnostics": []}}, 500)

    return respond


def build_error_answer(error: RulewrightError, studio: Project) -> JsonAnswer:
    """Return an error as a response, with its diagnostics and the additional fields of a `RefusedError`."""
    more = error.more if isinstance(error, RefusedError) else {}
    error_data = build_error_data(error)
    error_data["diagnostics"] = [place_diagnostic(studio, each) for each in error_data["diagnostics"]]
    return JsonAnswer({"error": error_data, **more}, find_status(error))


def list_diagnostics(studio: Project, diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return diagnostics as data for the page."""
    return [place_diagnostic(studio, as_data(each)) for each in diagnostics]


def place_diagnostic(studio: Project, diagnostic: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a diagnostic with the page's `path` for its file, None if the page has no such file."""
    file = str(diagnostic["file"])
    named = studio.desk.files.named(file) if not file.startswith("<") else None
    return {**diagnostic, "path": named.path if named is not None else None}


async def read_body(request: Request, most: int = MOST_ASKED) -> bytes:
    """Return the body of a request. Raises `RefusedError` if it has more than `most` bytes."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise RefusedError(413, f"a request may have at most {most:,} bytes")
        parts.append(part)
    return b"".join(parts)


async def _read_request(request: Request) -> Body:
    """Return the parameters of a request, together with its JSON object or with its zip archive as `zip`.

    Raises `RefusedError` if the body is too large or not a JSON object.
    """
    named: dict[str, Any] = {**request.query_params, **request.path_params}
    if request.method in ("GET", "HEAD"):
        return named
    if request.headers.get("content-type", "").startswith(_ZIP):
        return {**named, "zip": await read_body(request, MOST_BYTES)}
    body = await read_body(request)
    try:
        data = json.loads(body.decode() or "{}", parse_constant=_refuse_constant, parse_float=_finite)
        if _HALF.search(body):
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise RefusedError(400, "the request is not valid JSON") from None
    if not isinstance(data, dict):
        raise RefusedError(400, "the request is not a JSON object")
    return {**named, **data}


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _finite(written: str) -> float:
    result = float(written)
    if not isfinite(result):
        raise ValueError(f"{written[:20]} is too large")
    return result
