"""The record of what a computation reads.

A read is a hashable name of something that may change, such as an entry of the rules. Whoever gives access to such
things calls `note_read`, which costs next to nothing while no computation is recorded. Recordings nest: what an inner
computation reads is read by the outer ones, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

Read = Hashable
"""The name of something that may change."""

T = TypeVar("T")

_RECORDING: ContextVar[dict[Read, None] | None] = ContextVar("recording", default=None)
_FILES: ContextVar[dict[str, None] | None] = ContextVar("files", default=None)


def note_read(read: Read) -> None:
    """Add a read to the running recording, if there is one."""
    recording = _RECORDING.get()
    if recording is not None:
        recording[read] = None


def note_file(path: str | os.PathLike[str]) -> None:
    """Note in the running recordings, if any, that a file or folder is read, or that it is asked whether it exists."""
    recording, files = _RECORDING.get(), _FILES.get()
    if recording is not None:
        recording["file", os.fspath(path), ""] = None
    if files is not None:
        files[os.fspath(path)] = None


def note_reads(reads: Iterable[Read]) -> None:
    """Add reads to the running recording, if there is one. Call this to use an earlier result again."""
    recording, files = _RECORDING.get(), _FILES.get()
    if recording is None and files is None:
        return
    reads = dict.fromkeys(reads)
    if recording is not None:
        recording.update(reads)
    if files is not None:
        files.update(dict.fromkeys(read[1] for read in reads if isinstance(read, tuple) and read[0] == "file"))


@contextmanager
def record_reads(*, alone: bool = False) -> Iterator[dict[Read, None]]:
    """Record the reads in the block, in order and each once.

    They are also added to the outer recording, unless they are to be recorded `alone`.
    """
    reads: dict[Read, None] = {}
    token = _RECORDING.set(reads)
    try:
        yield reads
    finally:
        _RECORDING.reset(token)
        if not alone:
            note_reads(reads)


@contextmanager
def record_files() -> Iterator[dict[str, None]]:
    """Record the paths of files and folders that are read in the block. It costs much less than recording all reads.

    At the end of the block they are added to the outer recording, too.
    """
    files: dict[str, None] = {}
    token = _FILES.set(files)
    try:
        yield files
    finally:
        _FILES.reset(token)
        outer = _FILES.get()
        if outer is not None:
            outer.update(files)


class Memo:
    """Results of functions within one state of what they read, which therefore never change.

    A result is stored with its reads, and whoever gets it reads them, too. A plain dictionary would hide from the
    second computation what the first one has read.
    """

    __slots__ = ("_results",)

    def __init__(self) -> None:
        self._results: dict[Hashable, tuple[Any, tuple[Read, ...] | None]] = {}

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the result stored for `key`, or else compute and store it.

        Also adds what was read to the running recording.

        A result that was computed without a recording is computed again the first time that one is running.
        """
        stored = self._results.get(key)
        recording = _RECORDING.get()
        if stored is not None:
            value, reads = stored
            if recording is None:
                return value  # type: ignore[no-any-return]
            if reads is not None:
                note_reads(reads)
                return value  # type: ignore[no-any-return]
            # The value was computed while nothing was recorded.
        if recording is None:
            value = compute()
            self._results[key] = value, None
            return value
        with record_reads() as recorded:
            value = compute()
        self._results[key] = value, tuple(recorded)
        return value
