"""Protection of the studio's state folder `.rulewright` against symbolic links.

A rules folder may be untrusted and contain links to any location. The studio therefore writes and deletes only in real
folders and regular files.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from rulewright.studio.storage.http_errors import RefusedError

OWN = ".rulewright"
"""The name of the folder."""


def refuse_strange(root: Path, folders: tuple[str, ...] = (), files: tuple[str, ...] = ()) -> None:
    """Raise `RefusedError` if an existing path is a link or has the wrong type.

    Paths are relative to `root`. `folders` must be folders and `files` regular files. Missing paths are valid. Raises
    `OSError` if a path cannot be inspected.
    """
    for names, kind, is_kind in ((folders, "folder", stat.S_ISDIR), (files, "file", stat.S_ISREG)):
        for name in names:
            path = root / name
            try:
                mode = os.lstat(path).st_mode
            except FileNotFoundError:
                continue
            # `lstat` does not report a Windows junction as a link, although it leads elsewhere too.
            if stat.S_ISLNK(mode) or _is_elsewhere(root, path):
                raise RefusedError(403, _describe(name, "is a link, and the studio writes and deletes there"))
            if not is_kind(mode):
                raise RefusedError(403, _describe(name, f"is not a {kind}, but the studio needs one of this name"))


def _is_elsewhere(root: Path, path: Path) -> bool:
    real = Path(os.path.realpath(root)) / path.relative_to(root)
    return os.path.normcase(os.path.realpath(path)) != os.path.normcase(real)


def _describe(name: str, why: str) -> str:
    return f"`{name}` in this folder {why}: remove it; everything in `{OWN}` can be deleted at any time"
