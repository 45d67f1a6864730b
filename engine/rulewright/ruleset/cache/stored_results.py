"""Results on disk that are valid as long as the program and all files they depend on have the same content.

They name files relative to the folders that they are about, so another copy of the rules can use them, on another
Python, too. They contain only JSON data.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rulewright.ruleset.cache.fingerprint import digest_program, is_program_unchanged
from rulewright.ruleset.cache.storage import read, write
from rulewright.source.files.file_digest import digest_file


def build_content_key(what: Sequence[str]) -> str:
    """Return the cache key for data of this name that any copy of this program can use, on any Python."""
    return hashlib.sha256(json.dumps([digest_program(), *what]).encode()).hexdigest()


class StoredResult:
    """A result by name, about `folders` and their `files`.

    Copies of the folders, in the same order, have the same result.
    """

    def __init__(self, what: Sequence[str], folders: Sequence[Path], files: Iterable[Path]) -> None:
        self._key = build_content_key(what)
        self._folders = [os.path.abspath(folder) for folder in folders]
        self._files = {os.path.abspath(file) for file in files}
        self._before: dict[str, str] = {}
        self.earlier: Any = None
        """The stored result that `find` did not return, because something that it depends on has changed."""

    def digest_files(self, begun: int) -> str:
        """Return a digest of the present content of the files of the folders, which is the same in every copy.

        It is empty if a file was written since the time `begun` in nanoseconds.
        """
        if any(_is_written_since(file, begun) for file in self._files):
            return ""
        named = [(*self._name(file), digest_file(file)) for file in sorted(self._files)]
        return hashlib.sha256(json.dumps([self._key, named]).encode()).hexdigest()

    def find(self, *, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        """Return the result, or None if there is none, it does not fit, or something it depends on has changed.

        In the last two cases, `earlier` then has it. Without a result, the files are compared with their present
        content when one is stored.
        """
        content = read(self._key)
        try:
            stored = json.loads(content or b"null")
            if stored is not None:
                if fits(stored["result"]) and all(
                    digest_file(os.path.normpath(os.path.join(self._folders[place], name))) == digest
                    for place, name, digest in stored["files"]
                ):
                    return stored["result"]
                self.earlier = stored["result"]
        except (ValueError, TypeError, LookupError):
            pass  # of another format
        self._before = {file: digest_file(file) for file in self._files}
        return None

    def store(self, files: Iterable[str], result: Any, *, begun: int | None = None) -> None:
        """Store a JSON result that was computed since `find`, and has read `files` as well as those of the folders.

        Does nothing if a file of the folders, or the program, has changed meanwhile. If the first file was read before
        `find`, at the time `begun` in nanoseconds, no file may have been written since then.
        """
        files = list(files)
        if begun is not None and any(_is_written_since(file, begun) for file in {*self._files, *files}):
            return
        now = {file: digest_file(file) for file in {*self._before, *map(os.path.abspath, files)}}
        if any(now[file] != digest for file, digest in self._before.items()) or not is_program_unchanged():
            return
        named = [(*self._name(file), digest) for file, digest in sorted(now.items())]
        write(self._key, json.dumps({"files": named, "result": result}).encode())

    def _name(self, file: str) -> tuple[int, str]:
        """Return the folder, by its index, from which a file has the shortest path, and that path."""
        paths = [(os.path.relpath(file, folder), place) for place, folder in enumerate(self._folders)]
        path, place = min(paths, key=lambda each: (each[0].count(os.pardir), len(each[0])))
        return place, path


def _is_written_since(file: str, begun: int) -> bool:
    """Return whether a file was written or moved there since then. False for folders, which a build may write to."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return False
    return not stat.S_ISDIR(status.st_mode) and max(status.st_mtime_ns, status.st_ctime_ns) >= begun
