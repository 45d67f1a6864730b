"""Values computed on first use, once each, also with several threads.

`functools.cached_property` has no lock since Python 3.12, and `functools.cache` never had one, so concurrent threads
get different objects. That is a bug if objects are compared by identity.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock, RLock
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")

_MISSING = object()


class _Turn:
    """The lock of a value that is being made, and how many threads hold it or wait for it."""

    __slots__ = ("lock", "threads")

    def __init__(self) -> None:
        self.lock = RLock()
        self.threads = 0


_TURNS: dict[tuple[int, Hashable], _Turn] = {}
_LOCK = Lock()


def _forget_turns() -> None:
    """Reset the locks in a forked process, because the threads that held them do not exist there."""
    global _LOCK
    _LOCK = Lock()
    _TURNS.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_turns)


def make_once(values: dict[Any, Any], key: Hashable, make: Callable[[], T]) -> T:
    """Return `values[key]`. If it is missing, compute it with `make` and store it.

    Exceptions of `make` pass through, and nothing is stored then.

    If several threads need the same value, one computes it and the others wait. Each value has its own lock, so
    threads only wait for each other if values depend on each other in a cycle.
    """
    result = values.get(key, _MISSING)
    if result is not _MISSING:
        return result  # type: ignore[no-any-return]
    place = id(values), key
    with _LOCK:
        turn = _TURNS.setdefault(place, _Turn())
        turn.threads += 1
    try:
        with turn.lock:
            result = values.get(key, _MISSING)
            if result is _MISSING:
                result = values.setdefault(key, make())
            return result  # type: ignore[no-any-return]
    finally:
        with _LOCK:
            turn.threads -= 1
            if not turn.threads:
                _TURNS.pop(place, None)


class lazy_property(Generic[T]):  # noqa: N801 (used like the builtin `property`)
    """A property that is made when it is first read, and kept: `functools.cached_property` for threads."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = ""
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> lazy_property[T] | T:
        if instance is None:
            return self
        # The instance attribute hides this descriptor on later reads.
        return make_once(instance.__dict__, self._name, lambda: self._make(instance))


def compute_once(make: Callable[[], T]) -> Callable[[], T]:
    """Make a function without parameters give the value of its first call for ever: `functools.cache` for threads."""
    values: dict[None, T] = {}

    @wraps(make)
    def get_value() -> T:
        return values[None] if values else make_once(values, None, make)

    return get_value
