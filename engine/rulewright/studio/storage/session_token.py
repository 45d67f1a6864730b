"""The port and access token of a folder's last studio, so that the next start can reuse them.

Browsers store page data, such as unsaved text, per port. The token file is in the folder and readable by its owner
only. The token is valid only for the inode it was written to, so a copied or unpacked folder contains no valid token
that others know.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rulewright.source.files.atomic_write import open_replacement
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.studio.storage.state_dir import OWN, refuse_strange

DOOR = f"{OWN}/studio.json"
"""The path of the token file, relative to the folder."""

_WAY_IN = f"{OWN}/open.html"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_MOST = 1_000


@dataclass(frozen=True, slots=True)
class SessionToken:
    """The port of a studio, 0 for any free one, and its token."""

    port: int
    token: str


def make_token() -> str:
    """Return a new random token."""
    return secrets.token_urlsafe(32)


def read_token_file(root: Path) -> SessionToken | None:
    """Return the port and token stored in a folder, or None if there is no trustworthy file.

    `root` is a path without symbolic links. The file must be private to its owner.
    """
    try:
        refuse_strange(root, (OWN,), (DOOR,))
        handle = os.open(root / DOOR, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            data = json.loads(file.read(_MOST)) if _is_private(status) else None
    except (OSError, ValueError, RecursionError, RefusedError):
        return None
    if not isinstance(data, dict) or data.get("file") != str(status.st_ino):
        return None
    port, token = data.get("port"), data.get("token")
    if type(port) is not int or not 0 < port < 65_536 or not isinstance(token, str) or not _TOKEN.fullmatch(token):
        return None
    return SessionToken(port, token)


def save_token_file(root: Path, door: SessionToken) -> None:
    """Store a port and token for the next start. Failures are ignored. The next start then uses new ones."""
    with suppress(OSError, RefusedError):
        refuse_strange(root, (OWN,), (DOOR,))
        with _private(root / DOOR) as place:
            data = {"port": door.port, "token": door.token, "file": str(os.stat(place).st_ino)}
            place.write_text(json.dumps(data) + "\n", encoding="utf-8")


def write_way_in(root: Path, address: str) -> Path:
    """Write a page, readable by its owner only, that redirects to an address, and return its path.

    The browser receives this path because every user of the computer can read its command line. Raises `OSError`, and
    `RefusedError` if a link occupies the path.
    """
    refuse_strange(root, (OWN,), (_WAY_IN,))
    with _private(root / _WAY_IN) as place:
        place.write_text(
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Rulewright studio</title>'
            f'<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={address}"></head>'
            f'<body><a href="{address}">To the studio</a></body></html>\n',
            encoding="utf-8",
        )
    return root / _WAY_IN


def close_way_in(root: Path) -> None:
    """Delete the redirect page if it exists."""
    with suppress(OSError, RefusedError):
        refuse_strange(root, (OWN,), (_WAY_IN,))
        (root / _WAY_IN).unlink(missing_ok=True)


@contextmanager
def _private(path: Path) -> Iterator[Path]:
    with open_replacement(path, follow=False) as place:
        os.chmod(place, stat.S_IRUSR | stat.S_IWUSR)  # restrict access before the token is written
        yield place


def _is_private(status: os.stat_result) -> bool:
    """Return whether a regular file belongs to this user and no other user has access.

    On Windows, only the file type counts, because access rights follow from the folder.
    """
    if os.name == "nt":
        return stat.S_ISREG(status.st_mode)
    own = status.st_uid == os.geteuid() and status.st_nlink == 1
    return stat.S_ISREG(status.st_mode) and own and not status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
