"""The studio as an ASGI application, with its routes behind the access guard."""

from __future__ import annotations

import json
import mimetypes
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from rulewright.base.plugins import Failure, attempt, report_failure
from rulewright.base.resources import find_resource
from rulewright.base.scheduler import Urgency
from rulewright.book.site.atomic_swap import MARK
from rulewright.studio.http.access_guard import Guard
from rulewright.studio.http.json_api import Answer, Body, wrap_answer
from rulewright.studio.http.lsp_bridge import serve_window
from rulewright.studio.http.project import BOOK, Project
from rulewright.studio.panels import load_panels
from rulewright.studio.panels.panel import PanelRequest
from rulewright.studio.storage.http_errors import RefusedError

_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
}

_ALONE = "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; sandbox; frame-ancestors 'self'"


def _ask(module: str, name: str) -> Answer:
    """Return the handler of this name in a module of this package, which is imported for the first request to it."""

    def answer(studio: Project, body: Body) -> Any:
        return getattr(import_module(f"rulewright.studio.http.{module}"), name)(studio, body)

    return answer


QUESTIONS: Mapping[str, Mapping[str, Answer]] = {
    "/api/folder": {"GET": _ask("project_listing", "list_project")},
    "/api/file": {"GET": _ask("file_api", "read"), "PUT": _ask("file_api", "save")},
    "/api/file/rename": {"POST": _ask("file_api", "rename")},
    "/api/file/delete": {"POST": _ask("file_api", "delete")},
    "/api/history": {"GET": _ask("file_api", "list_history")},
    "/api/history/entry": {"GET": _ask("file_api", "read_history_entry")},
    "/api/undo": {"POST": _ask("file_api", "undo")},
    "/api/redo": {"POST": _ask("file_api", "redo")},
    "/api/restore": {"POST": _ask("file_api", "restore")},
    "/api/starts": {"GET": _ask("starting_points", "list_starts")},
    "/api/start": {"POST": _ask("starting_points", "start")},
    "/api/share": {"GET": _ask("share_links", "share")},
    "/api/share.zip": {"GET": _ask("share_links", "share_zip")},
    "/api/take": {"POST": _ask("share_links", "take")},
    "/api/fix": {"POST": _ask("text_fixes", "fix")},
    "/api/help": {"GET": _ask("help_pages", "find_help")},
    "/api/release": {"GET": _ask("release_steps", "list_steps")},
    "/api/release/{step}": {"POST": _ask("release_steps", "step")},
    "/api/panel/{panel}": {"POST": lambda studio, body: _panel(studio, body)},
    "/api/job/stop": {"POST": lambda studio, body: {"stopped": studio.desk.jobs.stop(str(body.get("id")))}},
}
"""The handlers of requests, by path and method."""


def build_app(studio: Project, *, token: str, port: int) -> Guard:
    """Return the guarded application of an open studio.

    `token` authorizes clients and `port` is the port of the server. The application starts the studio's threads and
    closes the studio when it shuts down.
    """

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        studio.begin()
        yield
        await run_in_threadpool(studio.close)

    app = Starlette(routes=_routes(), lifespan=life, exception_handlers={404: _nothing, 405: _nothing})
    app.state.studio = studio
    return Guard(app, token, port)


def _routes() -> list[BaseRoute]:
    endpoints = [
        Route(path, wrap_answer(answer), methods=[method])
        for path, answers in QUESTIONS.items()
        for method, answer in answers.items()
    ]
    return [
        *endpoints,
        Route("/api/events", _events),
        Route("/", _page),
        Route("/favicon.ico", _sign),
        Route("/studio/{path:path}", _asset),
        Route("/assets/{path:path}", _asset),
        Route("/book/{path:path}", _book),
        Route(f"/{BOOK}/{{path:path}}", _serve_book),
        WebSocketRoute("/lsp", _lsp),
    ]


