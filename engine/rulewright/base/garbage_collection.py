"""How often Python collects garbage.

Each collection visits all loaded rules, which take many objects and nearly all stay in use.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 200_000
"""The number of new objects after which a server collects the young ones."""

_YOUNG_COLLECTIONS = 4
"""The number of collections of young objects after which a server also visits those that have survived one.

Rules that an edit replaces are among them.
"""

_MIDDLE_COLLECTIONS = 25
"""The number of these visits after which a server visits all objects, which takes longest."""

_OBJECTS_OF_A_CHECK = 2_000_000
"""The number of new objects after which a check collects the young ones. A check after an edit makes fewer."""


def skip_last_collection() -> None:
    """Make Python collect no garbage at exit. It would visit all rules, which takes a fifth of the time of a check."""
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


def relax_collections() -> None:
    """Make this process collect garbage less often, for as long as it runs. Otherwise a user waits for collections."""
    gc.set_threshold(_OBJECTS, _YOUNG_COLLECTIONS, _MIDDLE_COLLECTIONS)


@contextmanager
def collect_seldom() -> Iterator[None]:
    """Collect garbage less often in the block, which saves a fifth of the time of a check.

    Afterwards, its objects count as old. Otherwise, the next collection would visit all of them.
    """
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS_OF_A_CHECK, *before[1:])
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()
        gc.set_threshold(*before)


@contextmanager
def collect_on_request() -> Iterator[None]:
    """Collect garbage in the block only by `collect_young`, which saves a fifth of the time of building a book."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            # Make all objects old, so that enabling does not begin with a visit to every one of them.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def collect_young() -> None:
    """Collect the objects made since the last collection, without a visit to older ones."""
    gc.collect(1)
