"""The language server: it receives edits, runs checks between messages, and publishes diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rulewright.base.resources import get_version
from rulewright.base.scheduler import Scheduler, Urgency, Work
from rulewright.lsp.features.edition_states import WorkspaceReport
from rulewright.lsp.features.workspace import Workspace
from rulewright.lsp.lsp_positions import Encoding
from rulewright.lsp.server.json_rpc import Endpoint, Json
from rulewright.lsp.server.protocol_types import Convert, build_data, find_path, place_of
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.unsaved_texts import build_file_key

CHECKED = "rulewright/checked"
"""The notification that all edits so far have been checked and their diagnostics published."""

_WATCHED = "**/*.{yaml,yml,svg}"

PAUSE = 0.2
"""The number of seconds without a keystroke that count as a pause in typing."""

QUIET = 2.0
"""The number of seconds after which to go on with a check whose result is known."""

_TURNS = 4
"""The number of event loop iterations between two parts of a check, enough to read and process a message."""

_OPEN_FILES = "the check of open files"

_ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


class RulesServer(Endpoint):
    """A server for one client. `rules` is its workspace, whose folders are searched besides those that it opens."""

    def __init__(self, rules: Workspace | None = None, *, docs: str = "") -> None:
        super().__init__()
        self.rules = rules or Workspace()
        self.convert = Convert(self.rules, {}, docs=docs)
        self.report = WorkspaceReport({}, whole=True)
        self.leaving = False
        """Whether the client has requested a shutdown."""
        self.seeds: dict[tuple[str, str], int] = {}
        """The seed of the last run of each entry of an edition."""
        self.shows_results = False
        """Whether the client displays results of commands itself."""
        self.results: TemporaryDirectory[str] | None = None
        """The folder of result pages for the client, deleted at exit."""
        self._client: Json = {}
        """The capabilities of the client."""
        self._given = list(self.rules.folders)
        self._roots: list[str] = []
        """The URIs of the open folders of the client."""
        self._sent: dict[str, list[Json]] = {}
        self._versions: dict[str, int | None] = {}
        """The versions of the open files, as reported by the client."""
        self._work = Scheduler()
        self._news = asyncio.Event()
        self._work.on_change = self._news.set
        self._known = asyncio.Event()
        """Set when the open files are checked in their current state."""
        self._known.set()
        self._working: asyncio.Task[None] | None = None

    # -- notifications -----------------------------------------------------------------------

    def begin(self, params: Json) -> Json:
        """Store what the client sent: its open folders, the unit of columns, and whether it shows results itself.

        Returns what the server can do.
        """
        self._client = params["capabilities"]
        encodings = self.find_capability("general", "positionEncodings")
        encodings = encodings if isinstance(encodings, list) else []
        self.convert.encoding = next((each for name in encodings for each in _ENCODINGS if each == name), "utf-16")
        options = params.get("initializationOptions")
        self.shows_results = isinstance(options, dict) and options.get("showsResults") is True
        root = params.get("rootUri")
        self._roots = [each["uri"] for each in params.get("workspaceFolders") or ()] or ([root] if root else [])
        self._look_in_roots()
        capabilities = {**self.capabilities, "positionEncoding": self.convert.encoding}
        if not self.find_capability("textDocument", "rename", "prepareSupport"):
            capabilities["renameProvider"] = True
        return {"capabilities": capabilities, "serverInfo": {"name": "rulewright", "version": get_version()}}

    def find_capability(self, *path: str) -> Any:
        """Return what the client says that it can do, under these keys, or None."""
        result: Any = self._client
        for key in path:
            result = result.get(key) if isinstance(result, dict) else None
        return result

    def _look_in_roots(self) -> None:
        self.rules.folders = [*self._given, *(folder for root in self._roots if (folder := place_of(root)) is not None)]

    def moved(self, added: Sequence[str], removed: Sequence[str]) -> None:
        """Update the open folders of the client and check again, because missing files may now exist."""
        self._roots = list(dict.fromkeys([*(root for root in self._roots if root not in removed), *added]))
        self._look_in_roots()
        self.rules.texts.changes[""] += 1
        self.check()

    def watch(self) -> None:
        """Ask the client to report external changes of files, if it supports that."""
        if not self.find_capability("workspace", "didChangeWatchedFiles", "dynamicRegistration"):
            return
        method, watchers = "workspace/didChangeWatchedFiles", [{"globPattern": _WATCHED}]
        registration = {"id": "files", "method": method, "registerOptions": {"watchers": watchers}}
        self.request("client/registerCapability", {"registrations": [registration]})

    def take(self, uri: str, text: str, version: int | None) -> None:
        """Store the text of an open file, and start a check. URIs that are not rules files are ignored."""
        path = find_path(uri)
        if path is None:
            return
        self.convert.uris[build_file_key(path)] = uri
        self.rules.texts.put(path, text)
        self._versions[uri] = version
        self.check()

    def close(self, uri: str) -> None:
        """Close a file, whose text is that of the disk from now on, and start a check.

        Does nothing for anything but a rules file.
        """
        path = find_path(uri)
        if path is not None:
            self.rules.texts.drop(path)
            self._versions.pop(uri, None)
            self.convert.uris.pop(build_file_key(path), None)
            self.check()

    def changed(self, uris: Sequence[str]) -> None:
        """Record external changes of files, and start a check.

        Open files are ignored, because their text is the client's.
        """
        for uri in uris:
            path = place_of(uri)
            if path is not None and build_file_key(path) not in self.rules.texts.typed:
                self.rules.texts.note_change(path)
        self.check()

    # -- the work ------------------------------------------------------------------------

    def check(self) -> None:
        """Start a check of everything that has changed, in place of one that is running. Messages come first."""
        self._known.clear()
        self._work.put(_OPEN_FILES, self._publish(self.rules.run_checks(near=True)), Urgency.OPEN)
        self._work.put("the check of dependent editions", self._check_all())
        if self._working is None or self._working.done():
            self._working = asyncio.get_running_loop().create_task(self._go_on())

    async def known(self) -> None:
        """Wait until the open files are checked in their current state."""
        await self._known.wait()

    def _check_all(self) -> Work:
        # Typing has priority. Dependent editions are checked only after a pause, because no part of a check can be
        # interrupted, and it would delay the next keystroke.
        if not self.rules.is_whole():
            yield PAUSE
        yield from self._publish(self.rules.run_checks())
        self.notify(CHECKED, {"errors": self._errors(), "versions": dict(self._versions)})
        if self.rules.is_unfinished:
            yield QUIET
            yield from self._publish(self.rules.finish_checks())

    def _publish(self, checks: Iterator[WorkspaceReport | None]) -> Work:
        """Run checks part by part, and publish their results."""
        for result in checks:
            if result is not None:
                self._publish_report(result)
            yield None

    async def _go_on(self) -> None:
        """Run the work until none is left, and read and process messages between its steps."""
        while True:
            for _ in range(_TURNS):
                await asyncio.sleep(0)
            self._news.clear()
            rest = self._work.run_step()
            if _OPEN_FILES not in self._work:
                self._known.set()
            if rest is None:
                return
            if rest:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), rest)

    def _errors(self) -> int:
        return sum(each.severity == "error" for result in self.report.diagnostics.values() for each in result)

    def _publish_report(self, workspace_report: WorkspaceReport) -> None:
        """Store a report as the latest, and publish the diagnostics of each file for which they have changed."""
        self.report = workspace_report
        now: dict[str, list[Json]] = {}
        for file, diagnostics in workspace_report.diagnostics.items():
            if file.startswith("<"):
                continue
            lines = self.convert.lines(file)
            now.setdefault(self.convert.uri(file), []).extend(
                self.convert.diagnostic(each, lines, workspace_report.editions.get(each, ())) for each in diagnostics
            )
        for uri in [*now, *(uri for uri in self._sent if uri not in now)]:
            current = now.get(uri, [])
            if self._sent.get(uri, []) != current:
                params = build_data(uri=uri, diagnostics=current, version=self._versions.get(uri))
                self.notify("textDocument/publishDiagnostics", params)
        self._sent = now

    def rules_file(self, uri: str) -> Path | None:
        """Return the file of a URI if it is a rules file, or None."""
        path = find_path(uri)
        return path if path is not None and self.rules.texts.find_home(path) is not None else None

    def found_in(self, path: Path) -> list[Diagnostic]:
        """Return the latest diagnostics of a file."""
        key = build_file_key(path)
        return [
            each
            for file, diagnostics in self.report.diagnostics.items()
            if not file.startswith("<") and build_file_key(file) == key
            for each in diagnostics
        ]
