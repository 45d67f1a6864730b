"""Values that depend on nothing but their keys, such as the tree of an expression or the HTML of a text.

A task that runs with `use_values` takes those that are known, and keeps those that it computes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class KnownValues:
    """The values of a running task. `find_earlier` returns that of an earlier run for a name, or None."""

    def __init__(self, find_earlier: Callable[[str], Any]) -> None:
        self._find_earlier = find_earlier
        self.used: dict[str, Any] = {}
        """The values that the task has used or computed."""

    def find(self, name: str) -> Any:
        """Return the value for a name, which counts as used, or None if it is not known."""
        value = self.used.get(name)
        if value is None:
            value = self._find_earlier(name)
            if value is not None:
                self.used[name] = value
        return value


_RUNNING: ContextVar[KnownValues | None] = ContextVar("values", default=None)


@contextmanager
def use_values(values: KnownValues) -> Iterator[None]:
    """Use these values in the block."""
    token = _RUNNING.set(values)
    try:
        yield
    finally:
        _RUNNING.reset(token)


def get_value(key: Sequence[Any], compute: Callable[[], Any]) -> Any:
    """Return the value of `compute`, which depends on nothing but `key`. It is not computed if it is known.

    It must be JSON data or consist of types of rulesets, and must not be changed.
    """
    if _RUNNING.get() is None:
        return compute()
    value = find_value(key)
    return store_value(key, compute()) if value is None else value


def find_value(key: Sequence[Any]) -> Any:
    """Return the value for a key, which may have any JSON data. None if it is not known or no task is running."""
    values = _RUNNING.get()
    return None if values is None else values.find(_digest(key))


def store_value(key: Sequence[Any], value: Any) -> Any:
    """Store a value for a key if a task is running, and return it."""
    values = _RUNNING.get()
    if values is not None:
        values.used[_digest(key)] = value
    return value


def _digest(key: Sequence[Any]) -> str:
    return hashlib.blake2b(json.dumps(key).encode(), digest_size=16).hexdigest()
