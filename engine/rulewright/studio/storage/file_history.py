"""What became of the files of a folder: every save, whoever made it, and what can be undone of it.

It lies in `.rulewright/history/` of the folder itself: a line of JSON for each thing that happened, oldest first, and
what files held. A line is added when a file is written, so that a process that is killed leaves a file without its line
at most; the next one finds that out, as it finds what others wrote meanwhile. What was lost of a line at the end is no
line. Both are bounded: what was typed in one go, long ago, becomes one line, and then the oldest goes first.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal

from rulewright.source.files.atomic_write import write_text
from rulewright.studio.storage.blob_store import VERSION, BlobStore
from rulewright.studio.storage.state_dir import OWN, refuse_strange

_IGNORED = "# What `rulewright studio` remembers of this folder; safe to delete.\n*\n"

Source = Literal["studio", "outside"]
How = Literal["save", "undo", "redo"]

MOST_ENTRIES = 4_000
"""Lines that are kept when there are too many."""
SPARE_ENTRIES = 1_000
"""Lines above that before the oldest go."""
MOST_BYTES = 64 * 1024 * 1024
"""Bytes of kept contents above which the older half of all lines goes."""
IN_ONE_GO = timedelta(minutes=1)
"""How long what is typed counts as typed in one go, when it is long ago."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One file that was written, made or taken away: its versions before and after, None where there was none.

    Entries of one `step` are undone together. An undoing or redoing has the step it is about in `of`.
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
    """What is undone together: the entries of it, oldest first."""

    entries: tuple[HistoryEntry, ...]

    @property
    def id(self) -> str:
        """What it goes by: whoever saves says what belongs together, and may say so twice."""
        return self.entries[0].id

    def list_versions(self) -> dict[str, tuple[str | None, str | None]]:
        """Return the version of each file before all of it, and after."""
        found: dict[str, tuple[str | None, str | None]] = {}
        for entry in self.entries:
            first = found.get(entry.path, (entry.before, None))[0]
            found[entry.path] = first, entry.after
        return found

    @property
    def words(self) -> str:
        """What was done."""
        named = dict.fromkeys(entry.words for entry in self.entries)
        return "; ".join(named)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True, eq=False)
class FileHistory:
    """The history of the folder `root`. Whoever uses it holds the lock of the folder.

    Methods raise `OSError`; those that write, `RefusedError` where a link would lead them out of the folder.
    """

    root: Path
    now: Callable[[], datetime] = _now
    most: int = MOST_ENTRIES
    spare: int = SPARE_ENTRIES
    room: int = MOST_BYTES
    known: dict[str, str | None] = field(default_factory=dict)
    """The version of each file as it was seen last."""
    entries: list[HistoryEntry] = field(default_factory=list)
    kept: BlobStore = field(init=False)
    _done: list[UndoStep] = field(default_factory=list)
    _undone: list[UndoStep] = field(default_factory=list)
    _read: int = 0
    _file: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        self.kept = BlobStore(self.folder / "contents")

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.root / OWN / "history"

    @property
    def log(self) -> Path:
        """The file of its lines."""
        return self.folder / "log.jsonl"

    def open(self) -> None:
        """Make what is missing, and read what is there."""
        self.refuse_strange()
        self.kept.open()
        ignoring = self.folder.parent / ".gitignore"
        # A folder may come with one that lets through what is nobody else's.
        if not ignoring.is_file() or ignoring.read_bytes() != _IGNORED.encode():
            write_text(ignoring, _IGNORED)
        self.catch_up()

    @property
    def lock(self) -> Path:
        """The file that whoever writes in the folder holds a lock on."""
        return self.folder / "lock"

    def refuse_strange(self) -> None:
        """Raise `RefusedError` where something of it is a link, which would lead what is written elsewhere."""
        parts = (self.folder.parent, self.folder, self.kept.folder)
        files = (self.folder.parent / ".gitignore", self.log, self.lock)
        folders, names = (tuple(p.relative_to(self.root).as_posix() for p in each) for each in (parts, files))
        refuse_strange(self.root, folders, names)

    def catch_up(self) -> None:
        """Read what was added since, by this process or another one."""
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
        """Write down what happened, all of it at once."""
        self.refuse_strange()
        lines = "".join(json.dumps(asdict(entry), ensure_ascii=True) + "\n" for entry in entries).encode()
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab+") as file:
            size = file.seek(0, os.SEEK_END)
            if size:
                file.seek(size - 1)
            # Somebody was killed in the midst of a line.
            if size and file.read(1) != b"\n":
                lines = b"\n" + lines
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        self.catch_up()
        if len(self.entries) > self.most + self.spare or self.kept.size > self.room:
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
        """Return what happened to a file now."""
        when = self.now().isoformat(timespec="milliseconds")
        identity = token_hex(8)
        return HistoryEntry(identity, when, words, path, source, before, after, step or identity, how, of)

    def of(self, path: str) -> list[HistoryEntry]:
        """Return what happened to a file, or, without a path, to any; the newest first."""
        return [entry for entry in reversed(self.entries) if not path or entry.path == path]

    def find(self, identity: str) -> HistoryEntry | None:
        """Return one thing that happened."""
        return next((entry for entry in reversed(self.entries) if entry.id == identity), None)

    def to_undo(self) -> UndoStep | None:
        """Return what would be undone next."""
        return self._done[-1] if self._done else None

    def to_redo(self) -> UndoStep | None:
        """Return what would be done again next."""
        return self._undone[-1] if self._undone else None

    # -- inside --------------------------------------------------------------------------

    def _take(self, entry: HistoryEntry) -> None:
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
        elif entry.how == "undo" and self._done and self._done[-1].id == entry.of:
            self._undone.append(self._done.pop())
        elif entry.how == "redo" and self._undone and self._undone[-1].id == entry.of:
            self._done.append(self._undone.pop())

    def _thin(self) -> None:
        """Tell what is long ago in fewer words, and let go of the oldest where that is not enough."""
        most = self.most if self.kept.size <= self.room else min(self.most, len(self.entries) // 2)
        recent = most // 4
        left = [*_condensed(self.entries[: len(self.entries) - recent], self.entries), *self.entries[-recent:]]
        if len(left) > most:
            # Of a step that lost its beginning nothing is undone.
            steps = {entry.step for entry in left[: len(left) - most]}
            left = [entry for entry in left[-most:] if entry.step not in steps]
        write_text(self.log, "".join(json.dumps(asdict(entry)) + "\n" for entry in left))
        self.catch_up()
        now = {version for version in self.known.values() if version}
        self.kept.keep_only(now | {each for entry in left for each in (entry.before, entry.after) if each})


def _condensed(entries: list[HistoryEntry], every: list[HistoryEntry]) -> list[HistoryEntry]:
    """Return what was typed in one go as one save: what is typed is saved many times a minute."""
    named = {entry.of for entry in every if entry.of}
    together = Counter(entry.step for entry in every)
    found: list[HistoryEntry] = []
    begun = datetime.min.replace(tzinfo=UTC)
    for entry in entries:
        last = found[-1] if found else None
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
            found[-1] = replace(entry, before=last.before)
        else:
            found.append(entry)
            begun = when
    return found


def _moment(entry: HistoryEntry) -> datetime:
    try:
        found = datetime.fromisoformat(entry.when)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


_KEYS = {each.name for each in fields(HistoryEntry)}


def _entry(line: bytes) -> HistoryEntry | None:
    """Return a line as what it says; None where it says nothing that can be understood."""
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
