"""Texts that stand in place of files: what somebody has typed and not saved yet.

Whoever reads files inside `in_place_of_files` is given these texts, also of files that are nowhere on disk yet.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_TEXTS: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default={})  # noqa: B039 (nobody changes it)


def build_file_key(path: str | os.PathLike[str]) -> str:
    """Return what a file goes by, however it is named: by a relative path, or by way of a link. Raises `ValueError`."""
    return os.path.normcase(os.path.realpath(path))


@contextmanager
def replace_files(texts: Mapping[str, str]) -> Iterator[None]:
    """Read `texts`, by `key_of_file`, in place of what the disk holds; in this thread, and until this ends."""
    before = _TEXTS.set(texts)
    try:
        yield
    finally:
        _TEXTS.reset(before)


def find_unsaved_text(path: str | os.PathLike[str]) -> str | None:
    """Return the text that stands in place of a file; None where the disk has it."""
    texts = _TEXTS.get()
    if not texts:
        return None
    try:
        return texts.get(build_file_key(path))
    except (OSError, ValueError):  # a name that cannot be one
        return None


def list_unsaved_files(folder: str | os.PathLike[str]) -> list[str]:
    """Return the names of the files in a folder, not below it, in whose place texts stand."""
    texts = _TEXTS.get()
    if not texts:
        return []
    parent = Path(build_file_key(folder))
    return [path.name for path in map(Path, texts) if path.parent == parent]


MOST_BYTES = 32 * 1024 * 1024
"""A larger file is no text that anybody judges."""


class FirstRead(Mapping[str, str]):
    """Files as they were when they were first read, by `key_of_file`: whoever judges them judges one state of each."""

    def __init__(self) -> None:
        self._texts: dict[str, str | None] = {}

    def __getitem__(self, key: str) -> str:
        if key not in self._texts:
            self._texts[key] = read_text_on_disk(key)
        text = self._texts[key]
        if text is None:
            raise KeyError(key)
        return text

    def __iter__(self) -> Iterator[str]:
        return (key for key, text in self._texts.items() if text is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return True  # a file may be read at any time

    def put(self, path: str | os.PathLike[str], text: str) -> None:
        """Have a file hold another text from now on, for whoever reads it here."""
        self._texts[build_file_key(path)] = text

    def forget(self) -> None:
        """Have every file read anew."""
        self._texts.clear()


@contextmanager
def as_first_read() -> Iterator[FirstRead]:
    """Read every file once, in this thread: it holds what it held then until this ends, whatever others write."""
    found = FirstRead()
    with replace_files(found):
        yield found


def read_text_on_disk(path: str | os.PathLike[str]) -> str | None:
    """Return the text of a file as the disk has it; None where it is no file, or none in UTF-8."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        return data.decode("utf-8") if len(data) <= MOST_BYTES else None
    except (OSError, ValueError):
        return None
