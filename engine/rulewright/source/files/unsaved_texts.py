"""Texts that replace files on disk, such as unsaved text in an editor.

Inside `replace_files`, all readers of files get these texts, also for files that do not exist on disk.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_TEXTS: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default={})  # noqa: B039 (the default is never changed)


def build_file_key(path: str | os.PathLike[str]) -> str:
    """Return the key of a file, which is the same for relative paths and links. Raises `ValueError`."""
    return os.path.normcase(os.path.realpath(path))


@contextmanager
def replace_files(texts: Mapping[str, str]) -> Iterator[None]:
    """Read `texts` in place of files on disk, in this thread and until the end of the block.

    The keys of `texts` are those of `build_file_key`.
    """
    before = _TEXTS.set(texts)
    try:
        yield
    finally:
        _TEXTS.reset(before)


def find_unsaved_text(path: str | os.PathLike[str]) -> str | None:
    """Return the text that replaces a file, or None."""
    texts = _TEXTS.get()
    if not texts:
        return None
    try:
        return texts.get(build_file_key(path))
    except (OSError, ValueError):  # not a valid file name
        return None


def list_unsaved_files(folder: str | os.PathLike[str]) -> list[str]:
    """Return the names of the files directly in a folder that are replaced by texts. Empty without replacements.

    Raises `ValueError` for a name that no folder can have, but only if there are replacements.
    """
    texts = _TEXTS.get()
    if not texts:
        return []
    parent = Path(build_file_key(folder))
    return [path.name for path in map(Path, texts) if path.parent == parent]


MOST_BYTES = 32 * 1024 * 1024
"""The maximum size of a file in bytes: a larger one is treated as unreadable."""


class FirstRead(Mapping[str, str]):
    """The texts of files as first read, by `build_file_key`, so that a caller works with one state of each file.

    The first lookup of a key reads the file. Iteration covers only the files read so far.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str | None] = {}

    def __getitem__(self, key: str) -> str:
        """Return the text of a file, which is read from disk on first use. Raises `KeyError` if it cannot be read."""
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
        return True  # even before any file has been read

    def put(self, path: str | os.PathLike[str], text: str) -> None:
        """Replace the text of a file for later lookups."""
        self._texts[build_file_key(path)] = text

    def forget(self) -> None:
        """Forget all texts, so that every file is read again."""
        self._texts.clear()


@contextmanager
def as_first_read() -> Iterator[FirstRead]:
    """Read each file only once in this thread, until the end of the block, regardless of later changes on disk."""
    first_read = FirstRead()
    with replace_files(first_read):
        yield first_read


def read_text_on_disk(path: str | os.PathLike[str]) -> str | None:
    """Return the text of a file on disk, with its line breaks unchanged.

    None if it is not a readable regular file, is too large, or is not UTF-8.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        return data.decode("utf-8") if len(data) <= MOST_BYTES else None
    except (OSError, ValueError):
        return None
