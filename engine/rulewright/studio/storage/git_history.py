"""Commits and old file contents from the Git repository that contains a project folder.

The module runs `git` as a subprocess. A rules folder may be untrusted and contain a repository, so reading runs no
filter, hook or file system monitor that the repository configures, and fetches no missing objects.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from rulewright.base.errors import RulewrightError
from rulewright.source.files.safe_read import DEFAULT_LIMITS, read_regular

_PATIENCE = 20.0
"""Seconds that `git` may take."""
_TURN = Lock()
"""The lock for `git`, so that only one process runs at a time."""
_READING = tuple(
    part
    for setting in (
        "core.fsmonitor=false",
        f"core.hooksPath={os.devnull}",
        "core.pager=cat",
        "log.showSignature=false",
        # A bare repository inside the work tree may be an attack by the author of the folder.
        "safe.bareRepository=explicit",
    )
    for part in ("-c", setting)
)
_ELSEWHERE = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"})
_ALONE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
"""The variables that keep `git` from fetching missing objects: the first from version 2.44 on, the second in all
versions.
"""
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that changed a file, with the file's path at that commit, relative to the repository root."""

    id: str
    when: str
    words: str
    path: str


def is_repository(folder: Path) -> bool:
    """Return whether a folder belongs to a Git work tree and `git` is available."""
    return _run_git(folder, "rev-parse", "--is-inside-work-tree").strip() == b"true"


def list_commits(folder: Path, name: str, *, most: int = 50) -> list[Commit]:
    """Return the commits that changed a file, newest first, following renames.

    The list is empty outside a repository or if `git` fails.
    """
    git = _run_git(
        folder,
        *("log", f"--max-count={most}", "--follow", "--name-only", "--no-ext-diff", "--no-textconv"),
        *("-z", "--format=%x01%H%x02%cI%x02%s", "--", name),
    )
    commits = []
    for record in git.decode("utf-8", "replace").split("\x01")[1:]:
        head, _, rest = record.partition("\0")
        parts = head.split("\x02", 2)
        named = [each for each in rest.strip("\n").split("\0") if each]
        if len(parts) == 3 and _COMMIT.fullmatch(parts[0]) and named:
            commits.append(Commit(parts[0], parts[1], parts[2], named[-1].lstrip("\n")))
    return commits


def read_content(folder: Path, commit: str, path: str) -> bytes | None:
    """Return the bytes of a file at a commit.

    Return None if the file did not exist, is empty or too long, or `git` fails.
    """
    if not _COMMIT.fullmatch(commit) or path.startswith("-") or "\0" in path:
        return None
    git = _run_git(folder, "cat-file", "blob", f"{commit}:{path}")
    return git if git and len(git) <= DEFAULT_LIMITS.bytes else None


def is_clean(folder: Path, names: list[str]) -> bool:
    """Return whether all these files are identical to the last commit. False if `git` fails or there is no commit.

    This function does not use `git status`, which would run the repository's filters. A file that a filter changes
    therefore counts as modified. True without files.
    """
    committed = {}
    for record in _run_git(folder, "ls-tree", "-z", "HEAD", "--", *names).decode("utf-8", "replace").split("\0"):
        head, _, name = record.partition("\t")
        committed[name] = head.rpartition(" ")[2]
    breaks = _run_git(folder, "config", "--get", "core.autocrlf").strip().lower() in (b"true", b"input")
    return all(name in committed and _is_blob(folder / name, committed[name], breaks=breaks) for name in names)


def _is_blob(path: Path, blob: str, *, breaks: bool) -> bool:
    """Return whether a file has this Git object id.

    With `breaks`, also after CRLF becomes LF. False if it is unreadable.
    """
    try:
        data = read_regular(path, DEFAULT_LIMITS.bytes)
    except (OSError, ValueError):
        return False
    either = {data, data.replace(b"\r\n", b"\n")} if breaks else {data}
    return any(_blob(each, len(blob)) == blob for each in either)


def _blob(data: bytes, letters: int) -> str:
    """Return the Git object id of some data. The number of letters selects SHA-1 or SHA-256."""
    result = hashlib.sha256() if letters == 64 else hashlib.sha1(usedforsecurity=False)
    result.update(b"blob %d\0" % len(data) + data)
    return result.hexdigest()


def commit(folder: Path, names: list[str], words: str) -> str:
    """Commit these files only, and return the commit id. Raises `RulewrightError`.

    The user's Git hooks and settings apply.
    """
    _run(folder, "add", "--", *names)
    _run(folder, "commit", "--quiet", "--message", words, "--only", "--", *names)
    return _run_git(folder, "rev-parse", "HEAD").decode().strip()


def _run_git(folder: Path, *arguments: str) -> bytes:
    """Return the output of a Git command that only reads, or b"" if Git is missing, takes too long or fails."""
    try:
        with _TURN:
            done = subprocess.run(
                ["git", *_READING, *arguments],
                cwd=folder,
                env={**_environment(), **_ALONE},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE,
                check=False,
            )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""


def _run(folder: Path, *arguments: str) -> None:
    """Run Git in a folder and drop its output. Only one such process runs at a time.

    Raises `RulewrightError` if Git cannot be run, takes too long or fails.
    """
    try:
        with _TURN:
            done = subprocess.run(
                ["git", *arguments],
                cwd=folder,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE * 3,
                check=False,
            )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise RulewrightError(f"git could not be run: {error}") from None
    if done.returncode:
        text = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        raise RulewrightError(f"git failed: {text[:2_000]}")


def _environment() -> dict[str, str]:
    # Git sets these variables for its hooks. In a studio started from a hook, they would select another repository.
    saved = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    ours = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1", "LC_ALL": "C.UTF-8"}
    return {**saved, **ours}
