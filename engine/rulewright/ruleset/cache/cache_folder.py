"""Read and write cache files safely.

Cached data may contain code that is executed. So each file is signed with a secret of the user that is stored outside
the cache folder, and files from elsewhere, such as the restored cache of a build server, are ignored.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path

from rulewright.source.files.atomic_write import BEGUN, lock_folders, open_replacement

VARIABLE = "RULEWRIGHT_CACHE"
"""The environment variable that sets the cache folder, or is `off`."""

MOST_BYTES = 64 * 1024 * 1024
"""The maximum total size of the cache in bytes; the least recently used files are removed first."""

MOST_FILES = 1_000
"""The maximum number of files."""

LONGEST_UNUSED = 60 * 24 * 3600
"""The number of seconds after which an unused file is removed."""

_FRESH = 600
"""The minimum number of seconds before a file is marked as used again."""

_ABANDONED = 3600
"""The number of seconds after which an unfinished file is considered abandoned."""

_MAGIC = b"rulewright cache 2\n"
_ENDING = ".rulewright"
_SECRET = "cache-secret"

_OWN = os.urandom(32)
_SECRETS: dict[Path, bytes] = {}


def cache_folder() -> Path | None:
    """Return the cache folder, which may not exist, or None if the cache is off or there is no home folder.

    The environment variable `VARIABLE` sets the folder. If it is empty, `0`, `no`, `off` or `false`, the cache is
    off.
    """
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named.strip().lower() in ("", "0", "no", "off", "false") else Path(named)
    above = os.environ.get("XDG_CACHE_HOME", "")
    # The same folders as `platformdirs`, which is not imported: that takes as long as loading a small ruleset.
    if os.path.isabs(above):
        return Path(above) / "rulewright"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return Path(local) / "rulewright" / "Cache" if os.path.isabs(local) else None
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        return None
    return Path(home) / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "rulewright"


def find_secret_file() -> Path | None:
    """Return the path of the secret that signs the cache, which may not exist, or None if there is no home folder."""
    above = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(above):
        return Path(above) / "rulewright" / _SECRET
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return Path(local) / "rulewright" / _SECRET if os.path.isabs(local) else None
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        return None
    state = "Library/Application Support" if sys.platform == "darwin" else ".local/state"
    return Path(home) / state / "rulewright" / _SECRET


def _secret() -> bytes:
    """Return the user's secret, which is created in a file if necessary. Cached in `_SECRETS`.

    An unsafe or invalid file is replaced. If it cannot be written, or there is no home folder, the secret of this
    process is returned.
    """
    path = find_secret_file()
    if path is None:
        return _OWN
    if path not in _SECRETS:
        result = _secret_in(path)
        if result is None:
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with lock_folders(path.parent):
                    if (result := _secret_in(path)) is None:  # another process may have created it meanwhile
                        with open_replacement(path, follow=False) as place:
                            place.chmod(0o600)
                            place.write_bytes(os.urandom(len(_OWN)))
                        result = _secret_in(path)
            except (OSError, ValueError):
                return _OWN
        _SECRETS[path] = result or _OWN
    return _SECRETS[path]


def _secret_in(path: Path) -> bytes | None:
    """Return the secret in a file, or None if the file cannot be used.

    It cannot if it is missing, has another length, is not a regular file of this user, or can be read by others.
    """
    try:
        with open(path, "rb", opener=_open) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or not _ours(status):
                return None
            if hasattr(os, "geteuid") and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                return None
            result = file.read(len(_OWN) + 1)
    except (OSError, ValueError):
        return None
    return result if len(result) == len(_OWN) else None


def read(key: str) -> bytes | None:
    """Return the content stored for `key`.

    None if the cache is off, there is no such file, or its owner, size or signature is wrong. Marks the file as used.
    Never raises `OSError`.
    """
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / f"{key}{_ENDING}"
    try:
        if not _ours(os.stat(folder)):
            return None
        with open(path, "rb", opener=_open) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or not _ours(status) or status.st_size > MOST_BYTES:
                return None
            data = file.read()
    except (OSError, ValueError):
        return None
    head = len(_MAGIC) + 32
    content = data[head:]
    if data[:head] != _MAGIC + _signature(key, content):
        return None
    if time.time() - status.st_mtime > _FRESH:
        with suppress(OSError):
            os.utime(path)
    return content


def write(key: str, content: bytes) -> None:
    """Store `content` for `key` atomically, replacing earlier content, and remove old files.

    Does nothing if the cache is off, the folder cannot be written or is another user's, or the content has more than
    a quarter of `MOST_BYTES`.
    """
    folder = cache_folder()
    if folder is None or len(content) > MOST_BYTES // 4:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _ours(os.stat(folder)):
            return
        with open_replacement(folder / f"{key}{_ENDING}", follow=False) as place:
            place.chmod(0o600)  # users may share a group that can write to new files
            place.write_bytes(_MAGIC + _signature(key, content) + content)
    except (OSError, ValueError):
        return
    _sweep(folder)


def _signature(key: str, content: bytes) -> bytes:
    """Return the signature of a key and its content, which detects files that were truncated, changed or renamed."""
    result = hashlib.blake2b(key.encode() + b"\n", key=_secret(), digest_size=32)
    result.update(content)
    return result.digest()


def _open(path: str, flags: int) -> int:
    # Do not block on a named pipe, and do not follow links.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))


def _ours(status: os.stat_result) -> bool:
    """Return whether a file or folder belongs to the user and nobody else can write to it."""
    if not hasattr(os, "geteuid"):
        return True  # on Windows, the folder is private
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _sweep(folder: Path) -> None:
    """Remove files that are unused for too long, unfinished, or beyond the limits of the cache.

    The most recently used files are kept. Files of other programs are ignored, and so are errors.
    """
    now, files = time.time(), []
    with suppress(OSError), os.scandir(folder) as listing:
        for entry in listing:
            if not entry.name.endswith((_ENDING, BEGUN)):
                continue
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                files.append((status.st_mtime, status.st_size, entry))
    room = MOST_BYTES
    for place, (used, size, entry) in enumerate(sorted(files, key=lambda file: file[0], reverse=True)):
        room -= size
        longest = _ABANDONED if entry.name.endswith(BEGUN) else LONGEST_UNUSED
        if place >= MOST_FILES or room < 0 or now - used > longest:
            with suppress(OSError):
                os.unlink(entry.path)
