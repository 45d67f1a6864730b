"""A desk to ask panels at: a folder on disk, with nothing of the web."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.lsp.features.workspace import Workspace
from rulewright.studio.panels import load_panels
from rulewright.studio.panels.background_job import Jobs
from rulewright.studio.panels.panel import Desk, NamedFile, PanelRequest


class DiskFiles:
    """The files of a folder, and those below `shipped`, which nobody may change."""

    def __init__(self, folder: Path, shipped: Path, changed: Callable[[Path], None]) -> None:
        self.folder = folder
        self.shipped = shipped
        self.changed = changed

    def place(self, path: str) -> Path:
        for root in (self.folder, self.shipped):
            if (root / path).exists():
                return root / path
        raise RulewrightError(f"there is no {path}")

    def named(self, file: str | Path) -> NamedFile | None:
        for root, readonly in ((self.folder, False), (self.shipped, True)):
            if Path(file).is_relative_to(root):
                return NamedFile(Path(file).relative_to(root).as_posix(), readonly)
        return None

    def version(self, path: str) -> tuple[str, str]:
        text = self.place(path).read_text(encoding="utf-8")
        return text, hashlib.sha256(text.encode()).hexdigest()

    def write(self, path: str, text: str, base: str | None) -> str:
        there = self.folder / path
        if (self.version(path)[1] if there.exists() else None) != base:
            raise RulewrightError("somebody else was faster")
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(text, encoding="utf-8")
        self.changed(there)
        return self.version(path)[1]


class Table:
    """A desk, with what it told every window."""

    def __init__(self, folder: Path, shipped: Path, scratch: Path) -> None:
        self.told: list[Mapping[str, Any]] = []
        workspace = Workspace([folder, shipped])
        files = DiskFiles(folder, shipped, workspace.texts.note_change)
        self.folder = folder
        self.desk = Desk(folder, scratch, files, Jobs(self.told.append), workspace)
        self.files = files

    def write(self, path: str, text: str) -> None:
        """Write a file as somebody outside does, and the studio hears of it."""
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")
        self.files.changed(self.folder / path)

    def wait_for(self, job: str) -> None:
        """Run the jobs until this one has ended."""
        self.desk.jobs.scheduler.run_until(lambda: self.desk.jobs.find(job) is None)

    def ask(self, panel: str, path: str, mark: str = "", *, ref: str | None = None, **more: Any) -> dict[str, Any]:
        """Ask a panel with the cursor on the first place in a file where `mark` stands."""
        line = column = 1
        if mark:
            text = self.files.place(path).read_text(encoding="utf-8")
            at = text.index(mark)
            line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        return dict(load_panels()[panel].answer(self.desk, PanelRequest(path, line, column, ref, more)))
