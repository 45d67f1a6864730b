"""Texts that stand in place of files: what somebody has typed and not saved yet.

Whoever reads files inside `in_place_of_files` is given these texts, also of files that are nowhere on disk yet.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_TEXTS: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default={})  # noqa: B039 (nobody changes it)


def key_of_file(path: str | os.PathLike[str]) -> str:
    """What a file goes by, however it is named: by a relative path, or by way of a link. Raises `ValueError`."""
    return os.path.normcase(os.path.realpath(path))


@contextmanager
def in_place_of_files(texts: Mapping[str, str]) -> Iterator[None]:
    """Read `texts`, by `key_of_file`, in place of what the disk holds; in this thread, and until this ends."""
    before = _TEXTS.set(texts)
    try:
        yield
    finally:
        _TEXTS.reset(before)


def unsaved(path: str | os.PathLike[str]) -> str | None:
    """The text that stands in place of a file; None where the disk has it."""
    texts = _TEXTS.get()
    if not texts:
        return None
    try:
        return texts.get(key_of_file(path))
    except (OSError, ValueError):  # a name that cannot be one
        return None


def unsaved_in(folder: str | os.PathLike[str]) -> list[str]:
    """The names of the files in a folder, not below it, in whose place texts stand."""
    texts = _TEXTS.get()
    if not texts:
        return []
    parent = Path(key_of_file(folder))
    return [path.name for path in map(Path, texts) if path.parent == parent]
