"""An editor, as far as a language server sees one: messages with a length over a program's streams, and no library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

ENGINE = Path(__file__).resolve().parents[2] / "engine"


class Editor:
    """A client of `rulewright lsp`. `shown` are the diagnostics of each file, as they were sent last."""

    def __init__(self, root: Path | None, *arguments: str, capabilities: Any = None, value: Any = None) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ENGINE), os.environ.get("PYTHONPATH", "")])}
        self.program = subprocess.Popen(
            [sys.executable, "-m", "rulewright", "lsp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=root,
        )
        self.shown: dict[str, list[dict[str, Any]]] = {}
        self.told: deque[dict[str, Any]] = deque()
        self.versions: dict[str, int] = {}
        self.replies: dict[str, Callable[[Any], Any]] = {}
        """What this client answers to what the server asks, by the method."""
        self._asked = 0
        folders = [{"uri": root.as_uri(), "name": root.name}] if root else None
        self.server = self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": None,
                "capabilities": capabilities or {},
                "workspaceFolders": folders,
                "initializationOptions": value,
            },
        )
        self.tell("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.communicate()

    # -- messages ------------------------------------------------------------------------

    def send(self, message: Any) -> None:
        self.write(json.dumps(message).encode())

    def write(self, body: bytes) -> None:
        assert self.program.stdin is not None
        self.program.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.program.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """Return the result. Raises `AssertionError` where the server says that it has none."""
        answer = self.answer(method, params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        """Return the whole answer, be it a result or an error."""
        self._asked += 1
        self.send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self._asked and "method" not in message:
                return message

    def read(self) -> dict[str, Any]:
        """Return the next message, diagnostics taken in."""
        assert self.program.stdout is not None
        length = 0
        while (line := self.program.stdout.readline()) != b"\r\n":
            assert line, f"the server is gone: {self.program.stderr.read().decode() if self.program.stderr else ''}"
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self.program.stdout.read(length))
        if "method" in message and "id" in message:
            answer = self.replies.get(message["method"], lambda _: None)(message.get("params"))
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})
        if message.get("method") == "textDocument/publishDiagnostics":
            self.shown[message["params"]["uri"]] = message["params"]["diagnostics"]
        self.told.append(message)
        return message

    def checked(self) -> int:
        """Wait until everything typed is checked; how many errors there are."""
        while True:
            message = self.read()
            known = message["params"]["versions"] if message.get("method") == "rulewright/checked" else None
            if known is not None and all(known.get(uri) == version for uri, version in self.versions.items()):
                break
        errors: int = message["params"]["errors"]
        return errors

    # -- typing --------------------------------------------------------------------------

    def open(self, path: Path, text: str | None = None) -> None:
        self.versions[path.as_uri()] = 1
        text = path.read_bytes().decode() if text is None else text
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def type(self, path: Path, text: str) -> None:
        self.versions[path.as_uri()] += 1
        document = {"uri": path.as_uri(), "version": self.versions[path.as_uri()]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def close(self, path: Path) -> None:
        self.versions.pop(path.as_uri())
        self.tell("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def leave(self) -> int:
        """Say good-bye as the protocol has it; the exit code."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.program.wait(timeout=60)


def at(path: Path, text: str, mark: str, *, into: int = 0, nth: int = 0) -> dict[str, Any]:
    """Return the document and position of the `nth` occurrence of `mark` in a text, so many characters into it."""
    place = -1
    for _ in range(nth + 1):
        place = text.index(mark, place + 1)
    before = text[: place + into]
    character = len(before[before.rfind("\n") + 1 :].encode("utf-16-le")) // 2
    position = {"line": before.count("\n"), "character": character}
    return {"textDocument": {"uri": path.as_uri()}, "position": position}
