"""A web app: two players (or more) at one table, each with a browser of their own.

    uvicorn table:app

Whoever opens a table gets a link for each seat. A link holds a secret, and whoever has it plays that seat.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright import Game, GameError, RulesFault, load_ruleset, open_save_text

MOST_TABLES = int(os.environ.get("TABLE_MOST", "1000"))
PAGE = Path(__file__).with_name("table.html")
RULES = load_ruleset(os.environ.get("TABLE_RULES", "pig/classic@1.0"))


class Table:
    """One game, the secrets of its seats, and who is looking on."""

    def __init__(self, game: Game, seats: list[str]) -> None:
        self.game = game
        self.seats = seats
        self.lock = asyncio.Lock()  # a game belongs to one request at a time
        self.watching: dict[WebSocket, int | None] = {}

    def seat(self, secret: str) -> int | None:
        """Return the seat of a secret, from 1, or None for a spectator."""
        if not secret:
            return None
        for number, known in enumerate(self.seats, start=1):
            # What JSON brings in need not be whole characters.
            if secrets.compare_digest(secret.encode(errors="replace"), known.encode()):
                return number
        raise HTTPException(403, "this link is for no seat at this table")

    def shown(self, seat: int | None) -> dict[str, Any]:
        """Return what is sent to a seat: its view, the latest events, and the number of the next choice."""
        return {**self.game.view(seat), "news": self.game.story(seat=seat or 0)[-12:], "move": len(self.game.record)}

    def kept(self) -> str:
        """Return the table as text for a database; `reopened` reads it back."""
        return json.dumps({"save": self.game.save_text(), "seats": self.seats})

    async def tell(self) -> None:
        """Show everybody the table as it stands."""
        for socket, seat in list(self.watching.items()):
            try:
                await socket.send_json(self.shown(seat))
            except (RuntimeError, WebSocketDisconnect):
                self.watching.pop(socket, None)


class Tables:
    """The tables in memory, the one that was used last at the end. There are never more than `MOST_TABLES`."""

    def __init__(self) -> None:
        self.known: dict[str, Table] = {}

    def add(self, table: Table) -> str:
        """Add a table and return its name. The one that was left longest ago makes room, with what was played there.

        To keep it, store its `kept()` before.
        """
        if len(self.known) >= MOST_TABLES:
            left = next((name for name, each in self.known.items() if not each.watching), None)
            if left is None:
                raise HTTPException(503, "every table is taken")
            del self.known[left]
        name = secrets.token_urlsafe(8)
        self.known[name] = table
        return name

    def get(self, name: str) -> Table | None:
        """Return the table of a name, which is used now; None where there is none."""
        table = self.known.pop(name, None)
        if table is not None:
            self.known[name] = table
        return table


def reopened(text: str) -> Table:
    """Read a table back from its text. Raises `GameError` if its game cannot be opened."""
    kept = json.loads(text)
    return Table(open_save_text(kept["save"]), kept["seats"])


def the_table(request: Request | WebSocket) -> Table:
    """Return the table of a request. Raises `HTTPException` if there is none."""
    table = request.app.state.tables.get(request.path_params["table"])
    if table is None:
        raise HTTPException(404, "there is no such table")
    return table


async def page(request: Request) -> Response:
    """Serve the page, which is the same for a new table and for a running game."""
    return FileResponse(PAGE, media_type="text/html")


async def open_table(request: Request) -> Response:
    """Open a table; the answer holds a secret for each seat."""
    try:
        game = Game(RULES, players=(await sent(request)).get("players"), seed=secrets.token_hex(8))
    except GameError as error:
        raise HTTPException(400, str(error)) from error
    table = Table(game, [secrets.token_urlsafe(16) for _ in range(game.players)])
    name = request.app.state.tables.add(table)
    return JSONResponse({"table": name, "seats": table.seats}, status_code=201)


async def look(request: Request) -> Response:
    """Answer with the table as a seat sees it."""
    table = the_table(request)
    return JSONResponse(table.shown(table.seat(request.query_params.get("seat", ""))))


async def choose(request: Request) -> Response:
    """Take an option: its id, and the number of the move it answers, so that two clicks are not two moves."""
    table, choice = the_table(request), await sent(request)
    seat = table.seat(str(choice.get("seat", "")))
    async with table.lock:
        decision = table.game.decision
        if decision is None or decision.player != seat:
            raise HTTPException(409, "it is not your turn")
        if choice.get("move") != len(table.game.record):
            raise HTTPException(409, "the table has moved on")
        try:
            table.game.choose(str(choice.get("option")))  # a text is always an id
        except GameError as error:  # the game is as it was
            raise HTTPException(400, str(error)) from error
        except RulesFault as error:  # its text may quote what this seat may not see
            raise HTTPException(400, f"the rules fail at {error.rule}") from error
        await table.tell()
    return JSONResponse(table.shown(seat))


async def watch(socket: WebSocket) -> None:
    """Send the table as it stands, and again after every move."""
    try:
        table = the_table(socket)
        seat = table.seat(socket.query_params.get("seat", ""))
    except HTTPException:
        await socket.close(1008)
        return
    await socket.accept()
    table.watching[socket] = seat
    try:
        await socket.send_json(table.shown(seat))
        while True:
            await socket.receive_text()
    except WebSocketDisconnect:
        pass
    finally:
        table.watching.pop(socket, None)


async def sent(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request. Refuses anything but a small object."""
    body = await request.body()
    try:
        found = json.loads(body or b"{}") if len(body) < 10_000 else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise HTTPException(400, "send a small JSON object")
    return found


async def refusal(request: Request, error: Exception) -> Response:
    """Answer with the error as JSON."""
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, status_code=error.status_code)


app = Starlette(
    routes=[
        Route("/", page),
        Route("/tables", open_table, methods=["POST"]),
        Route("/tables/{table}", look),
        Route("/tables/{table}/choose", choose, methods=["POST"]),
        WebSocketRoute("/tables/{table}/watch", watch),
    ],
    exception_handlers={HTTPException: refusal},
)
app.state.tables = Tables()
