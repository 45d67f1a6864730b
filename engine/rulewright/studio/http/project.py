"""State of a running studio, with its folder, the rules in it and the connected windows."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from rulewright.base.errors import RulewrightError
from rulewright.base.scheduler import Scheduler, Work
from rulewright.book.site.atomic_swap import open_scratch as temporary
from rulewright.lsp.features.workspace import Workspace
from rulewright.lsp.server.protocol_types import find_path
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.files.atomic_write import describe_write_error
from rulewright.source.files.file_states import Look, look_at
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.studio.http.event_bus import EventBus
from rulewright.studio.http.example_list import Examples
from rulewright.studio.http.file_watcher import EVERY, watch_files
from rulewright.studio.http.scheduler_thread import SchedulerThread
from rulewright.studio.panels.background_job import Jobs
from rulewright.studio.panels.panel import Desk, NamedFile
from rulewright.studio.storage.file_content import Content, read
from rulewright.studio.storage.file_history import Source
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.project_folder import FileChange, Folder, changes_to_data

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rulewright.analysis.simulation.play_expectations import ExpectationReport

_NO_MORE = object()
_CHECK = "the background check of the rules"

BOOK = "published"
"""The folder for the built book, inside the studio's folder."""

QUIET = 3.0
"""The number of seconds without a change before a check."""


