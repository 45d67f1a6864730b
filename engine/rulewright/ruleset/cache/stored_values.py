"""Values on disk that depend on nothing but their keys, such as the HTML of a text.

The values of a task, such as making one book, are stored together. Those that it no longer uses are dropped.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from rulewright.ruleset.cache.cache_folder import read, write
from rulewright.ruleset.cache.fingerprint import is_program_unchanged


class _Values:
    """The values of a running task: those of the last one, and those that were used or computed meanwhile."""

    def __init__(self, before: dict[str, Any]) -> None:
        self.before = before
        self.used: dict[str, Any] = {}


_RUNNING: ContextVar[_Values | None] = ContextVar("values", default=None)


@contextmanager
def reuse_values(task: Sequence[str], identify: Callable[[], str]) -> Iterator[None]:
    """Reuse the values of the last run of a task in the block, and store those of this one at its end.

    `identify` returns a digest of everything besides their keys that the values depend on. If it changes in the block,
    or after an exception, nothing is stored.
    """
    program = identify()
    key = hashlib.sha256(json.dumps(["values", *task]).encode()).hexdigest()
    values = _Values(_load(read(key), program))
    token = _RUNNING.set(values)
    try:
        yield
    finally:
        _RUNNING.reset(token)
    if values.used.keys() != values.before.keys() and is_program_unchanged() and identify() == program:
        write(key, zlib.compress(json.dumps([program, values.used]).encode(), 1))


def _load(content: bytes | None, program: str) -> dict[str, Any]:
    with suppress(ValueError, TypeError, zlib.error):  # of another format
        stored, values = json.loads(zlib.decompress(content or b""))
        return dict(values) if stored == program else {}
    return {}


def get_value(key: Sequence[Any], compute: Callable[[], Any]) -> Any:
    """Return the JSON value of `compute`, which depends on nothing but `key`. It is not computed if it is known."""
    value = find_value(key)
    return store_value(key, compute()) if value is None else value


def find_value(key: Sequence[Any]) -> Any:
    """Return the value for a key, which may have any JSON data. None if it is not known or no task is running."""
    values = _RUNNING.get()
    if values is None:
        return None
    name = _digest(key)
    value = values.used.get(name, values.before.get(name))
    if value is not None:
        values.used[name] = value
    return value


def store_value(key: Sequence[Any], value: Any) -> Any:
    """Store a JSON value for a key if a task is running, and return it."""
    values = _RUNNING.get()
    if values is not None:
        values.used[_digest(key)] = value
    return value


def _digest(key: Sequence[Any]) -> str:
    return hashlib.blake2b(json.dumps(key).encode(), digest_size=16).hexdigest()
