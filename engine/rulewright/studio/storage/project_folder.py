"""Version-checked access to the files of a project folder.

Every write names the version it replaces, so no client overwrites changes it has not seen. Reading, comparing, writing
and recording happen under one lock, which also excludes other studio processes on the same folder.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import IO, Any, NoReturn

from rulewright.base.errors import RulewrightError
from rulewright.book.site.atomic_swap import MARK
from rulewright.source.files.atomic_write import describe_write_error, lock_folders, open_replacement
from rulewright.studio.storage.file_content import Content, build_content, read
from rulewright.studio.storage.file_history import FileHistory, HistoryEntry, How, Source, UndoStep
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.safe_paths import KINDS, check_writable, place

try:
    import fcntl
except ImportError:  # Windows has no such lock, so two studios on one folder notice each other's saves with a delay
    fcntl = None  # type: ignore[assignment]

MOST_FILES = 3_000
"""The maximum number of files listed for a folder."""
MOST_SEEN = 30_000
"""The maximum number of files and folders of any type visited to find them."""
_DEEPEST = 8
_PASSED_OVER = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class FileChange:
    """A changed file and its new version, or None if the file was deleted."""

    path: str
    version: str | None


Notify = Callable[[list[FileChange], Source], None]
"""A function that receives changes and their source: this studio or another program."""


@dataclass(slots=True, eq=False)
class Folder:
    """The files below `root`, a path without symbolic links.

    After it releases the lock, the folder calls `notify` for every change.
    """

    root: Path
    notify: Notify
    history: FileHistory = field(init=False)
    _lock: RLock = field(default_factory=RLock)
    _depth: int = 0
    _shared: IO[bytes] | None = None
    _told: list[tuple[list[FileChange], Source]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.history = FileHistory(self.root)

    def open(self) -> None:
        """Create the history if needed and record the changes made since it was last open.

        Raises `RulewrightError` if the folder is not writable.
        """
        try:
            self.history.open()
            self.look(first=True)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise RulewrightError(f"the studio cannot work in `{self.root}`: {reason}") from None

    # -- reading -------------------------------------------------------------------------

    def list_files(self) -> list[tuple[str, int]]:
        """Return the name and size in bytes of each rules, drawing or text file.

        The walk is sorted within each folder. It skips hidden and unreadable files, built books and deeply nested
        folders, and stops early in a folder with very many files.
        """
        files: list[tuple[str, int]] = []
        seen = 0
        for inside, below, names in os.walk(self.root):
            seen += len(below) + len(names)
            if seen > MOST_SEEN:
                return files
            if MARK in names:  # a book built by Rulewright
                below[:] = []
                continue
            depth = len(Path(inside).relative_to(self.root).parts)
            below[:] = [
                name
                for name in sorted(below)
                if not name.startswith(".") and name not in _PASSED_OVER and depth < _DEEPEST
            ]
            for name in sorted(names):
                if name.endswith(KINDS) and not name.startswith("."):
                    path = Path(inside, name)
                    with suppress(OSError, RefusedError):
                        files.append(
                            (self.place(self.find_name(path)).relative_to(self.root).as_posix(), path.stat().st_size)
                        )
                if len(files) >= MOST_FILES:
                    return files
        return files

    def place(self, name: object) -> Path:
        """Return the path of the file with this name. Raises `RefusedError`."""
        return place(self.root, name)

    def find_name(self, path: Path) -> str:
        """Return the name of a file below the folder. Raises `RefusedError` if the file is outside."""
        if not path.is_relative_to(self.root):
            raise RefusedError(404, f"`{path}` is not in this folder")
        return path.relative_to(self.root).as_posix()

    def read(self, name: object) -> Content:
        """Return the content of a file. Raises `RefusedError` if it does not exist or is unreadable."""
        content = read(self.place(name))
        if content is None:
            raise RefusedError(404, f"there is no file `{name}`")
        return content

    # -- writing -------------------------------------------------------------------------

    def refuse_taken(self, name: object) -> None:
        """Raise `RefusedError` if a file or folder with this name exists.

        A folder that contains nothing but generated schemas does not count.
        """
        place = self.place(name)
        if os.path.lexists(place) and not _is_left(place):
            raise RefusedError(409, f"{name} already exists; nothing in it was changed")

    def save(self, name: object, text: object, base: object, *, step: str = "", words: str = "") -> str:
        """Write a text in place of the version `base` and return the new version.

        `base` is None for a new file. Entries with the same `step` are undone together. `words` is the description in
        the history. Saving the current content again does nothing.

        Raises `RefusedError`, with status 409 and the current content if the file has another version.
        """
        path = check_writable(name)
        with self.lock():
            before = read(self.place(path))
            after = build_content(text, before)
            if before is not None and before.version == after.version:
                return after.version  # a repeated request whose first response was lost
            self._expect(path, before, base)
            description = words or _describe(path, before, after)
            self._change({path: (before, after)}, description, step=step)
            return after.version

    def delete(self, name: object, base: object) -> None:
        """Delete a file that still has the version `base`.

        Raises `RefusedError` if there is no such file, or if it has another version.
        """
        path = check_writable(name)
        with self.lock():
            before = self.read(path)
            self._expect(path, before, base)
            self._change({path: (before, None)}, f"{path} removed")

    def rename(self, name: object, to: object, base: object) -> str:
        """Rename a file that still has the version `base`, and return its version.

        Raises `RefusedError`, also if a file with the new name exists.
        """
        path, new = check_writable(name), check_writable(to)
        with self.lock():
            before = self.read(path)
            self._expect(path, before, base)
            self._expect(new, read(self.place(new)), None)
            self._change({new: (None, before), path: (before, None)}, f"{path} renamed to {new}")
            return before.version

    def put(self, texts: Mapping[str, tuple[str, str | None]], words: str) -> None:
        """Write several files as one undo step, each in place of the version it names, None for a new file.

        `words` is the description in the history. Raises `RefusedError` before any file is written if one of them has
        changed or is not valid.
        """
        with self.lock():
            changes: dict[str, tuple[Content | None, Content | None]] = {}
            for name, (text, base) in texts.items():
                path = check_writable(name)
                before = read(self.place(path))
                self._expect(path, before, base)
                changes[path] = before, build_content(text, before)
            self._change(changes, words)

    def put_beside(self, name: str, data: bytes) -> None:
        """Write a generated file without recording it in the history. Raises `RefusedError`."""
        with self.lock():
            self._write(name, Content(data))

    # -- history -------------------------------------------------------------------------

    def describe_undo(self) -> dict[str, Any]:
        """Return the id, description and files of the next undo and redo steps, None for a step that does not exist."""
        with self._lock:
            steps = {"undo": self.history.to_undo(), "redo": self.history.to_redo()}
        return {
            way: {"id": step.id, "words": step.words, "paths": sorted(step.list_versions())} if step else None
            for way, step in steps.items()
        }

    def undo(self, seen: object = None) -> tuple[UndoStep, list[FileChange]]:
        """Undo the last step whose files no other program has changed since, and return it with the changed files.

        With `seen`, the step must have this id. Raises `RefusedError` if it has another one, if there is nothing to
        undo, or if a file has changed since.
        """
        with self.lock():
            self.look()
            step = self.history.to_undo()
            if step is None:
                raise RefusedError(409, "there is nothing to undo")
            self._expect_step(step, seen)
            changes = {path: (after, before) for path, (before, after) in step.list_versions().items()}
            return step, self._walk(step, changes, f"undone: {step.words}", "undo")

    def redo(self, seen: object = None) -> tuple[UndoStep, list[FileChange]]:
        """Redo the step undone last whose files no other program has changed, and return it with the changed files.

        With `seen`, the step must have this id. Raises `RefusedError` if it has another one, if there is nothing to
        redo, or if a file has changed since.
        """
        with self.lock():
            self.look()
            step = self.history.to_redo()
            if step is None:
                raise RefusedError(409, "there is nothing to redo")
            self._expect_step(step, seen)
            return step, self._walk(step, step.list_versions(), f"redone: {step.words}", "redo")

    def restore(self, path: str, content: Content, base: object, words: str) -> str:
        """Restore an old content in place of the version `base`, and return the version of that content.

        `base` is None if the file was deleted. `words` describes the change in the history. Raises `RefusedError` if
        the path is not writable, or if the file is no longer in the version `base`.
        """
        check_writable(path)
        with self.lock():
            before = read(self.place(path))
            self._expect(path, before, base)
            self._change({path: (before, content)}, words)
            return content.version

    def look(self, *, first: bool = False) -> list[FileChange]:
        """Detect and record the changes that other programs made, and return them. Unreadable files are skipped.

        With `first`, files not seen before are recorded as known, without a history entry.
        """
        with self.lock():
            known = self.history.known
            there = [name for name, _ in self.list_files()]
            changed: list[FileChange] = []
            entries: list[HistoryEntry] = []
            for name in dict.fromkeys([*there, *(name for name, version in known.items() if version)]):
                try:
                    content = read(self.place(name))
                except RefusedError:
                    continue
                version = content.version if content is not None else None
                if name in known and known[name] == version:
                    continue
                if content is not None:
                    self.history.contents.put(content)
                changed.append(FileChange(name, version))
                before = known.get(name)
                if name in known or not first:
                    how = "removed" if version is None else "created" if before is None else "changed"
                    entries.append(
                        self.history.entry(
                            name, f"{name} {how} elsewhere", before=before, after=version, source="outside"
                        )
                    )
                known[name] = version
            if entries:
                self.history.add(entries)
            self._notify(changed, "outside")
            return changed

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder against other writers, and notify windows at the end.

        The lock is reentrant. An `OSError` raised under the lock becomes a `RefusedError`.
        """
        lines: list[tuple[list[FileChange], Source]] = []
        try:
            with self._lock:
                self._depth += 1
                try:
                    if self._depth == 1:
                        self.history.refuse_strange()
                        self._share()
                        self._catch_up()
                    yield
                except OSError as error:
                    self._fail(error)
                finally:
                    self._depth -= 1
                    if not self._depth:
                        self._unshare()
                        lines, self._told = self._told, []
        finally:
            for changed, source in lines:
                self.notify(changed, source)

    # -- internals -----------------------------------------------------------------------

    def _expect(self, path: str, before: Content | None, base: object) -> None:
        """Raise `RefusedError` if a file does not have the version that the writer expects."""
        version = before.version if before is not None else None
        if base is not None and not isinstance(base, str):
            raise RefusedError(400, "`base` must be the version that was read, or null for a new file")
        if version == base:
            return
        if before is None:
            raise RefusedError(409, f"{path} was removed in the meantime", {"version": None, "text": None})
        words = f"{path} already exists" if base is None else f"{path} was changed in the meantime"
        raise RefusedError(409, words, {"version": version, "text": before.text})

    def _expect_step(self, step: UndoStep, seen: object) -> None:
        """Raise `RefusedError` if the client saw another step than this one."""
        if seen is not None and not isinstance(seen, str):
            raise RefusedError(400, "`step` must be the id of the step shown, or be left out")
        if seen is not None and seen != step.id:
            raise RefusedError(
                409,
                f"another change was saved in the meantime ({step.words}), so nothing was undone or redone",
                {"steps": self.describe_undo()},
            )

    def _change(
        self,
        changes: Mapping[str, tuple[Content | None, Content | None]],
        words: str,
        *,
        step: str = "",
        how: How = "save",
        of: str = "",
    ) -> list[FileChange]:
        """Write the changes, store both contents of each file, and add them to the history as one step.

        `changes` has the contents before and after by path. `words` describe the step, and `step` is its id if it
        continues one. For `how` "undo" or "redo", `of` is the id of the step in question. Windows are notified at the
        end of the lock. Raises `RefusedError`, before any file is written, if one has changed, and `OSError`.
        """
        saved = self.history.contents
        entries: list[HistoryEntry] = []
        done: list[FileChange] = []
        for before, after in changes.values():
            for content in (before, after):
                if content is not None:
                    saved.put(content)
        self._write_all(changes)
        for path, (before, after) in changes.items():
            old, new = (each.version if each is not None else None for each in (before, after))
            # Changes to several files form one step, even if the caller names none.
            step = step or (entries[0].step if entries else "")
            entries.append(self.history.entry(path, words, before=old, after=new, step=step, how=how, of=of))
            self.history.known[path] = new
            done.append(FileChange(path, new))
        self.history.add(entries)
        self._notify(done, "studio")
        return done

    def _walk(
        self, step: UndoStep, changes: Mapping[str, tuple[str | None, str | None]], words: str, how: How
    ) -> list[FileChange]:
        """Replace the files of a step with other versions and return the changes.

        Raises `RefusedError`, before any file is written, if one has changed or its stored content is gone.
        """
        contents: dict[str, tuple[Content | None, Content | None]] = {}
        for path, (now, then) in changes.items():
            before = read(self.place(path))
            if (before.version if before is not None else None) != now:
                raise RefusedError(
                    409, f"{path} was changed elsewhere since then: restore the part you want from its history"
                )
            after = self.history.contents.get(then) if then is not None else None
            if then is not None and after is None:
                raise RefusedError(410, f"that version of {path} is no longer kept")
            contents[path] = before, after
        return self._change(contents, words, how=how, of=step.id)

    def _write_all(self, changes: Mapping[str, tuple[Content | None, Content | None]]) -> None:
        """Write all changes, or restore the files already written if one fails.

        Raises `RefusedError` before any file is written if one has changed, because programs other than the studio do
        not take the lock.
        """
        done: list[str] = []
        with lock_folders(*(self.place(path).parent for path in changes)):
            for path, (before, _) in changes.items():
                self._expect(path, read(self.place(path)), before.version if before is not None else None)
            try:
                for path, (_, after) in changes.items():
                    self._write(path, after)
                    done.append(path)
            except BaseException:
                for path in reversed(done):
                    with suppress(OSError, RefusedError):
                        self._write(path, changes[path][0])
                raise

    def _write(self, path: str, content: Content | None) -> None:
        """Write a file and create its folder, or delete the file if there is no content.

        Raises `OSError`, and `RefusedError` if the path leads out of the folder.
        """
        target = self.place(path)
        if content is None:
            target.unlink(missing_ok=True)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        # Another program may have replaced the new folder with a link, so resolve the path again.
        with open_replacement(self.place(path)) as beside:
            beside.write_bytes(content.data)

    def _catch_up(self) -> None:
        """Read the history entries that another studio added, and queue notifications for them."""
        before = dict(self.history.known)
        self.history.catch_up()
        known = self.history.known
        changed = [FileChange(path, known[path]) for path in known if before.get(path, "") != known[path]]
        if before:
            self._notify(changed, "outside")

    def _notify(self, changed: list[FileChange], source: Source) -> None:
        if changed:
            self._told.append((changed, source))

    def _fail(self, error: OSError) -> NoReturn:
        """Raise `RefusedError` for an I/O error, naming the file relative to the folder.

        The status is 507 if the disk is full and 403 otherwise.
        """
        status = 507 if error.errno in (errno.ENOSPC, errno.EDQUOT) else 403
        if error.filename is None:
            raise RefusedError(status, f"cannot write to this folder: {error.strerror or error}") from None
        path = Path(os.fsdecode(error.filename))
        name = path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else path.name
        raise RefusedError(status, describe_write_error(name, error)) from None

    def _share(self) -> None:
        """Wait for the lock between processes, and take it. Does nothing if the file system has no locks."""
        if fcntl is None:
            return
        with suppress(OSError):  # not every file system supports locks
            handle = os.open(self.history.lock, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
            self._shared = os.fdopen(handle, "wb")
            fcntl.flock(self._shared, fcntl.LOCK_EX)

    def _unshare(self) -> None:
        if self._shared is not None:
            self._shared.close()
            self._shared = None


def _is_left(folder: Path) -> bool:
    """Return whether a folder contains at most generated schemas, which remain when a start is undone."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    for inside, below, names in os.walk(folder):
        if any(Path(inside, each).is_symlink() for each in below):
            return False
        if names and (Path(inside) != folder / "schema" or not all(each.endswith(".schema.json") for each in names)):
            return False
    return True


def _describe(path: str, before: Content | None, after: Content) -> str:
    """Return the description of a change for the history: the file and its changed lines, or that the file is new."""
    if before is None:
        return f"{path} made"
    old, new = before.data.split(b"\n"), after.data.split(b"\n")
    most = min(len(old), len(new))
    top = next((at for at in range(most) if old[at] != new[at]), most)
    bottom = next((at for at in range(most - top) if old[-1 - at] != new[-1 - at]), most - top)
    first, last = top + 1, len(new) - bottom
    return f"{path}, line {first}" if last <= first else f"{path}, lines {first} to {last}"


def changes_to_data(changed: list[FileChange]) -> list[dict[str, Any]]:
    """Return changes as data for the events that windows receive."""
    return [{"path": each.path, "version": each.version} for each in changed]
