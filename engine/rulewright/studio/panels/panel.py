"""The interface between a panel and the studio, independent of HTTP."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from rulewright.lsp.features.workspace import Workspace
from rulewright.studio.panels.background_job import Jobs

Answer = Mapping[str, Any]
"""The response of a panel as JSON data."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """The page's name for a file.

    `path` is relative to the studio's folder, with `/` as separator. For a read-only file elsewhere, it is
    `<edition>/<file>`.
    """

    path: str
    readonly: bool


class Files(Protocol):
    """The files known to the page, from the studio's folder and from base layers elsewhere."""

    def place(self, path: str, /) -> Path:
        """Return the absolute path of a file, given the page's name for it.

        Raises `RulewrightError` if the page has no such file.
        """

    def named(self, file: str | Path, /) -> NamedFile | None:
        """Return the page's name for a file, or None if the page does not have it."""

    def write(self, path: str, text: str, base: str | None, /) -> str:
        """Write a file of the folder, add it to the history and notify every window. Returns the new version.

        `base` is the version of the text it replaces (see `version`), None for a new file. Raises `RulewrightError` if
        the file has changed or is not writable.
        """

    def version(self, path: str, /) -> tuple[str, str]:
        """Return the text and the version of a file. Raises `RulewrightError`."""


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """The resources that all panels of a studio share.

    `folder` is the project folder. `scratch` is a folder for temporary files that the studio deletes when it closes.
    The workspace has the files as they are on disk, without unsaved text. Where several threads use it, `lock` gives
    each of them its turn; it must be reentrant. `open_executor` opens an executor for so many games at once.
    """

    folder: Path
    scratch: Path
    files: Files
    jobs: Jobs
    _workspace: Workspace
    lock: AbstractContextManager[Any] = field(default_factory=nullcontext)
    open_executor: Callable[[int], AbstractContextManager[Executor]] = lambda _: _open_here()
    _pending: deque[Path] = field(default_factory=deque)
    """Changed files that the workspace has not been notified of yet."""

    @contextmanager
    def workspace(self) -> Iterator[Workspace]:
        """Yield the workspace, updated from disk, with exclusive access.

        Rulesets are immutable. Take one from the workspace and leave the context before a long computation.
        """
        with self.lock:
            with suppress(IndexError):
                while True:
                    self._workspace.texts.note_change(self._pending.popleft())
            yield self._workspace

    def changed(self, paths: Iterable[Path]) -> None:
        """Record changed files without waiting for exclusive access to the workspace."""
        self._pending.extend(paths)


def _open_here() -> AbstractContextManager[Executor]:
    from rulewright.analysis.simulation.workers import LocalExecutor

    return LocalExecutor()


@dataclass(frozen=True, slots=True)
class PanelRequest:
    """A request from the page, with the position of the cursor (from 1, columns in code points).

    `ref` selects the edition, or is None if the page does not name one. `more` has the panel's own parameters.
    """

    path: str
    line: int
    column: int
    ref: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServedFile:
    """A file with its media type and, for a page, its content security policy."""

    content: bytes
    kind: str
    policy: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel with its title, its position, and the functions that answer requests and serve its files.

    `answer` runs in a thread, several calls at once. It raises `RulewrightError` with a message for the panel. `serve`
    receives the path below `/book/`, without the leading slash, and the query string. It returns None for the files of
    other panels. `guide` is the page of the documentation about the panel, such as `design/dice.md`, and `command` the
    command that shows the same.
    """

    title: str
    place: int
    answer: Callable[[Desk, PanelRequest], Answer]
    serve: Callable[[Desk, str, str], ServedFile | None] | None = None
    guide: str = ""
    command: str = "studio"
