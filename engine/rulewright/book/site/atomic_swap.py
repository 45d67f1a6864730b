"""Atomic replacement of a built site: the new one takes the place of the old one completely, or not at all.

If the system can exchange two folders in one step (Linux on its usual file systems), readers always see a complete
site. Otherwise the old site is moved aside and the new one moved into place. If a run is killed between these two
steps, the old site remains under a hidden name, and the next run restores it.

A process that works in such a folder holds a lock on it, which ends with the process.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rulewright.base.errors import RulewrightError

MARK = ".rulewright-site"
"""The marker file of every site built by this program, which only ever replaces a folder with this file."""

_ASIDE = "-old"
_HERE = -100
"""`AT_FDCWD`: paths are relative to the working directory."""

_EXCHANGE = 2
"""`RENAME_EXCHANGE`, as in renameat2(2)."""


class OutputError(RulewrightError):
    """An error for an output folder that cannot be used."""


def check_output(output: Path) -> Path:
    """Return `output` as an absolute path, if a site may be built there.

    Creates and deletes a folder next to it as a test, and restores an old site that a killed run has left aside. Raises
    `OutputError` if it is another program's folder, is or contains the current folder, or cannot be written.
    """
    output = _resolve_output(output)
    with _describe(output):
        _recover(output)
        with open_scratch(_make(output.parent), _prefix(output)):
            return output


@contextmanager
def replace_folder(output: Path) -> Iterator[Path]:
    """Create a folder next to `output`, which replaces `output` at the end of the block.

    After an error the new folder is deleted, and the old site remains. Raises `OutputError` for a folder that this
    program did not build, that is or contains the current folder, or that cannot be written.
    """
    output = _resolve_output(output)
    with _describe(output):
        _recover(output)
        with open_scratch(_make(output.parent), _prefix(output)) as fresh:
            yield fresh
            (fresh / MARK).write_text("Built by `rulewright book`, which replaces it as a whole.\n", encoding="utf-8")
            fresh.chmod(0o755)
            _swap(fresh, output)


def _resolve_output(output: Path) -> Path:
    """Return the absolute path of a folder in which a site may be built.

    Raises `OutputError` if it is, or contains, the current folder, if it is a file, if it has files of others, or if it
    cannot be read.
    """
    try:
        whole = output.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise OutputError(f"`{output}` is not a folder path") from error
    here = Path.cwd()
    if whole == here or whole in here.parents:
        raise OutputError(f"`{output}` contains the current folder; name a folder inside it, such as `site`")
    with _describe(output):
        if whole.exists() and not whole.is_dir():
            raise OutputError(f"`{output}` is a file; name a folder for the site")
        if whole.is_dir() and any(whole.iterdir()) and not (whole / MARK).is_file():
            raise OutputError(
                f"`{output}` contains files that this program did not build; empty it, or name another folder"
            )
    return whole


@contextmanager
def _describe(output: Path) -> Iterator[None]:
    """Turn an `OSError` in the block into an `OutputError` about `output`."""
    try:
        yield
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise OutputError(f"the site cannot be written to `{output}`: {why}; nothing was changed") from error


def _make(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _prefix(output: Path) -> str:
    return f".{output.name}.building-"


def _recover(output: Path) -> None:
    """Restore the old site if a run was killed while it replaced it."""
    if output.exists():
        return
    for path in list_abandoned(output.parent, _prefix(output)):
        if path.name.endswith(_ASIDE) and (path / MARK).is_file():
            path.rename(output)
            return


def _swap(fresh: Path, output: Path) -> None:
    """Move `fresh` to `output`. An old site there is then in `fresh`, or deleted."""
    if not output.exists():
        fresh.rename(output)
    elif not exchange_folders(fresh, output):
        aside = fresh.with_name(fresh.name + _ASIDE)
        output.rename(aside)
        fresh.rename(output)
        shutil.rmtree(aside, ignore_errors=True)


def exchange_folders(one: Path, other: Path) -> bool:
    """Exchange two folders in one step. Returns False, without any change, if this fails or the system has no way."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return bool(rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)


try:
    import fcntl
except ImportError:  # without locks, leftover folders cannot be detected on Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def open_scratch(parent: Path, prefix: str) -> Iterator[Path]:
    """Create a folder in `parent`, with a name that starts with `prefix`, and delete it at the end of the block.

    Leftover folders of killed runs with such names are deleted first. Raises `OSError` if the folder cannot be created.
    """
    sweep(parent, prefix)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        lock = _lock(folder)
        # Another run may have removed the folder before it was locked.
        if lock is not None and folder.is_dir():
            break
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock >= 0:
            os.close(lock)


def sweep(parent: Path, prefix: str) -> None:
    """Remove the leftover folders of killed runs in `parent`, which no process has locked."""
    for path in list_abandoned(parent, prefix):
        shutil.rmtree(path, ignore_errors=True)


def list_abandoned(parent: Path, prefix: str) -> list[Path]:
    """Return the folders that killed runs left in `parent`, with names that begin with `prefix`.

    Folders that a process has locked, and those of other users, are left out. Empty on systems without locks.
    """
    if fcntl is None or not parent.is_dir():
        return []
    results = []
    with suppress(OSError):
        for path in sorted(parent.glob(f"{_literal(prefix)}*")):
            if path.is_symlink() or not path.is_dir() or path.stat().st_uid != os.getuid():
                continue
            lock = _lock(path)
            if lock is not None:
                os.close(lock)
                results.append(path)
    return results


def _literal(prefix: str) -> str:
    return "".join(f"[{character}]" if character in "*?[" else character for character in prefix)


def _lock(folder: Path) -> int | None:
    """Return a lock on a folder, as an open file.

    The result is None if another process holds the lock or the folder does not exist, and -1 on systems without
    locks.
    """
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
