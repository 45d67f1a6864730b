"""The folder `.rulewright`, in which the studio remembers: what is written or deleted there is there, behind no link.

A folder of rules may come from anybody, with links in it that lead anywhere. Only what is what it should be is touched.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from rulewright.studio.storage.http_errors import RefusedError

OWN = ".rulewright"
"""What the folder is called."""


def refuse_strange(root: Path, folders: tuple[str, ...] = (), files: tuple[str, ...] = ()) -> None:
    """Raise `RefusedError` where one of these, named from `root` on, is there and is a link, or no folder or file.

    Raises `OSError` where that cannot be found out.
    """
    for names, kind, is_kind in ((folders, "folder", stat.S_ISDIR), (files, "file", stat.S_ISREG)):
        for name in names:
            path = root / name
            try:
                mode = os.lstat(path).st_mode
            except FileNotFoundError:
                continue
            # A junction of Windows is no link to lstat, and leads elsewhere all the same.
            if stat.S_ISLNK(mode) or _is_elsewhere(root, path):
                raise RefusedError(403, _describe(name, "is a link, and the studio writes and deletes there"))
            if not is_kind(mode):
                raise RefusedError(403, _describe(name, f"is not a {kind}, and the studio needs one of this name"))


def _is_elsewhere(root: Path, path: Path) -> bool:
    real = Path(os.path.realpath(root)) / path.relative_to(root)
    return os.path.normcase(os.path.realpath(path)) != os.path.normcase(real)


def _describe(name: str, why: str) -> str:
    return f"`{name}` of this folder {why}: take it away; all of `{OWN}` may be deleted at any time"
