"""The studio as a process: killed while it saves, ended in order, and telling its windows what happens elsewhere."""

from __future__ import annotations

import http.client
import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from rulewright.cli.main import main
from tests.studio.running import TOKEN, Running

TEXTS = [f"# {number}\n" + f"numbers: {{n_{number}: {number}}}\n" * 400 for number in range(400)]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    (tmp_path / "rules.yaml").write_text(TEXTS[0])
    with Running(tmp_path) as program:
        yield program


def request(running: Running, method: str, address: str, body: Any = None) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
    cookie = {"Cookie": f"rulewright-studio-{running.port}={TOKEN}"}
    connection.request(method, address, json.dumps(body) if body is not None else None, cookie)
    answer = connection.getresponse()
    data = json.loads(answer.read())
    connection.close()
    return data


class Events:
    """What a window is told, one event after the other."""

    def __init__(self, running: Running) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
        self.connection.request("GET", "/api/events", headers={"Cookie": f"rulewright-studio-{running.port}={TOKEN}"})
        self.answer = self.connection.getresponse()
        assert self.next()["kind"] == "hello"

    def next(self) -> dict[str, Any]:
        while True:
            line = self.answer.readline()
            assert line, "the server hung up"
            if line.startswith(b"data: "):
                data: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
                return data

    def until(self, path: str) -> dict[str, Any]:
        while True:
            told = self.next()
            if told["kind"] == "changed" and path in [each["path"] for each in told["files"]]:
                return told


@pytest.mark.slow
def test_a_server_that_is_killed_while_it_saves_leaves_the_old_text_or_the_new_one(running: Running) -> None:
    """What a window heard of is there; what it did not hear of is there whole, or not at all and can be sent again."""
    answered = 0
    for kill_after in (7, 31):
        version = request(running, "GET", "/api/file?path=rules.yaml")["version"]
        heard = threading.Event()

        def save(version: str = version, heard: threading.Event = heard, enough: int = answered + kill_after) -> None:
            nonlocal answered
            for number in range(answered + 1, len(TEXTS)):
                body = {"path": "rules.yaml", "text": TEXTS[number], "base": version}
                try:
                    version = request(running, "PUT", "/api/file", body)["version"]
                except (OSError, http.client.HTTPException, ValueError):
                    return
                answered = number
                if number >= enough:
                    heard.set()

        saving = threading.Thread(target=save)
        saving.start()
        assert heard.wait(60)
        running.kill()  # while the next one is on its way
        saving.join(60)
        text = (running.folder / "rules.yaml").read_text()
        assert text in (TEXTS[answered], TEXTS[answered + 1])
        running.start()
        # The window sends what it has not heard of again, against the version it knew.
        base = request(running, "GET", "/api/history?path=rules.yaml")["entries"]
        assert base
        known = request(running, "GET", "/api/file?path=rules.yaml")["version"]
        done = request(running, "PUT", "/api/file", {"path": "rules.yaml", "text": TEXTS[answered + 1], "base": known})
        assert "version" in done
        answered += 1
        assert (running.folder / "rules.yaml").read_text() == TEXTS[answered]
    # Whatever was saved can be had back, up to the first text.
    texts = set()
    for entry in request(running, "GET", "/api/history?path=rules.yaml")["entries"]:
        texts.add(request(running, "GET", f"/api/history/entry?id={entry['id']}")["text"])
    assert texts == set(TEXTS[: answered + 1])
    left = [path.name for path in running.folder.iterdir() if path.name.endswith(".part")]
    assert left == []


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    root = tmp_path_factory.mktemp("shared")
    (root / "rules.yaml").write_text(TEXTS[0])
    with Running(root) as program:
        yield program


@pytest.mark.slow
def test_every_window_hears_of_what_others_do(shared: Running) -> None:
    one, other = Events(shared), Events(shared)
    version = request(shared, "GET", "/api/file?path=rules.yaml")["version"]
    saved = request(shared, "PUT", "/api/file", {"path": "rules.yaml", "text": "a: 1\n", "base": version})["version"]
    for window in (one, other):
        assert window.until("rules.yaml")["files"] == [{"path": "rules.yaml", "version": saved}]
    (shared.folder / "rules.yaml").write_text("b: 1\n")
    for window in (one, other):
        told = window.until("rules.yaml")
        assert told["source"] == "outside"
        assert "text" not in told["files"][0]
    (shared.folder / "rules.yaml").unlink()
    assert one.until("rules.yaml")["files"] == [{"path": "rules.yaml", "version": None}]


@pytest.mark.slow
def test_the_language_server_knows_what_changes_on_disk(shared: Running) -> None:
    address = f"ws://127.0.0.1:{shared.port}/lsp"
    cookie = {"Cookie": f"rulewright-studio-{shared.port}={TOKEN}"}
    folder = shared.folder
    (folder / "ruleset.yaml").write_text("ruleset: house/ours\nversion: 0.1.0\nextends: pig/classic@1.0\ntitle: O\n")
    (folder / "rules.yaml").write_text("numbers: {goal: 50}\n")
    with connect(address, additional_headers=cookie, origin=f"http://127.0.0.1:{shared.port}") as socket:

        def tell(method: str, params: Any, **more: Any) -> None:
            socket.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}))

        def errors() -> int:
            while True:
                data = json.loads(socket.recv(60))
                if data.get("method") == "rulewright/checked":
                    errors: int = data["params"]["errors"]
                    return errors

        tell("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}, id=1)
        tell("initialized", {})
        document = {"uri": (folder / "ruleset.yaml").as_uri(), "languageId": "yaml", "version": 1}
        tell("textDocument/didOpen", {"textDocument": {**document, "text": (folder / "ruleset.yaml").read_text()}})
        assert errors() == 0
        (folder / "rules.yaml").write_text("numbers: {goal: fifty}\n")
        while errors() == 0:
            pass
        version = request(shared, "GET", "/api/file?path=rules.yaml")["version"]
        request(shared, "PUT", "/api/file", {"path": "rules.yaml", "text": "numbers: {goal: 40}\n", "base": version})
        while errors() != 0:
            pass


@pytest.mark.slow
def test_a_port_that_is_taken_is_told_of(shared: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studio", str(shared.folder), "--no-browser", "--port", str(shared.port)]) == 1
    assert f"cannot listen on port {shared.port}" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_who_ends_it_ends_it_in_order(running: Running, number: signal.Signals) -> None:
    window = Events(running)
    os.kill(running.program.pid, number)
    while window.next()["kind"] != "bye":
        pass
    assert running.program.wait(60) in (-number, 128 + number)
