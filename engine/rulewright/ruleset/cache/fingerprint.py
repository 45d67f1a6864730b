"""Compute cache keys from the rules, the program version and the Python version."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from rulewright.base.resources import find_resource
from rulewright.ruleset.cache.storage import read, write
from rulewright.ruleset.editions.edition import Edition, list_rules_files
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.source.source_map import SOURCES

_BEGUN = time.time_ns()
"""The start time of the program in nanoseconds. Files changed since then may have been imported before the change."""


def build_key(*parts: str) -> str:
    """Return the cache key for data derived from `parts`, this program and this Python, as hexadecimal SHA-256.

    The order of `parts` matters. The key changes with every change to the files of the program.
    """
    whole = hashlib.sha256()
    for part in (identify_program(), *parts):
        data = part.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()


def build_layers_key(chain: Sequence[tuple[Edition, Iterable[str]]]) -> str | None:
    """Return the cache key for data derived from layers, or None if one of their files or folders cannot be read.

    Each layer comes with the names of the layers it was written for. The key covers the path and full text of every
    manifest and rules file. Also registers the texts in `SOURCES`, which diagnostics need even if the rules come from
    the cache.
    """
    parts: list[str] = []
    for edition, own in chain:
        diagnostics = Diagnostics()
        files = [edition.path, *list_rules_files(edition.folder, diagnostics)]
        if diagnostics.errors:
            return None
        parts += [edition.id, str(len(files)), *sorted(own), ""]
        for path in files:
            try:
                text = read_bytes_as_text(path)
            except DiagnosticError:
                return None
            SOURCES.remember(os.fspath(path), text)
            parts += [os.fspath(path), text]
    return build_key("layers", *parts)


def is_program_unchanged() -> bool:
    """Return whether the program's files are still those that are running. Otherwise nothing must be cached."""
    now, newest = _files()
    return newest < _BEGUN and now == identify_program()


@cache
def identify_program() -> str:
    """Return a digest that identifies this program and this Python. Cached for the process.

    Files of the program are identified by path, size and modification time.
    """
    return _files()[0]


@cache
def digest_program() -> str:
    """Return a digest of the content of this program's files, which is the same in every copy and on every Python.

    Cached for the process, and on disk as long as no file has another size or time.
    """
    key = build_key("content of the program")
    known = read(key)
    if known is not None:
        return known.decode("ascii", "replace")
    whole = hashlib.sha256()
    for root in _list_roots():
        for path in sorted(_list_program(root)):
            name = os.path.relpath(path, root).replace(os.sep, "/")
            with open(path, "rb") as file:
                whole.update(f"{name} {hashlib.sha256(file.read()).hexdigest()}\n".encode("utf-8", "surrogatepass"))
    digest = whole.hexdigest()
    if is_program_unchanged():
        write(key, digest.encode())
    return digest


def _list_roots() -> list[Path]:
    return [Path(__file__).resolve().parents[2], *(Path(find_resource(name)) for name in ("grammar", "docs_templates"))]


def _list_program(root: Path) -> Iterator[str]:
    """Yield the paths of the program's files below a folder."""
    for inside, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in ("__pycache__", "_data"))
        yield from (os.path.join(inside, name) for name in sorted(names))


def _files() -> tuple[str, int]:
    """Return the digest of this Python and the program's files, and the newest modification time in nanoseconds.

    The digest covers the path, size and modification time of each file, not its content. Raises `OSError` if a file
    disappears meanwhile.
    """
    roots = _list_roots()
    seen = [sys.version, sys.implementation.cache_tag or "", os.name, os.fspath(roots[0])]
    newest = 0
    for path in (path for root in roots for path in _list_program(root)):
        status = os.stat(path)
        seen.append(f"{path} {status.st_size} {status.st_mtime_ns}")
        newest = max(newest, status.st_mtime_ns)
    return hashlib.sha256("\n".join(seen).encode("utf-8", "surrogatepass")).hexdigest(), newest
