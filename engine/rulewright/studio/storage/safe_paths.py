"""Validation of file names that clients send, and their paths inside the folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from rulewright.studio.storage.http_errors import RefusedError

KINDS = (".yaml", ".yml", ".svg", ".md", ".txt")
"""The suffixes of the files that the studio shows and writes: rules, drawings and texts."""

_LONGEST, _LONGEST_PART = 1_000, 200
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_NOWHERE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')


def check_name(name: object) -> str:
    """Return a file name unchanged if it is valid.

    Raises `RefusedError` if the name is empty, absolute, hidden, too long, leads out of the folder, or is not portable
    across operating systems.
    """
    if not isinstance(name, str) or not name:
        raise RefusedError(400, "a file name must be a path inside the folder, such as rules.yaml")
    text = f"`{name[:200]}` is not a valid file name here"
    if len(name) > _LONGEST or not _is_text(name):
        raise RefusedError(400, f"{text}: it is too long or not valid Unicode")
    if _NOWHERE.search(name) or name.startswith("/"):
        raise RefusedError(
            400, f"{text}: write a path relative to the folder, with `/`, without control characters or `<>:|?*`"
        )
    for part in name.split("/"):
        if part in ("", ".", ".."):
            raise RefusedError(400, f"{text}: a path must stay inside the folder")
        if part.startswith("."):
            raise RefusedError(400, f"{text}: names must not begin with a dot")
        if part != part.strip() or part.endswith(".") or _DEVICES.fullmatch(part) or len(part.encode()) > _LONGEST_PART:
            raise RefusedError(400, f"{text}: `{part[:100]}` is not a valid name on every system")
    return name


def check_writable(name: object) -> str:
    """Return a valid name with a suffix that the studio may write. Raises `RefusedError`."""
    writable = check_name(name)
    if not writable.endswith(KINDS):
        raise RefusedError(400, f"`{writable}` cannot be written here: names must end in {', '.join(KINDS)}")
    return writable


def place(root: Path, name: object) -> Path:
    """Return the path of a file below `root`, a path without symbolic links.

    Raises `RefusedError` for an invalid name, and for a link that leads out of the folder or into a hidden one.
    """
    result = root / check_name(name)
    real = Path(os.path.realpath(result))
    if not real.is_relative_to(root) or any(part.startswith(".") for part in real.relative_to(root).parts):
        raise RefusedError(403, f"`{name}` is a link out of the folder, so it was not changed")
    return result


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
