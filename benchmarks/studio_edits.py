"""Measure the studio's processor time after an edit, until all rules are checked and the book page is shown.

A window opens the house rules of `house_edits.py` in `rulewright studio` and makes the same edits, with the file's
language server and the panel *Read*, as the page in the browser does: it also saves each edit. The clock counts the
processor time of the studio, from the edit until the diagnostics of all editions are known and the page of the book is
served. Later work of the studio is counted with the next edit.
For comparison, the studio is opened on these rules, which were checked before. The memory of the studio after all edits
is compared with that after fifty.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from _report import Ratio, report
from house_edits import EDITS, HOUSE
from websockets.sync.client import ClientConnection, connect

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(
    0, str(CHECKOUT)
)  # the studio as a process is one of the helpers of the tests, and no package has those

from tests.studio.running import TOKEN, Running  # noqa: E402

SOON = 50
"""The number of edits before the first measurement of memory."""

TICK = 1 / os.sysconf("SC_CLK_TCK")


class Window:
    """A window of a studio that shows one file and its page of the book."""

    def __init__(self, studio: Running, connection: ClientConnection, path: Path) -> None:
        self.studio = studio
        self.connection = connection
        self.path = path
        self.version = 0
        self.spent = 0.0
        folders = [{"uri": path.parent.as_uri(), "name": path.parent.name}]
        initialize = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders}
        self.send({"id": 1, "method": "initialize", "params": initialize})
        while self.read().get("id") != 1:
            pass
        self.send({"method": "initialized", "params": {}})

    def send(self, message: dict[str, Any]) -> None:
        self.connection.send(json.dumps({"jsonrpc": "2.0", **message}))

    def read(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.connection.recv())
        return message

    def show(self, text: str) -> float:
        """Put a text into the file, and return the processor time until all of it is checked and shown, in seconds."""
        self.version += 1
        uri = self.path.as_uri()
        document = {"uri": uri, "version": self.version}
        if self.version == 1:
            opened = {"textDocument": {**document, "languageId": "yaml", "text": text}}
            self.send({"method": "textDocument/didOpen", "params": opened})
        else:
            changed = {"textDocument": document, "contentChanges": [{"text": text}]}
            self.send({"method": "textDocument/didChange", "params": changed})
        while True:
            message = self.read()
            is_checked = message.get("method") == "rulewright/checked"
            if is_checked and message["params"]["versions"].get(uri) == self.version:
                break
        self.save(text)
        line = next(number for number, line in enumerate(text.splitlines(), start=1) if line.startswith("procedures"))
        place = {"path": self.path.name, "line": line + 9, "column": 5, "saved": False}
        answer = json.loads(self.ask("POST", "/api/panel/read", json.dumps(place)))
        self.ask("GET", answer["page"])
        before, self.spent = self.spent, read_processor_time(self.studio.program.pid)
        return self.spent - before

    def save(self, text: str) -> None:
        """Save the file, as the page does after each change."""
        name = self.path.name
        base = json.loads(self.ask("GET", f"/api/file?path={name}"))["version"]
        self.ask("PUT", "/api/file", json.dumps({"path": name, "text": text, "base": base}))

    def ask(self, method: str, address: str, body: str | None = None) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.studio.port)
        connection.request(method, address, body, make_cookie(self.studio))
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"{method} {address}: {answer.status} {content[:500]!r}")
        return content


def make_cookie(studio: Running) -> dict[str, str]:
    """Return the authentication header of a window."""
    return {"Cookie": f"rulewright-studio-{studio.port}={TOKEN}"}


def read_processor_time(process: int) -> float:
    """Return the processor time of a process and of its children that have ended, in seconds."""
    numbers = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, numbers[11:15])) * TICK


def read_memory(process: int) -> int:
    """Return the memory of a process, in bytes."""
    return int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def open_studio(home: Path, text: str, edits: list[str]) -> tuple[float, list[float], tuple[int, int]]:
    """Open the studio and make the edits. Return the time to open, the times of the edits, and the memory.

    The memory is that after `SOON` edits, and that after all.
    """
    path = home / "rules.yaml"
    with Running(home) as studio:
        address = f"ws://127.0.0.1:{studio.port}/lsp"
        with connect(address, additional_headers=make_cookie(studio), max_size=None) as connection:
            window = Window(studio, connection, path)
            opening, times, soon = window.show(text), [], 0
            for number, edit in enumerate(edits, start=1):
                times.append(window.show(edit))
                soon = read_memory(studio.program.pid) if number == SOON else soon
            return opening, times, (soon, read_memory(studio.program.pid))


def main() -> int:
    """Open the studio twice. Make all edits the second time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=19, help="rounds of all edits (default: %(default)s)")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "house"
        shutil.copytree(HOUSE, home)
        text = (home / "rules.yaml").read_text(encoding="utf-8")
        edits = []
        for number in range(rounds):
            for old, change in EDITS.values():
                edits += [text.replace(old, change(number)), text]
        os.environ["RULEWRIGHT_CACHE"] = str(Path(folder) / "cache")
        first, _, _ = open_studio(home, text, [])
        opening, times, (soon, late) = open_studio(home, text, edits)
    print(f"{'opening for the first time':<32} {first:5.2f} s")
    print(f"{'opening what was checked before':<32} {opening:5.2f} s")
    print(f"{'an edit, median':<32} {median(times):5.2f} s")
    print(f"{'an edit, 95 of 100 within':<32} {quantiles(times, n=20)[-1]:5.2f} s")
    print(f"{'memory':<32} {soon / 1e6:5.0f} MB after {SOON} edits, {late / 1e6:.0f} MB after {len(edits)}")
    return report(
        [
            Ratio("an edit in the studio, compared with the first opening", median(times) / first),
            Ratio("the memory of the studio after all edits, compared with fifty", late / soon, at_most=1.2),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
