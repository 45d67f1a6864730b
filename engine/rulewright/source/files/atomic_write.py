"""Atomic file writing, after which either the old or the new file exists, even if the process dies.

The new content goes to a temporary file in the same folder until it is complete. A killed process leaves that file
behind, and the next write to the same target deletes it. Use `replace_texts` to write a result that depends on the
current text of a file. It refuses to overwrite any other text.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

from rulewright.base.errors import RulewrightError
from rulewright.source.files.safe_read import normalize_text
from rulewright.source.files.unsaved_texts import read_text_on_disk

try:
    import fcntl
except ImportError:  # on Windows, an open file cannot be deleted, so no lock is needed
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:  # not on Windows
    msvcrt: Any = None  # type: ignore[no-redef]

_NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC)})

BEGUN = ".part"
"""The suffix of temporary files that are not complete yet."""


class WriteError(RulewrightError):
    """An error for a file that cannot be written."""


@contextmanager
def open_replacement(path: Path, *, follow: bool = True) -> Iterator[Path]:
    """Open a temporary file that replaces `path` at the end of the block, or is deleted after an exception.

    If `path` is a link, its target is replaced. A device or a pipe cannot be replaced, so the function yields the path
    itself. Without `follow`, a link itself is replaced. The new file has the permissions of the old one. Temporary
    files that ended processes have left for `path` are deleted. Raises `OSError`.
    """
    target = Path(os.path.realpath(path) if follow else path)
    if follow and target.is_symlink():
        raise OSError(errno.ELOOP, "it is a link to itself", os.fspath(path))
    if follow and _is_special(target):
        with _name_file_in_errors(path):
            yield target
        return
    sweep(target)
    try:
        handle, name = _create_temporary(target)
    except OSError as error:
        # Name the target in the error, not the temporary file.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    try:
        with _name_file_in_errors(path):
            yield Path(name)
            whole = os.open(name, os.O_RDWR)
            try:
                os.fsync(whole)
            finally:
                os.close(whole)
            os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    finally:
        os.close(handle)


@contextmanager
def _name_file_in_errors(path: Path) -> Iterator[None]:
    """Add the file name to errors of a full or failing disk, for which the system reports no name."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in _NO_ROOM:
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise


@contextmanager
def open_text_replacement(path: Path, *, newline: str = "\n") -> Iterator[IO[str]]:
    """Open a UTF-8 text file that replaces `path` at the end of the block. Raises `OSError`."""
    with open_replacement(path) as place, place.open("w", encoding="utf-8", newline=newline) as file:
        yield file


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically. Raises `OSError` and then leaves an existing file unchanged."""
    with open_text_replacement(path) as file:
        file.write(text)


def refuse_unwritable(path: Path) -> None:
    """Raise `WriteError` if `path` cannot be written, before there is any work to lose.

    The check creates and deletes a temporary file in the same folder.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise WriteError(f"{path} cannot be written: it is a folder")
        if target.is_symlink():
            raise WriteError(f"{path} cannot be written: it is a link to itself")
        if _is_special(target):
            os.close(os.open(target, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)))
        else:
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=BEGUN)
            os.close(handle)
            os.unlink(name)
    except (OSError, ValueError) as error:
        raise WriteError(describe_write_error(path, error)) from None


def describe_write_error(path: Path | str, error: Exception) -> str:
    """Return the message for a file that cannot be written."""
    # An invalid name, such as one with a null character, raises ValueError and not OSError.
    reason = (error.strerror if isinstance(error, OSError) else None) or "it is not a valid file name"
    return f"{str(path)!r} cannot be written: {reason[:1].lower()}{reason[1:]}"


def _create_temporary(target: Path) -> tuple[int, str]:
    """Create a locked temporary file next to `target`, and return its handle and name.

    It has the permissions of `target`, or those of any new file. The lock lasts until the handle is closed. Raises
    `OSError`.
    """
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
    except OSError:
        mode = None
    while True:
        name = os.fspath(target.parent / f".{target.name}.{token_hex(4)}{BEGUN}")
        try:
            # Let the system apply the umask. To read the umask, a process would have to change it briefly for all of
            # its threads.
            handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
        except FileExistsError:
            continue
        try:
            if _lock_handle(handle):
                if mode is not None:
                    os.chmod(name, mode)
                return handle, name
        except BaseException:
            os.close(handle)
            with suppress(OSError):
                os.unlink(name)
            raise
        os.close(handle)


