"""The server over WebSockets: who is let in, that clients do not meet, and that it speaks over any accepted socket."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from rulewright.lsp.server.language_server import RulesServer
from rulewright.lsp.server.websocket_transport import serve_client
from rulewright.source.source_map import SOURCES
from tests.studio.client import ENGINE

Made = TypeVar("Made")

MANIFEST = "ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n"
WRONG = "numbers: {a: {is: b, means: One.}}\n"
RIGHT = "numbers: {a: {is: 1, means: One.}}\n"


class Window:
    """A client over a WebSocket, with one folder open."""

    def __init__(self, connection: ClientConnection, root: Path) -> None:
        self.connection, self.root, self.asked = connection, root, 0
        folders = [{"uri": root.as_uri(), "name": "r"}]
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders})
        self.tell("initialized", {})

    def tell(self, method: str, params: Any) -> None:
        self.connection.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def ask(self, method: str, params: Any) -> Any:
        self.asked += 1
        asked = {"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}
        self.connection.send(json.dumps(asked))
        while (message := self.read()).get("id") != self.asked:
            pass
        return message["result"]

    def read(self) -> dict[str, Any]:
        body = self.connection.recv(timeout=60)
        assert isinstance(body, str), "a frame of text, and no header"
        message: dict[str, Any] = json.loads(body)
        return message

    def checked(self, name: str, text: str) -> int:
        """Return the number of errors once a file is open."""
        document = {"uri": (self.root / name).as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        while True:
            message = self.read()
            if message.get("method") == "rulewright/checked" and document["uri"] in message["params"]["versions"]:
                return int(message["params"]["errors"])


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "rulewright", "lsp", "--ws"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(ENGINE)}) as program:
        assert program.stdout is not None
        yield program.stdout.readline().strip()
        assert program.poll() is None, "nobody who came or went ended it"
        program.kill()


def test_a_client_with_the_token_is_served(address: str, root: Path) -> None:
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    with connect(address) as connection:
        assert Window(connection, root).checked("rules.yaml", WRONG) == 1
    with connect(address, origin=Origin(f"http://localhost:{parts.port}")) as connection:
        assert Window(connection, root).checked("rules.yaml", RIGHT) == 0


@pytest.mark.parametrize(
    ("status", "query", "headers"),
    [
        (401, "", {}),
        (401, "?token=", {}),
        (401, "?token=öffnen", {}),
        (403, None, {"Origin": "http://evil.example"}),
        (403, None, {"Origin": "null"}),
        (403, None, {"Origin": "http://127.0.0.1:1"}),
        (421, None, {"Host": "evil.example"}),
    ],
)
def test_others_are_refused(address: str, status: int, query: str | None, headers: dict[str, str]) -> None:
    parts = urlsplit(address)
    where = address if query is None else f"ws://{parts.netloc}/{query}"
    host = headers.pop("Host", None)
    if host is not None:
        where = where.replace("127.0.0.1", host)
    assert parts.port is not None
    door = socket.create_connection(("127.0.0.1", parts.port))
    with pytest.raises(InvalidStatus) as refused, connect(where, additional_headers=headers, sock=door):
        pass
    assert refused.value.response.status_code == status
    assert refused.value.response.body


def test_two_windows_do_not_meet_and_one_that_leaves_ends_no_other(address: str, root: Path) -> None:
    with connect(address) as first, connect(address) as second:
        one, other = Window(first, root), Window(second, root)
        assert one.checked("rules.yaml", WRONG) == 1
        assert other.checked("rules.yaml", RIGHT) == 0
        other.ask("shutdown", None)
        other.tell("exit", None)
        with pytest.raises(ConnectionClosed):
            other.connection.recv(timeout=60)
        assert one.checked("more.yaml", WRONG.replace("a:", "c:")) == 2


def alone(work: Coroutine[Any, Any, Made]) -> Made:
    """Return what a loop of its own makes of it: others may have left one running in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def test_it_speaks_over_any_socket_that_was_accepted(root: Path) -> None:
    """As a web app's: two coroutines, and the loop goes on while rules are checked."""
    hello = {"processId": None, "rootUri": None, "capabilities": {}}

    async def talk(*last: dict[str, Any] | None) -> tuple[bool, list[dict[str, Any]]]:
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        answered: list[dict[str, Any]] = []
        for message in ({"id": 1, "method": "initialize", "params": hello}, {"id": 2, "method": "shutdown"}, *last):
            queue.put_nowait(None if message is None else json.dumps({"jsonrpc": "2.0", **message}))

        async def send(text: str) -> None:
            answered.append(json.loads(text))

        return await asyncio.wait_for(serve_client(RulesServer(), queue.get, send), 60), answered

    said, answered = alone(talk({"method": "exit"}))
    assert said
    assert [each["id"] for each in answered] == [1, 2]
    said, _ = alone(talk(None))
    assert not said, "the client is gone without a word"


def test_what_a_socket_raises_ends_the_conversation() -> None:
    async def receive() -> str | None:
        raise ConnectionResetError

    async def send(text: str) -> None:
        raise AssertionError

    with pytest.raises(ConnectionResetError):
        alone(serve_client(RulesServer(), receive, send))


def test_what_others_read_meanwhile_takes_no_change_away(root: Path) -> None:
    """Whoever else is in this process reads what is on disk, over and over: another text of the same file."""
    file = root / "rules.yaml"
    typed = "numbers:\n  goal: {is: 1, means: One.}\n  twice: {is: 2 * gaol, means: Two.}\n"
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    offered: list[str] = []

    def say(**message: Any) -> None:
        queue.put_nowait(json.dumps({"jsonrpc": "2.0", **message}))

    async def send(text: str) -> None:
        message = json.loads(text)
        if message.get("method") == "rulewright/checked":
            say(id=2, method="textDocument/codeAction", params=there)
        elif message.get("id") == 2:
            offered.extend(each["title"] for each in message["result"])
            queue.put_nowait(None)

    async def talk() -> None:
        say(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}, **folders})
        say(method="initialized", params={})
        document = {"uri": file.as_uri(), "languageId": "yaml", "version": 1, "text": typed}
        say(method="textDocument/didOpen", params={"textDocument": document})
        await asyncio.wait_for(serve_client(RulesServer(), queue.get, send), 60)

    def read_on() -> None:
        while not over.is_set():
            SOURCES.remember(str(file), "# nothing\n")

    folders = {"workspaceFolders": [{"uri": root.as_uri(), "name": "r"}]}
    at = {"line": 2, "character": 20}
    there = {
        "textDocument": {"uri": file.as_uri()},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": []},
    }
    over = threading.Event()
    reader = threading.Thread(target=read_on)
    reader.start()
    try:
        alone(talk())
    finally:
        over.set()
        reader.join()
        SOURCES.forget(str(file))
    assert "Did you mean `goal`?" in offered