@dataclass(slots=True)
class ReleaseProgress:
    """The progress of releases, kept while the studio runs.

    `balance` has the simulation reports by gameplay digest and balance targets, `versions` the editions with a version
    that the user chose, and `books` the file versions from which each book was built.
    """

    balance: dict[str, ExpectationReport] = field(default_factory=dict)
    versions: set[str] = field(default_factory=set)
    books: dict[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Project:
    """The project folder that `rulewright studio` serves. `rules` are additional folders with editions.

    The background check begins `quiet` seconds after the last change. Changes by other programs are noticed after about
    `every` seconds.
    """

    root: Path
    rules: Sequence[Path] = ()
    quiet: float = QUIET
    every: float = EVERY
    bell: EventBus = field(default_factory=EventBus)
    scheduler: Scheduler = field(default_factory=Scheduler)
    examples: Examples = field(init=False)
    released: ReleaseProgress = field(default_factory=ReleaseProgress)
    folder: Folder = field(init=False)
    desk: Desk = field(init=False)
    _workers: Sequence[SchedulerThread] = field(init=False)
    _below: dict[str, NamedFile] = field(default_factory=dict)
    """The files of layers outside the folder, by `build_file_key`."""
    _places: dict[str, Path] = field(default_factory=dict)
    """The folders of these layers by their names in the page."""
    _listeners: list[Callable[[list[Path]], None]] = field(default_factory=list)
    _seen: Look = ()
    _looking: AbstractContextManager[object] = field(default_factory=RLock)
    """The lock of `look`: a second call waits until the first has recorded what it has seen."""
    _open: ExitStack = field(default_factory=ExitStack)
    _sound: dict[str, bool | None] = field(default_factory=dict)

    def open(self) -> None:
        """Open the folder, which is created if missing, and set up the studio's parts.

        Replaces `root` with its real path. Starts no threads. Raises `RulewrightError` if the folder is not usable.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            # Storage relies on a root path without symbolic links.
            self.root = Path(os.path.realpath(self.root))
        except FileExistsError:
            raise RulewrightError(f"`{self.root}` is a file; name its folder") from None
        except (OSError, ValueError) as error:
            raise RulewrightError(describe_write_error(self.root, error)) from None
        self.folder = Folder(self.root, self._announce_change)
        # This also deletes the temporary folders of killed studios.
        scratch = self._open.enter_context(temporary(Path(tempfile.gettempdir()), "rulewright-studio-"))
        workspace = Workspace([self.root, *self.rules], turn=RLock())
        jobs = Jobs(self.bell.publish)
        self.desk = Desk(self.root, scratch, _Files(self), jobs, workspace, workspace.turn, _open_processes)
        self.examples = Examples(self.scheduler)
        self._workers = [SchedulerThread(self.scheduler), SchedulerThread(jobs.scheduler)]
        try:
            self.folder.open()
        except RulewrightError:
            self._open.close()
            raise
        self._seen = self._glance()

    def open_workspace(self) -> Workspace:
        """Return a workspace for a window. It shares with all others what checks have found."""
        with self.desk.workspace() as workspace:
            return Workspace(workspace.folders, traces=workspace.traces.share(), turn=workspace.turn)

    def begin(self) -> None:
        """Watch for file changes and check the editions, in a thread, and run jobs in another."""
        self.scheduler.put("the polling for changed files", watch_files(self.look, self.every))
        self.scheduler.put(_CHECK, self.check(), rest=self.quiet)
        for worker in self._workers:
            worker.begin()

    def close(self) -> None:
        """Stop all threads and jobs, end the event streams and delete temporary files."""
        self._workers[0].close()
        self.bell.close()
        self.desk.jobs.close()
        self._workers[1].close()
        self._open.close()

    # -- changes -----------------------------------------------------------------------------

    def look(self) -> None:
        """Record changes by other programs, in the folder or in base layers elsewhere, and notify all windows."""
        with self._looking:
            seen = self._glance()
            if seen == self._seen:
                return
            self.folder.look()
            before, self._seen = self._seen, seen
            below = set(map(str, self._places.values()))
            # A file listed for the first time has not changed.
            known = {each[0] for each in before}
            moved = [each[0] for each in set(seen) - set(before) if each[0] in below & known]
            if moved:
                self._take_in([Path(path) for path in moved])
                self.bell.publish(
                    {"kind": "changed", "files": [{"path": self._name_file(path), "version": None} for path in moved]}
                )

    def on_change(self, listener: Callable[[list[Path]], None]) -> Callable[[], None]:
        """Register a listener for changed files, and return a function that removes it.

        Any thread may call the listener.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _glance(self) -> Look:
        own = [self.root / name for name, _ in self.folder.list_files()]
        return look_at([*own, *self._places.values()])

    def _announce_change(self, changed: list[FileChange], source: Source) -> None:
        self._take_in([self.root / each.path for each in changed])
        steps = self.folder.describe_undo()
        self.bell.publish({"kind": "changed", "source": source, "files": changes_to_data(changed), "steps": steps})

    def _take_in(self, paths: list[Path]) -> None:
        self.desk.changed(paths)
        for listener in list(self._listeners):
            listener(paths)
        self.scheduler.put(_CHECK, self.check(), rest=self.quiet)

    def check(self) -> Work:
        """Check the editions in the folder, part by part, and notify all windows if another one has errors than before.

        Between two parts, panels can use the workspace.
        """
        with self.desk.workspace() as workspace:
            editions = self.list_editions(workspace)
        results: dict[str, bool | None] = {}
        for edition in editions:
            with self.desk.workspace() as workspace:
                parts = workspace.check_in_parts(edition)
            is_whole = False
            while not is_whole:
                with self.desk.workspace() as workspace:
                    is_whole = next(parts, _NO_MORE) is _NO_MORE
                    results[edition.id] = workspace.is_sound(edition)
                yield None
        if results != self._sound:
            self._sound = results
            self.bell.publish({"kind": "folder"})

    def _name_file(self, path: str) -> str:
        named = self._below.get(build_file_key(path))
        return named.path if named is not None else path

    @contextmanager
    def open_scratch(self) -> Iterator[Path]:
        """Create a temporary folder and delete it at the end of the context."""
        with tempfile.TemporaryDirectory(dir=self.desk.scratch) as result:
            yield Path(result)

    # -- lookups ---------------------------------------------------------------------------

    def read_catalogue(self) -> Catalogue:
        """Return a new catalogue of all editions, read from disk."""
        with self.desk.workspace() as workspace:
            return Catalogue(workspace.get_catalogue().paths)

    def list_editions(self, workspace: Workspace) -> list[Edition]:
        """Return the editions inside the folder, in the order of the catalogue."""
        return [edition for edition in workspace.get_catalogue().list_editions() if self.is_own(edition.folder)]

    def chain(self, workspace: Workspace, edition: Edition) -> list[Edition]:
        """Return an edition and its base layers, uppermost first.

        Return only the edition if a layer is missing or broken.
        """
        try:
            result = workspace.get_catalogue().chain(edition)
        except DiagnosticError:
            return [edition]
        return result[::-1]

    def find_edition(self, workspace: Workspace, ref: object) -> Edition:
        """Return the edition in the folder with this id or ruleset name. Raises `RefusedError` if there is none."""
        for edition in self.list_editions(workspace):
            if ref in (edition.id, edition.ruleset):
                return edition
        raise RefusedError(404, f"there is no edition `{ref}` in this folder")

    def is_own(self, path: Path) -> bool:
        """Return whether a path is inside the folder."""
        return Path(build_file_key(path)).is_relative_to(build_file_key(self.root))

    def name_outside_file(self, edition: Edition, file: Path) -> NamedFile:
        """Return the page's name for a file of a base layer elsewhere, and make the file readable and watched."""
        named = NamedFile(f"{edition.id}/{file.relative_to(edition.folder).as_posix()}", True)
        self._below[build_file_key(file)] = named
        self._places[named.path] = Path(file)
        return named

    def name_uri(self, uri: object) -> str:
        """Return the page's name for the file with this URI. Raises `RefusedError` if the page has no such file."""
        path = find_path(uri) if isinstance(uri, str) else None
        named = self.desk.files.named(path) if path is not None else None
        if named is None:
            raise RefusedError(404, f"`{uri}` is not a file of this project")
        return named.path

    def refuse_readonly(self, name: object) -> None:
        """Raise `RefusedError` if a file belongs to a base layer outside the folder."""
        if isinstance(name, str) and name in self._places:
            raise RefusedError(403, f"`{name}` belongs to an edition outside this folder: extend it in your own rules")

    def read_file(self, name: object) -> tuple[Content, bool]:
        """Return the content of a file and whether it is read-only.

        Raises `RefusedError` if there is no such file or it cannot be read.
        """
        if isinstance(name, str) and name in self._places:
            result = read(self._places[name])
            if result is not None:
                return result, True
        return self.folder.read(name), False


def _open_processes(games: int) -> AbstractContextManager[Executor]:
    from rulewright.analysis.simulation.workers import open_processes

    return open_processes(games)


@dataclass(frozen=True, slots=True)
class _Files:
    """The files known to the page, as the panels access them."""

    studio: Project

    def place(self, path: str, /) -> Path:
        below = self.studio._places.get(path)
        return below if below is not None else self.studio.folder.place(path)

    def named(self, file: str | Path, /) -> NamedFile | None:
        """Return the page's name for a file, and whether it is read-only, or None if the page has no such file."""
        key = build_file_key(file)
        below = self.studio._below.get(key)
        if below is not None:
            return below
        root = Path(build_file_key(self.studio.root))
        return NamedFile(Path(key).relative_to(root).as_posix(), False) if Path(key).is_relative_to(root) else None

    def write(self, path: str, text: str, base: str | None, /) -> str:
        return self.studio.folder.save(path, text, base)

    def version(self, path: str, /) -> tuple[str, str]:
        content, _ = self.studio.read_file(path)
        return content.text, content.version


def find_status(error: RulewrightError) -> int:
    """Return the HTTP status for an error, 422 unless it is a `RefusedError`."""
    return error.status if isinstance(error, RefusedError) else 422
