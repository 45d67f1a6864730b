"""Work given to an executor piece by piece, and the programs that its workers must have."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from importlib.metadata import version
from itertools import islice
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection
from time import perf_counter
from types import TracebackType
from typing import TypeVar

from rulewright.errors import RulewrightError

Piece = TypeVar("Piece")
Found = TypeVar("Found")

DIED = "a worker was killed while it played; is there memory enough for so many? Fewer `--workers` need less"


class WorkersLostError(RulewrightError):
    """Nobody is left who plays; what was played until then is known."""


TICK = 5.0
"""Seconds after which those who wait look whether anybody still plays."""


def _result(future: Future[Found], pool: Executor) -> Found:
    """What comes of a piece. Raises `WorkersLostError` where nobody is left who works on it."""
    while True:
        try:
            return future.result(timeout=TICK)
        except BrokenExecutor:
            raise WorkersLostError(DIED) from None
        except TimeoutError:
            if not future.done():
                refuse_dead(pool)


def refuse_dead(pool: Executor) -> None:
    """Raise `WorkersLostError` where a pool that can tell says that nobody is left."""
    told: Callable[[], None] | None = getattr(pool, "refuse_dead", None)
    if told is not None:
        told()


def spread(pool: Executor, work: Callable[[Piece], Found], pieces: Iterable[Piece], *, ahead: int) -> Iterator[Found]:
    """What `work` makes of each piece, as it comes.

    Never more than `ahead` pieces are under way, so that memory stays flat. Raises `WorkersLostError` where a process
    of the pool is killed, or nobody is left.
    """
    left = iter(pieces)
    waiting: set[Future[Found]] = {pool.submit(work, piece) for piece in islice(left, ahead)}
    while waiting:
        done, waiting = wait(waiting, timeout=TICK, return_when=FIRST_COMPLETED)
        if not done:
            refuse_dead(pool)
        for future in done:
            yield _result(future, pool)
            waiting |= {pool.submit(work, piece) for piece in islice(left, 1)}


def in_order(pool: Executor, work: Callable[[Piece], Found], pieces: Iterable[Piece], *, ahead: int) -> Iterator[Found]:
    """What `work` makes of each piece, in the order of the pieces, so that where one stops is the same for any pool.

    Never more than `ahead` pieces are under way or wait for their turn. What has not begun when the caller stops is
    called off. Raises `WorkersLostError` where a process of the pool is killed, or nobody is left.
    """
    left = iter(pieces)
    queue: deque[Future[Found]] = deque(pool.submit(work, piece) for piece in islice(left, ahead))
    try:
        while queue:
            found = _result(queue[0], pool)
            queue.popleft()
            queue.extend(pool.submit(work, piece) for piece in islice(left, 1))
            yield found
    finally:
        for future in queue:
            future.cancel()


def processors() -> int:
    """How many processors this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """A pool of processes. Where its use ends in an error or an interrupt, they are stopped at once."""
    before = set(active_children())
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_interrupts_to_the_client)
    try:
        with interrupts_later(ignored=True):
            # What is ignored here is ignored by what is started here, from its first moment on.
            pool.submit(int)
        yield pool
    except BaseException:
        ends = ends_of_workers(pool)
        pool.shutdown(wait=False, cancel_futures=True)
        started = set(active_children()) - before
        for process in started:
            process.terminate()
        for process in started:
            process.join()
        for end in ends:
            with suppress(OSError):  # a thread of the pool may have closed it a moment ago
                end.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


PATIENCE = 1.0
"""Seconds of play in one process after which others are started: a start takes about as long."""


class Helpers:
    """Processes that are started when play has taken a while, and then kept: little play is sooner done without.

    Where games are played changes nothing of their counts. They are stopped at the end of the `with` block.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.executor: Executor | None = None
        self._pools = ExitStack()
        self._began = perf_counter()

    def __enter__(self) -> Helpers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pools.__exit__(kind, error, trace)

    def start_if_due(self) -> bool:
        """Start them, where it is time for that. Whether they were started just now."""
        if self.workers == 1 or self.executor is not None or perf_counter() - self._began < PATIENCE:
            return False
        self.executor = self._pools.enter_context(processes(self.workers))
        return True


def ends_of_workers(pool: ProcessPoolExecutor) -> list[Connection]:
    """Those ends of a pool's pipes that only its workers use.

    This process has them open too. Whoever of its own threads is about to send to workers that were stopped, or waits
    for the rest of what one of them began to say, would wait for ever, and the exit for that thread: before
    3.13, Python closes none of them by itself (https://github.com/python/cpython/issues/94777).
    """
    reads, writes = getattr(pool, "_call_queue", None), getattr(pool, "_result_queue", None)
    ends = (getattr(reads, "_reader", None), getattr(writes, "_writer", None))
    return [end for end in ends if end is not None]


@contextmanager
def interrupts_later(*, ignored: bool = False) -> Iterator[None]:
    """Hold back an interrupt until what is done here is done whole; or, with `ignored`, for good."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is ever interrupted
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def _leave_interrupts_to_the_client() -> None:
    """Ctrl-C reaches every process of a terminal; what is done then is for one of them to say."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@lru_cache(maxsize=1)
def programs() -> str:
    """Rulewright and Python, with the versions that matter: `rulewright 1.2.0, Python 3.13`."""
    return f"rulewright {version('rulewright')}, Python {sys.version_info.major}.{sys.version_info.minor}"


def refuse_others(wanted: str, *, where: str = "this worker") -> None:
    """Raise `RulewrightError` unless this process has the programs `wanted`; nothing wanted is always there."""
    if wanted and wanted != programs():
        raise RulewrightError(different(where, programs(), wanted))


def different(where: str, there: str, wanted: str) -> str:
    """What is said of a worker with other programs."""
    return f"{where} has {there}, and the client has {wanted}: install the same on both, so that games are the same"
