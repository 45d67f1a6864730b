"""A built site takes the place of the one before it as a whole, or not at all.

Where the system can exchange two folders in one step (Linux on its usual file systems), whoever reads always finds a
whole site. Elsewhere the old one is set aside and the new one put in its place, two steps with nothing between them: a
run killed there leaves the old site under a hidden name beside it, and the next run puts it back before it begins.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulewright.book.site.scratch import abandoned, scratch
from rulewright.errors import RulewrightError

MARK = ".rulewright-site"
"""A file in every site that was built here, so that only such a folder is ever replaced."""

_ASIDE = "-old"
_HERE = -100
"""`AT_FDCWD`: paths count from the working directory."""

_EXCHANGE = 2
"""`RENAME_EXCHANGE`, as in renameat2(2)."""


class OutputError(RulewrightError):
    """The folder for the site cannot be used."""


def check_output(output: Path) -> Path:
    """The folder a site may be built into, as an absolute path, before any work is done. Raises `OutputError`."""
    output = _resolved(output)
    with _told(output):
        _recover(output)
        with scratch(_made(output.parent), _prefix(output)):
            return output


@contextmanager
def replacing(output: Path) -> Iterator[Path]:
    """A new folder beside `output`, which takes its place when all went well and is gone when not.

    Raises `OutputError` for a folder that is not ours to replace, and where it cannot be written; the old site stays.
    """
    output = _resolved(output)
    with _told(output):
        _recover(output)
        with scratch(_made(output.parent), _prefix(output)) as fresh:
            yield fresh
            (fresh / MARK).write_text("Built by `rulewright book`; it is replaced as a whole.\n", encoding="utf-8")
            fresh.chmod(0o755)
            _swap(fresh, output)


def _resolved(output: Path) -> Path:
    try:
        whole = output.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise OutputError(f"`{output}` is no path of a folder") from error
    here = Path.cwd()
    if whole == here or whole in here.parents:
        raise OutputError(f"`{output}` holds the folder you stand in; name one within it, such as `site`")
    with _told(output):
        if whole.exists() and not whole.is_dir():
            raise OutputError(f"`{output}` is a file, so the site cannot be written there")
        if whole.is_dir() and any(whole.iterdir()) and not (whole / MARK).is_file():
            raise OutputError(
                f"`{output}` holds something else than a site built here; empty it, or name another folder"
            )
    return whole


@contextmanager
def _told(output: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise OutputError(f"the site cannot be written to `{output}`: {why}; what was there is untouched") from error


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _prefix(output: Path) -> str:
    return f".{output.name}.building-"


def _recover(output: Path) -> None:
    """Put back the site that a run killed between two steps had set aside."""
    if output.exists():
        return
    for path in abandoned(output.parent, _prefix(output)):
        if path.name.endswith(_ASIDE) and (path / MARK).is_file():
            path.rename(output)
            return


def _swap(fresh: Path, output: Path) -> None:
    if not output.exists():
        fresh.rename(output)
    elif not _exchanged(fresh, output):
        aside = fresh.with_name(fresh.name + _ASIDE)
        output.rename(aside)
        fresh.rename(output)
        shutil.rmtree(aside, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    """Whether two folders have been exchanged in one step; False where the system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return bool(rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)
