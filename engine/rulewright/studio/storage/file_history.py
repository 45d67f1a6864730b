"""History of all changes to a folder's files, including those from outside the studio, with undo and redo.

The history is in `.rulewright/history/` inside the folder. It consists of a log with one line of JSON per change,
oldest first, and the file contents. The log line follows the write, so a killed process leaves at most one change
unrecorded. The next start detects it like any other outside change and ignores an incomplete last line. Log and
contents have a maximum size. Old saves from one burst of typing merge into one line first. After that, the oldest lines
are deleted.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal

from rulewright.source.files.atomic_write import write_text
from rulewright.studio.storage.blob_store import VERSION, BlobStore
from rulewright.studio.storage.state_dir import OWN, refuse_strange

_IGNORED = "# The state of `rulewright studio` for this folder; safe to delete.\n*\n"

Source = Literal["studio", "outside"]
How = Literal["save", "undo", "redo"]

MOST_ENTRIES = 4_000
"""The number of log lines to keep when the log is shortened."""
SPARE_ENTRIES = 1_000
"""The number of lines beyond `MOST_ENTRIES` at which the log is shortened."""
MOST_BYTES = 64 * 1024 * 1024
"""The maximum size of stored contents in bytes. Beyond it, the older half of all lines is deleted."""
IN_ONE_GO = timedelta(minutes=1)
"""The maximum time between edits that are merged into one old history entry."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change to one file, with the versions before and after it, None for a file that did not exist.

    Undo and redo treat all entries of one `step` as a unit. An undo or redo entry names the step it affects in `of`.
    """

    id: str
    when: str
    words: str
    path: str
    source: Source
    before: str | None
    after: str | None
    step: str
    how: How = "save"
    of: str = ""


@dataclass(frozen=True, slots=True)
class UndoStep:
    """A group of entries that are undone together, oldest first."""

    entries: tuple[HistoryEntry, ...]

    @property
    def id(self) -> str:
        """The id of the first entry, because two steps may share the step name that a client chose."""
        return self.entries[0].id

    def list_versions(self) -> dict[str, tuple[str | None, str | None]]:
        """Return the versions of each file before and after the whole step, by path. None means no file."""
        versions: dict[str, tuple[str | None, str | None]] = {}
        for entry in self.entries:
            first = versions.get(entry.path, (entry.before, None))[0]
            versions[entry.path] = first, entry.after
        return versions

    @property
    def words(self) -> str:
        """The descriptions of the entries, without duplicates."""
        named = dict.fromkeys(entry.words for entry in self.entries)
        return "; ".join(named)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True, eq=False)
class FileHistory:
    """The history of the folder `root`. Its user must hold the lock of the folder.

    Methods raise `OSError`. Writing methods also raise `RefusedError` if a symbolic link would lead out of the folder.
    """

    root: Path
    now: Callable[[], datetime] = _now
    most: int = MOST_ENTRIES
    spare: int = SPARE_ENTRIES
    room: int = MOST_BYTES
    known: dict[str, str | None] = field(default_factory=dict)
    """The last known version of each file."""
    entries: list[HistoryEntry] = field(default_factory=list)
    contents: BlobStore = field(init=False)
    _done: list[UndoStep] = field(default_factory=list)
    _undone: list[UndoStep] = field(default_factory=list)
    _read: int = 0
    _file: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        self.contents = BlobStore(self.folder / "contents")

    @property
    def folder(self) -> Path:
        """The folder of the history."""
        return self.root / OWN / "history"

    @property
    def log(self) -> Path:
        """The path of the log file."""
        return self.folder / "log.jsonl"

    def open(self) -> None:
        """Create the missing files and read the log.

        Raises `OSError`, and `RefusedError` if a file or folder of the history is a link or has the wrong type.
        """
        self.refuse_strange()
        self.contents.open()
        ignoring = self.folder.parent / ".gitignore"
        # A folder from elsewhere may contain a `.gitignore` that does not exclude private files.
        if not ignoring.is_file() or ignoring.read_bytes() != _IGNORED.encode():
            write_text(ignoring, _IGNORED)
        self.catch_up()

    @property
    def lock(self) -> Path:
        """The file that a writer locks."""
        return self.folder / "lock"

    def refuse_strange(self) -> None:
        """Raise `RefusedError` if one of the history's files or folders is a link or has the wrong type."""
        parts = (self.folder.parent, self.folder, self.contents.folder)
        files = (self.folder.parent / ".gitignore", self.log, self.lock)
        folders, names = (tuple(p.relative_to(self.root).as_posix() for p in each) for each in (parts, files))
        refuse_strange(self.root, folders, names)

    def catch_up(self) -> None:
        """Read the lines that this or another process has added.

        Starts again if the file was replaced. Skips damaged lines.
        """
        try:
            status = self.log.stat()
        except FileNotFoundError:
            return
        if (status.st_dev, status.st_ino) != self._file or status.st_size < self._read:
            self.entries, self._done, self._undone, self._read = [], [], [], 0
            self._file = status.st_dev, status.st_ino
        if status.st_size == self._read:
            return
        with self.log.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        whole = data.rpartition(b"\n")[0]
        for line in whole.split(b"\n") if whole else ():
            entry = _entry(line)
            if entry is not None:
                self._take(entry)
        self._read += len(whole) + 1 if whole else 0

    def add(self, entries: Iterable[HistoryEntry]) -> None:
        """Append entries to the log in one write, and shrink the history if it is too large.

        Raises `OSError`, and `RefusedError` if a file or folder of the history is a link or has the wrong type.
        """
        self.refuse_strange()
        lines = "".join(json.dumps(asdict(entry), ensure_ascii=True) + "\n" for entry in entries).encode()
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab+") as file:
            size = file.seek(0, os.SEEK_END)
            if size:
                file.seek(size - 1)
            # A process was killed while it wrote a line.
            if size and file.read(1) != b"\n":
                lines = b"\n" + lines
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        self.catch_up()
        if len(self.entries) > self.most + self.spare or self.contents.size > self.room:
            self._thin()

    def entry(
        self,
        path: str,
        words: str,
        *,
        before: str | None,
        after: str | None,
        source: Source = "studio",
        step: str = "",
        how: How = "save",
        of: str = "",
    ) -> HistoryEntry:
        """Return a new entry for a change to a file, with the current time. The entry is not written."""
        when = self.now().isoformat(timespec="milliseconds")
        identity = token_hex(8)
        return HistoryEntry(identity, when, words, path, source, before, after, step or identity, how, of)

    def of(self, path: str) -> list[HistoryEntry]:
        """Return the entries of a file, or of all files if the path is empty, newest first."""
        return [entry for entry in reversed(self.entries) if not path or entry.path == path]

    def find(self, identity: str) -> HistoryEntry | None:
        """Return the entry with this id, or None."""
        return next((entry for entry in reversed(self.entries) if entry.id == identity), None)

    def to_undo(self) -> UndoStep | None:
        """Return the next step to undo, or None.

        Steps are passed over if another program has changed one of their files since. If that leaves none, the result
        is the latest step.
        """
        return self._find_latest(self._done, itemgetter(1))

    def to_redo(self) -> UndoStep | None:
        """Return the next step to redo, or None. Steps are passed over as in `to_undo`."""
        return self._find_latest(self._undone, itemgetter(0))

    # -- internals -----------------------------------------------------------------------

    def _find_latest(
        self, steps: list[UndoStep], expect: Callable[[tuple[str | None, str | None]], str | None]
    ) -> UndoStep | None:
        """Return the latest step whose files have the version that `expect` picks, or else the latest step."""
        for step in reversed(steps):
            if all(self.known.get(path) == expect(versions) for path, versions in step.list_versions().items()):
                return step
        return steps[-1] if steps else None

    def _take(self, entry: HistoryEntry) -> None:
        """Add an entry of the log to `entries`, and to the steps that can be undone or redone. A save ends redoing.

        Changes by other programs are only added to `entries`.
        """
        last = self.entries[-1] if self.entries else None
        self.entries.append(entry)
        self.known[entry.path] = entry.after
        if entry.source != "studio":
            return
        if entry.how == "save":
            self._undone.clear()
            step = self._done[-1] if self._done else None
            if step is not None and last is step.entries[-1] and last.step == entry.step:
                self._done[-1] = UndoStep((*step.entries, entry))
            else:
                self._done.append(UndoStep((entry,)))
        elif entry.how == "undo":
            _move_step(entry.of, self._done, self._undone)
        elif entry.how == "redo":
            _move_step(entry.of, self._undone, self._done)

    def _thin(self) -> None:
        """Merge old bursts of typing and, if that is not enough, delete the oldest entries.

        Rewrites the log, and deletes the contents that no entry needs.
        """
        most = self.most if self.contents.size <= self.room else min(self.most, len(self.entries) // 2)
        recent = most // 4
        left = [*_condense(self.entries[: len(self.entries) - recent], self.entries), *self.entries[-recent:]]
        if len(left) > most:
            # A step without its first entries cannot be undone.
            steps = {entry.step for entry in left[: len(left) - most]}
            left = [entry for entry in left[-most:] if entry.step not in steps]
        write_text(self.log, "".join(json.dumps(asdict(entry)) + "\n" for entry in left))
        self.catch_up()
        now = {version for version in self.known.values() if version}
        self.contents.keep_only(now | {each for entry in left for each in (entry.before, entry.after) if each})


def _move_step(identity: str, steps: list[UndoStep], others: list[UndoStep]) -> None:
    """Move the step with an id from one list to the end of the other, if it is there."""
    for place, step in enumerate(steps):
        if step.id == identity:
            others.append(steps.pop(place))
            return


def _condense(entries: list[HistoryEntry], every: list[HistoryEntry]) -> list[HistoryEntry]:
    """Return the entries with each burst of typing merged into one save. The studio saves many times a minute.

    `every` are all entries of the log. Entries that were undone, or that share their step with others, stay as they
    are.
    """
    named = {entry.of for entry in every if entry.of}
    together = Counter(entry.step for entry in every)
    history_entries: list[HistoryEntry] = []
    begun = datetime.min.replace(tzinfo=UTC)
    for entry in entries:
        last = history_entries[-1] if history_entries else None
        when = _moment(entry)
        alone = entry.how == "save" and entry.source == "studio" and together[entry.step] == 1 and entry.id not in named
        if (
            last is not None
            and alone
            and last.how == "save"
            and last.source == "studio"
            and together[last.step] == 1
            and last.id not in named
            and (last.path, last.after) == (entry.path, entry.before)
            and timedelta() <= when - begun <= IN_ONE_GO
        ):
            history_entries[-1] = replace(entry, before=last.before)
        else:
            history_entries.append(entry)
            begun = when
    return history_entries


def _moment(entry: HistoryEntry) -> datetime:
    """Return the time of an entry, in UTC if it names no time zone. An unreadable time is the earliest possible."""
    try:
        result = datetime.fromisoformat(entry.when)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return result if result.tzinfo is not None else result.replace(tzinfo=UTC)


_KEYS = {each.name for each in fields(HistoryEntry)}


def _entry(line: bytes) -> HistoryEntry | None:
    """Return the entry on a log line, or None if the line is invalid."""
    try:
        data: Mapping[str, Any] = json.loads(line)
        entry = HistoryEntry(**{key: value for key, value in data.items() if key in _KEYS})
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    texts = (entry.id, entry.when, entry.words, entry.path, entry.source, entry.step, entry.how, entry.of)
    versions = (entry.before, entry.after)
    sound = all(isinstance(each, str) for each in texts) and all(each is None or _is_version(each) for each in versions)
    return entry if sound else None


def _is_version(value: object) -> bool:
    return isinstance(value, str) and VERSION.fullmatch(value) is not None
