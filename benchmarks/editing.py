"""Measure the time from a keystroke to the diagnostics in an editor, in the largest edition.

The script misspells a word of a rule and corrects it. The clock runs from the message with the new text to the matching
diagnostics. The processor time of the server is measured too, because on a busy machine only that is meaningful. For
comparison, `yaml-language-server` gets a fault that it can see in the same file: a key that the schema does not know.
It reads only that file, and knows no names, types or layers. If it is not installed (`npm install
yaml-language-server`, in a folder given with --node), only our results are shown.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from math import isnan, nan
from pathlib import Path
from statistics import median
from time import clock_gettime, perf_counter
from typing import Any, NamedTuple

from _report import Ratio, report

CHECKOUT = Path(__file__).resolve().parents[1]
FILE = CHECKOUT / "rules" / "fuzzy-knights" / "normal-1.0" / "turn.yaml"
TARGET = 0.1
"""The maximum seconds until diagnostics are shown."""


class Waited(NamedTuple):
    """The wall-clock time and the processor time of the server, in seconds."""

    passed: float
    worked: float

    def __str__(self) -> str:
        return f"median {1_000 * self.passed:7.1f} ms, of work {1_000 * self.worked:7.1f} ms"


class Server:
    """A running language server and its messages."""

    def __init__(self, command: list[str], root: Path) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root
        )
        folders = [{"uri": root.as_uri(), "name": "rules"}]
        capabilities = {"textDocument": {"publishDiagnostics": {}}, "workspace": {"configuration": False}}
        self.send(
            id=1,
            method="initialize",
            params={
                "processId": None,
                "rootUri": root.as_uri(),
                "capabilities": capabilities,
                "workspaceFolders": folders,
            },
        )
        while self.read().get("id") != 1:
            pass
        self.send(method="initialized", params={})

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise SystemExit("a server is gone")
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        if "method" in message and "id" in message:  # a request of the server, which needs an answer
            self.send(id=message["id"], result=None)
        return message

    def open(self, path: Path, text: str) -> None:
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})

    def worked(self) -> float:
        """Return the processor time of the server in seconds, or NaN if the system does not report it."""
        try:
            # The clock of another process, as Linux names it (clock_getcpuclockid).
            return clock_gettime((~self.process.pid << 3) | 2)
        except OSError:
            return nan

    def seconds(self, path: Path, text: str, version: int, *, wrong: bool) -> Waited:
        """Return the time from a change to the diagnostics of the file, with or without a fault."""
        document = {"uri": path.as_uri(), "version": version}
        start, before = perf_counter(), self.worked()
        self.send(
            method="textDocument/didChange", params={"textDocument": document, "contentChanges": [{"text": text}]}
        )
        while True:
            message = self.read()
            if message.get("method") != "textDocument/publishDiagnostics" or message["params"]["uri"] != path.as_uri():
                continue
            if any(each.get("severity", 1) == 1 for each in message["params"]["diagnostics"]) is wrong:
                return Waited(perf_counter() - start, self.worked() - before)


def waited(server: Server, path: Path, right: str, wrong: str, runs: int) -> Waited:
    """Return the median time until a mistake is reported, in `runs` runs after one that warms up."""
    server.open(path, wrong)
    durations, version = [], 1
    server.seconds(path, wrong + "\n", 2, wrong=True)
    version = 2
    for _ in range(runs):
        server.seconds(path, right, version := version + 1, wrong=False)
        durations.append(server.seconds(path, wrong, version := version + 1, wrong=True))
    server.process.kill()
    return Waited(median(each.passed for each in durations), median(each.worked for each in durations))


def main() -> int:
    """Measure our server, and the other one if it is installed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=11, help="mistakes of each kind (default: %(default)s)")
    parser.add_argument("--node", type=Path, metavar="DIR", help="where `node_modules` has yaml-language-server")
    arguments = parser.parse_args()
    right = FILE.read_text(encoding="utf-8")
    ours = [sys.executable, "-m", "rulewright", "lsp"]
    mistakes = {
        "a name that is not there": right.replace("hero.movement", "hero.movment", 1),
        "a key of no meaning": right + "\nnonsense: {}\n",
        "no YAML": right + "\nnumbers: [\n",
    }
    times: dict[str, Waited] = {}
    for what, wrong in mistakes.items():
        durations = waited(Server(ours, CHECKOUT), FILE, right, wrong, arguments.runs)
        times[what] = durations
        print(f"{what:<28} rulewright lsp        {durations}")
    ratios = [
        Ratio(f"{what}, to the squiggle, {of} compared with a tenth of a second", seconds / TARGET)
        for what, each in times.items()
        for of, seconds in (("passed", each.passed), ("worked", each.worked))
        if not isnan(seconds)
    ]
    if arguments.node is not None:
        script = arguments.node / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server"
        theirs = ["node", str(script), "--stdio"]
        what = "a key of no meaning"
        durations = waited(Server(theirs, CHECKOUT), FILE, right, mistakes[what], arguments.runs)
        print(f"{what:<28} yaml-language-server  {durations}")
        ratios.append(Ratio(f"{what}, compared with yaml-language-server", times[what].passed / durations.passed))
    return report(ratios)


if __name__ == "__main__":
    raise SystemExit(main())
