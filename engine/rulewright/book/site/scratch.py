"""Folders for work in progress that nobody has to tidy up: what a killed run left behind, the next run removes.

Whoever works in such a folder holds a lock on it, which ends with the process however that ends.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # on Windows nothing is swept, for there is no telling who works where
    fcntl = None  # type: ignore[assignment]


@contextmanager
def scratch(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder in `parent` whose name begins with `prefix`; it is gone at the end, wherever it was moved from here.

    Raises `OSError` where none can be made.
    """
    sweep(parent, prefix)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        lock = _locked(folder)
        # Another run may have swept it before it was locked.
        if lock is not None and folder.is_dir():
            break
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock >= 0:
            os.close(lock)


def sweep(parent: Path, prefix: str) -> None:
    """Remove what killed runs left in `parent`: folders of this user with such a name in which nobody works."""
    for path in abandoned(parent, prefix):
        shutil.rmtree(path, ignore_errors=True)


def abandoned(parent: Path, prefix: str) -> list[Path]:
    """The folders that killed runs left behind."""
    if fcntl is None or not parent.is_dir():
        return []
    found = []
    with suppress(OSError):
        for path in sorted(parent.glob(f"{_literal(prefix)}*")):
            if path.is_symlink() or not path.is_dir() or path.stat().st_uid != os.getuid():
                continue
            lock = _locked(path)
            if lock is not None:
                os.close(lock)
                found.append(path)
    return found


def _literal(prefix: str) -> str:
    return "".join(f"[{character}]" if character in "*?[" else character for character in prefix)


def _locked(folder: Path) -> int | None:
    """A lock on a folder, as an open file; None where somebody holds it, or the folder is gone; -1 without locks."""
    if fcntl is None:
        return -1
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        return None
    return opened
