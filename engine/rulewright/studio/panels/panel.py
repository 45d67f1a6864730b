"""What a panel is, what it is asked, and what it is given to answer with. Nothing here knows of the web."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, Protocol

from rulewright.lsp.features.workspace import Workspace
from rulewright.studio.panels.background_job import Jobs

Answer = Mapping[str, Any]
"""What a panel says: plain JSON."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """What the page calls a file.

    Its path below the studio's folder, with `/`, or `<edition>/<file>` of what lies elsewhere, which nobody can change
    from here (`readonly`).
    """

    path: str
    readonly: bool


class Files(Protocol):
    """The files in sight: those of the studio's folder, and those of the layers that its rules stand on."""

    def place(self, path: str, /) -> Path:
        """Return the file that the page calls so, absolute.

        Raises `RulewrightError` where none in sight is called so.
        """

    def named(self, file: str | Path, /) -> NamedFile | None:
        """Return what the page calls a file; None where it is not in sight."""

    def write(self, path: str, text: str, base: str | None, /) -> str:
        """Write a file of the folder whole, as the page does: in its history, told to every window.

        `base` is the version of the text that was read before (`version`), None for a file that is new. Gives the new
        version. Raises `RulewrightError` where somebody else was faster, or nothing may be written there.
        """

    def version(self, path: str, /) -> tuple[str, str]:
        """Return the text of a file and its version. Raises `RulewrightError`."""


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """What all panels of a studio share.

    `folder` is what the studio is about, `scratch` a folder for what is made to be looked at, which goes with the
    studio. What is on disk is the truth: nothing in the workspace is typed and not saved.
    """

    folder: Path
    scratch: Path
    files: Files
    jobs: Jobs
    _workspace: Workspace
    _lock: RLock = field(default_factory=RLock)
    _pending: deque[Path] = field(default_factory=deque)
    """Files that changed on disk, and of which the workspace does not know yet."""

    @contextmanager
    def workspace(self) -> Iterator[Workspace]:
        """Yield the editions as the disk has them now; no other thread uses them meanwhile.

        A ruleset that comes from it never changes: take it, and work it out when others may ask again.
        """
        with self._lock:
            self._catch_up()
            yield self._workspace

    def changed(self, paths: Iterable[Path]) -> None:
        """Record changed files without waiting for whoever uses the workspace."""
        self._pending.extend(paths)
        if self._lock.acquire(blocking=False):
            try:
                self._catch_up()
            finally:
                self._lock.release()

    def _catch_up(self) -> None:
        with suppress(IndexError):
            while True:
                self._workspace.texts.note_change(self._pending.popleft())


@dataclass(frozen=True, slots=True)
class PanelRequest:
    """What the page asks: where the cursor stands (lines and columns from 1, columns in code points).

    In which edition (`ref`, None where the page does not say), and whatever else this panel understands (`more`).
    """

    path: str
    line: int
    column: int
    ref: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServedFile:
    """A page or what belongs to it: its bytes, what they are, and what it may load (a content security policy)."""

    content: bytes
    kind: str
    policy: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: its title, its place in the row, who answers, and who serves what it shows.

    `answer` is called in a thread, several at once. It raises `RulewrightError` for what cannot be told: the page shows
    it in the panel. `serve` is asked for what lies under `/book/`, by its path there without the slash before it and
    by what follows its `?`; None where it is nothing of this panel's.
    """

    title: str
    place: int
    answer: Callable[[Desk, PanelRequest], Answer]
    serve: Callable[[Desk, str, str], ServedFile | None] | None = None