def _panel(studio: Project, body: Body) -> Any:
    """Answer `POST /api/panel/<panel>` with the data of a panel for the cursor, before other work.

    Raises `RefusedError` for an unknown panel, and if the panel fails. Other `RulewrightError`s of the panel pass
    through.
    """
    panel = load_panels().get(str(body["panel"]))
    if panel is None:
        raise RefusedError(404, f"there is no panel `{body['panel']}`")
    path, ref = body.get("path"), body.get("ref")
    more = {key: value for key, value in body.items() if key not in ("panel", "path", "line", "column", "ref")}
    place = PanelRequest(
        path if isinstance(path, str) else "",
        _whole(body.get("line")),
        _whole(body.get("column")),
        ref if isinstance(ref, str) and ref else None,
        more,
    )
    given = f"{place.path}, line {place.line}" if place.path else ""
    with studio.scheduler.do_first(Urgency.SHOWN):
        answer = attempt(f"the panel `{body['panel']}`", given, lambda: dict(panel.answer(studio.desk, place)), _refuse)
    assert answer is not None
    return answer


def _refuse(failure: Failure) -> None:
    """Report a failure and raise it as `RefusedError` with status 500, for display in the panel."""
    report_failure(failure)
    raise RefusedError(500, str(failure))


def _whole(number: object) -> int:
    """Return a requested line or column, or 1 if it is missing or invalid."""
    sound = isinstance(number, int) and not isinstance(number, bool) and 0 < number < 10_000_000
    return int(str(number)) if sound else 1


async def _events(request: Request) -> Response:
    stream = request.app.state.studio.bell.stream()
    return StreamingResponse(stream, media_type="text/event-stream")


async def _page(request: Request) -> Response:
    return _file(find_resource("site") / "studio", "index.html")


async def _sign(request: Request) -> Response:
    return _file(find_resource("site") / "assets", "shield.svg")


async def _asset(request: Request) -> Response:
    top = "studio" if request.url.path.startswith("/studio/") else "assets"
    return _file(find_resource("site") / top, request.path_params["path"])


async def _book(request: Request) -> Response:
    """Return what the first panel that knows a path serves there, or a response with status 404."""
    studio: Project = request.app.state.studio
    path, query = request.path_params["path"], request.url.query
    for panel in load_panels().values():
        if panel.serve is None:
            continue
        serve = partial(panel.serve, studio.desk, path, query)
        served = await run_in_threadpool(attempt, f"the panel `{panel.title}`", path, serve, report_failure)
        if served is not None:
            headers = {"Content-Security-Policy": served.policy} if served.policy else None
            return Response(served.content, headers=headers, media_type=served.kind)
    return JSONResponse({"error": {"message": f"there is no page `{path}`", "diagnostics": []}}, 404)


async def _serve_book(request: Request) -> Response:
    """Return a file of the built book, or a response with status 404 if the studio has built none since it started."""
    studio: Project = request.app.state.studio
    home, name = studio.root / BOOK, request.path_params["path"] or "index.html"
    # A foreign folder with this name is not a book and could run scripts as the studio's page,
    # so only books built since the studio started are shown.
    own = bool(studio.released.books) and (home / MARK).is_file()
    response = _file(home, name) if own else _file(home, "")
    # Pages have their own policy. Any other file that is opened directly, such as an icon, must load nothing.
    response.headers["Content-Security-Policy"] = "frame-ancestors 'self'" if name.endswith(".html") else _ALONE
    return response


async def _lsp(socket: WebSocket) -> None:
    await socket.accept()
    with suppress(Exception):  # the client has disconnected
        await serve_window(socket, socket.app.state.studio)


async def _nothing(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return JSONResponse({"error": {"message": f"there is nothing at {request.url.path}", "diagnostics": []}}, status)


def _file(folder: Path, name: str) -> Response:
    """Return a file inside a folder as a response, or one with status 404 if there is no such file."""
    try:
        path = Path(os.path.realpath(folder / name))
        there = path.is_relative_to(os.path.realpath(folder)) and path.is_file()
    except (OSError, ValueError):  # an invalid file name
        there = False
    if not there:
        return JSONResponse(
            {"error": {"message": f"there is no file {json.dumps(name[:200])}", "diagnostics": []}}, 404
        )
    kind = _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return FileResponse(path, media_type=kind)
