"""Work given to an executor piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import TypeVar

Piece = TypeVar("Piece")
Found = TypeVar("Found")


def spread(pool: Executor, work: Callable[[Piece], Found], pieces: Iterable[Piece], *, ahead: int) -> Iterator[Found]:
    """What `work` makes of each piece, as it comes.

    Never more than `ahead` pieces are under way, so that memory stays flat.
    """
    left = iter(pieces)
    waiting: set[Future[Found]] = {pool.submit(work, piece) for piece in islice(left, ahead)}
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
            waiting |= {pool.submit(work, piece) for piece in islice(left, 1)}