def _lock_handle(handle: int) -> bool:
    """Lock a newly created file, if the system has locks. Return False if another process takes it as a leftover."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # not every file system supports locks
        return True
    return os.fstat(handle).st_nlink > 0


def sweep(target: Path) -> None:
    """Delete temporary files for `target` that ended processes have left, which are those without a lock.

    Files that cannot be deleted are ignored. Does nothing on platforms without file locks.
    """
    if fcntl is None:
        return
    with suppress(OSError):
        for left in target.parent.iterdir():
            if left.name.startswith(f".{target.name}.") and left.name.endswith(BEGUN):
                with suppress(OSError):
                    _remove_unlocked(left)


def _remove_unlocked(left: Path) -> None:
    """Delete a file. Raises `OSError` and leaves it if a process holds its lock or if it cannot be deleted."""
    handle = os.open(left, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(left)
    finally:
        os.close(handle)


def _is_special(target: Path) -> bool:
    try:
        return not stat.S_ISREG(os.stat(target).st_mode) and not target.is_dir()
    except (OSError, ValueError):
        return False


_BYTE_ORDER_MARK = "\ufeff"


class ChangedError(WriteError):
    """An error for a file whose text has changed since it was read. Nothing was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} changed in the meantime, so nothing was written: try again")
        self.path = path


def replace_texts(
    texts: Mapping[Path, tuple[str | None, str]], *, checked_texts: Mapping[str, str] | None = None
) -> None:
    r"""Write texts, each in place of the text that was read before (None for a file that did not exist).

    All texts use `\n` as line breaks. A file with `\r\n` line breaks or a byte order mark keeps them. Other processes
    see either the old or the new content of each file. `checked_texts` maps the paths of further files to the texts
    that they must still have. Raises `ChangedError`, before writing anything, if any file has another text. Also
    raises `OSError`, after which some of the files may have been written.
    """
    others = {Path(file): text for file, text in (checked_texts or {}).items()}
    with lock_folders(*(Path(os.path.realpath(path)).parent for path in (*texts, *others))):
        now = {path: read_text_on_disk(path) for path in texts}
        for path, (before, _) in texts.items():
            if (now[path] is None and path.exists()) or not _is_same(now[path], before):
                raise ChangedError(path)
        for path, expected in others.items():
            if path not in texts and not _is_same(read_text_on_disk(path), expected):
                raise ChangedError(path)
        for path, (_, text) in texts.items():
            was = now[path] or ""
            with open_text_replacement(path, newline="\r\n" if "\r\n" in was else "\n") as file:
                file.write((_BYTE_ORDER_MARK if was.startswith(_BYTE_ORDER_MARK) else "") + text)


def _is_same(now: str | None, before: str | None) -> bool:
    return now is before or (now is not None and before is not None and normalize_text(now) == normalize_text(before))


@contextmanager
def lock_folders(*folders: Path) -> Iterator[None]:
    """Prevent other processes and threads that use this function from replacing files in these folders in the block.

    Waits until they have left their blocks. A nested call for the same folder would therefore wait forever. On a system
    or file system without locks, this does nothing.
    """
    with ExitStack() as stack:
        for folder in sorted(
            {os.path.realpath(folder) for folder in folders}
        ):  # always in the same order, to avoid deadlocks
            if (handle := _open_to_lock(folder)) is not None:
                stack.callback(os.close, handle)
                _lock(handle)
        yield


def _open_to_lock(folder: str) -> int | None:
    """Return a handle to lock for a folder: the folder itself, or a lock file for it in the temporary folder.

    None if neither is possible.
    """
    with suppress(OSError):
        if fcntl is not None:
            return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        if msvcrt is not None:
            name = sha256(os.path.normcase(folder).encode("utf-8", "surrogatepass")).hexdigest()[:32]
            return os.open(os.path.join(tempfile.gettempdir(), f"rulewright-{name}.lock"), os.O_RDWR | os.O_CREAT)
    return None


def _lock(handle: int) -> None:
    """Wait until no one else holds the lock, and take it until the handle is closed.

    Does nothing on file systems without locks.
    """
    if fcntl is not None:
        with suppress(OSError):  # not every file system supports locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        return
    while True:
        try:
            msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        except OSError as error:
            if error.errno != errno.EDEADLK:  # EDEADLK means a timeout after ten seconds, so try again
                return
        else:
            return
