"""The storage of all caches: the user's cache folder, or whatever the program that embeds this one provides.

A program without a disk, such as the worker of a browser, provides its own storage with `use_storage`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rulewright.ruleset.cache import cache_folder


class Storage(Protocol):
    """A storage of bytes by key, which may forget anything at any time.

    It must return only what was written by somebody trusted, because cached data may contain code that is executed.
    """

    def read(self, key: str) -> bytes | None:
        """Return the content stored for a key, or None."""

    def write(self, key: str, content: bytes) -> None:
        """Store content for a key, replacing earlier content."""


_STORAGE: Storage = cache_folder


def is_storing() -> bool:
    """Return whether there is a storage."""
    return _STORAGE is not cache_folder or cache_folder.cache_folder() is not None


def read(key: str) -> bytes | None:
    """Return the content stored for `key`, or None if there is none, or no storage."""
    return _STORAGE.read(key)


def write(key: str, content: bytes) -> None:
    """Store `content` for `key`, replacing earlier content. Does nothing without a storage."""
    _STORAGE.write(key, content)


@contextmanager
def use_storage(storage: Storage) -> Iterator[None]:
    """Use this storage for all caches inside the block, in every thread, instead of the cache folder.

    Blocks may be nested: the innermost storage is used.
    """
    global _STORAGE
    outer, _STORAGE = _STORAGE, storage
    try:
        yield
    finally:
        _STORAGE = outer
