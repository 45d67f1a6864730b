"""Results on disk that are valid as long as the program and all files they depend on have the same content.

They name files relative to the folders that they are about, so another copy of the rules can use them, on another
Python, too. They contain only JSON data.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rulewright.ruleset.cache.cache_folder import read, write
from rulewright.ruleset.cache.fingerprint import digest_program, is_program_unchanged
from rulewright.source.files.file_digest import digest_file


def find_result(what: Sequence[str], folders: Sequence[Path]) -> Any:
    """Return the stored result that `what` names, or None if there is none or something it depends on has changed.

    `folders` are those that it was stored for, or copies of them, in the same order.
    """
    content = read(_build_key(what))
    if content is None:
        return None
    try:
        stored = json.loads(content)
        for place, name, digest in stored["files"]:
            if digest_file(os.path.normpath(folders[place] / name)) != digest:
                return None
        return stored["result"]
    except (ValueError, TypeError, LookupError):
        return None  # of another format


class ResultRecorder:
    """A recorder for the content of files while a result is computed, so that the result can be stored with it."""

    def __init__(self, folders: Sequence[Path], files: Iterable[Path]) -> None:
        self._folders = [os.path.abspath(folder) for folder in folders]
        self._before = {os.path.abspath(file): digest_file(os.fspath(file)) for file in files}

    def store(self, what: Sequence[str], files: Iterable[str], result: Any) -> None:
        """Store a JSON result that depends on the recorded files and on `files`.

        Does nothing if one of the recorded files or the program has changed meanwhile.
        """
        now = {file: digest_file(file) for file in {*self._before, *map(os.path.abspath, files)}}
        if any(now[file] != digest for file, digest in self._before.items()) or not is_program_unchanged():
            return
        named = [(*self._name(file), digest) for file, digest in sorted(now.items())]
        write(_build_key(what), json.dumps({"files": named, "result": result}).encode())

    def _name(self, file: str) -> tuple[int, str]:
        """Return the folder, by its index, from which a file has the shortest path, and that path."""
        paths = [(os.path.relpath(file, folder), place) for place, folder in enumerate(self._folders)]
        path, place = min(paths, key=lambda each: (each[0].count(os.pardir), len(each[0])))
        return place, path


def _build_key(what: Sequence[str]) -> str:
    data = json.dumps([digest_program(), *what]).encode()
    return hashlib.sha256(data).hexdigest()
