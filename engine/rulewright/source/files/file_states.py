"""The states of files, by which other programs' changes are noticed.

Files are polled, so that deleted and recreated files are noticed on every platform.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

Look = tuple[tuple[str, int, int], ...]
"""Files, each with its path, modification time in nanoseconds, and size in bytes, which is -1 for a missing file."""


def look_into(folders: Iterable[Path]) -> Look:
    """Return the state of every visible file below the folders. Missing folders have no files."""
    results: list[Path] = []
    for folder in folders:
        for inside, below, names in os.walk(folder):
            below[:] = sorted(name for name in below if not name.startswith("."))
            results += [Path(inside, name) for name in sorted(names) if not name.startswith(".")]
    return look_at(results)


def look_at(files: Iterable[Path]) -> Look:
    """Return the state of these files. A missing file has the size -1."""
    return tuple(_look(path) for path in files)


def _look(path: Path) -> tuple[str, int, int]:
    """Return the path, the time and the size of a file. The size of a missing file is -1."""
    try:
        stat = path.stat()
    except OSError:
        return str(path), 0, -1
    return str(path), stat.st_mtime_ns, stat.st_size
