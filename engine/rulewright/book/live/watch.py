"""What lies in some folders right now, in a form that two looks can be compared by."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

Look = tuple[tuple[str, int, int], ...]
"""Files, each with when it was changed and how long it is; a file that is gone has the length -1."""


def look_into(folders: Iterable[Path]) -> Look:
    """Every file below the folders but hidden ones. A folder that is not there, or goes meanwhile, holds nothing.

    Files are polled and not listened for: what is deleted and made again is found again, on every platform.
    """
    found: list[Path] = []
    for folder in folders:
        for inside, below, names in os.walk(folder):
            below[:] = sorted(name for name in below if not name.startswith("."))
            found += [Path(inside, name) for name in sorted(names) if not name.startswith(".")]
    return look_at(found)


def look_at(files: Iterable[Path]) -> Look:
    """These files."""
    return tuple(_look(path) for path in files)


def _look(path: Path) -> tuple[str, int, int]:
    try:
        stat = path.stat()
    except OSError:
        return str(path), 0, -1
    return str(path), stat.st_mtime_ns, stat.st_size
