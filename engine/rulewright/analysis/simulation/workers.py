"""A pool of workers that processes work in pieces, and a check of the workers' program versions."""

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
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import perf_counter
from types import TracebackType
from typing import Any, TypeVar

from rulewright.analysis.simulation.stopping import refuse_stopped
from rulewright.base.errors import RulewrightError
from rulewright.engine.wasm_backend.interrupts import defer_interrupts

Piece = TypeVar("Piece")
WorkerResult = TypeVar("WorkerResult")

DIED = "a worker was killed, perhaps because memory ran out; try fewer `--workers`"


class WorkersLostError(RulewrightError):
    """An error raised when no workers are left. The results until then remain valid."""


TICK = 5.0
"""The interval in seconds for checking that workers are alive."""

MOMENT = 0.1
"""The maximum delay of an interrupt, in seconds."""

# An interrupt can raise an exception between any two bytecodes, even after a lock was taken and before the code that is
# sure to release it. A lock that is never released would block the threads of the pool, and the exit that waits for
# them, forever. Interrupts are therefore deferred during all operations of a pool and its futures.


def _submit(pool: Executor, work: Callable[[Piece], WorkerResult], piece: Piece) -> Future[WorkerResult]:
    with defer_interrupts():
        return pool.submit(work, piece)


def _wait(pool: Executor, waiting: Iterable[Future[WorkerResult]]) -> set[Future[WorkerResult]]:
    """Wait for at least one future and return the futures that are done.

    Raises `WorkersLostError` if no workers are left, and `StoppedError` as in `stop_if`.
    """
    futures = set(waiting)
    while True:
        for _ in range(max(1, round(TICK / MOMENT))):
            with defer_interrupts():
                done = wait(futures, timeout=MOMENT, return_when=FIRST_COMPLETED).done
            refuse_stopped()
            if done:
                return done
        refuse_dead(pool)


def _result(future: Future[WorkerResult]) -> WorkerResult:
    """Return the result of a finished future, or raise its exception.

    Raises `WorkersLostError` if the pool is broken.
    """
    try:
        with defer_interrupts():
            return future.result(timeout=0)
    except BrokenExecutor:
        raise WorkersLostError(DIED) from None


def refuse_dead(pool: Executor) -> None:
    """Raise `WorkersLostError` if the pool reports that no workers are left. Not every pool can report this."""
    refuse: Callable[[], None] | None = getattr(pool, "refuse_dead", None)
    if refuse is not None:
        refuse()


def spread(
    pool: Executor, work: Callable[[Piece], WorkerResult], pieces: Iterable[Piece], *, ahead: int
) -> Iterator[WorkerResult]:
    """Yield the result of `work` for each piece, in order of completion.

    At most `ahead` pieces are in progress, to limit memory. Exceptions of `work` are raised here. Raises
    `WorkersLostError` if a process of the pool is killed or no workers are left, and `StoppedError` as in
    `stop_if`.
    """
    left = iter(pieces)
    waiting = {_submit(pool, work, piece) for piece in islice(left, ahead)}
    while waiting:
        done = _wait(pool, waiting)
        waiting -= done
        for future in done:
            yield _result(future)
            waiting |= {_submit(pool, work, piece) for piece in islice(left, 1)}


def iterate_in_order(
    pool: Executor, work: Callable[[Piece], WorkerResult], pieces: Iterable[Piece], *, ahead: int
) -> Iterator[WorkerResult]:
    """Yield the result of `work` for each piece, in the order of the pieces.

    The results up to any point are therefore the same for any pool. At most `ahead` pieces are in progress or waiting
    for their turn. If the caller stops early, pieces that have not begun are cancelled. Exceptions of `work` are raised
    here. Raises `WorkersLostError` if a process of the pool is killed or no workers are left, and `StoppedError` as in
    `stop_if`.
    """
    left = iter(pieces)
    queue = deque(_submit(pool, work, piece) for piece in islice(left, ahead))
    try:
        while queue:
            _wait(pool, [queue[0]])
            result = _result(queue.popleft())
            queue.extend(_submit(pool, work, piece) for piece in islice(left, 1))
            yield result
    finally:
        with defer_interrupts():
            for future in queue:
                future.cancel()


def count_processors() -> int:
    """Return the number of processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not available on every system
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


class LocalExecutor(Executor):
    """An executor that does each piece of work at once in the calling thread, where processes cannot be started."""

    def submit(self, work: Callable[..., WorkerResult], /, *args: Any, **kwargs: Any) -> Future[WorkerResult]:
        """Do the work, and return a finished future with its result or its exception."""
        future: Future[WorkerResult] = Future()
        try:
            refuse_stopped()
            future.set_result(work(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def open_processes(workers: int) -> Iterator[Executor]:
    """Open a pool of worker processes.

    The processes ignore Ctrl+C and end with this process. The end of the block waits for running work and
    cancels work that has not started. An exception in the block terminates the processes immediately.
    """
    before = set(active_children())
    with defer_interrupts():
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin_worker)
    try:
        with defer_interrupts(by_processes=False):
            for _ in range(workers):
                pool.submit(int)  # each starts a process, because none is idle yet
        yield pool
    except BaseException:
        with defer_interrupts():
            _stop(pool, _processes_of(pool, before))
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _processes_of(pool: ProcessPoolExecutor, before: set[BaseProcess]) -> list[BaseProcess]:
    """Return the processes of a pool.

    If the pool does not expose them, the result is all child processes started since `before`.
    """
    own: dict[int, BaseProcess] | None = getattr(pool, "_processes", None)
    return list(own.values()) if own is not None else list(set(active_children()) - before)


def _stop(pool: ProcessPoolExecutor, started: Iterable[BaseProcess]) -> None:
    """Terminate a pool and its processes immediately."""
    ends = list_worker_ends(pool)
    pool.shutdown(wait=False, cancel_futures=True)
    for process in started:
        process.terminate()
    for process in started:
        process.join()
    for end in ends:
        with suppress(OSError):  # a thread of the pool may just have closed it
            end.close()


PATIENCE = 1.0
"""How many seconds to play in one process before starting others, which takes about as long."""


class Helpers:
    """Worker processes that start only after play has taken a while, because short runs finish sooner without them.

    The location of the games does not change their counts. The processes stop at the end of the `with` block.
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
        """Start the processes if it is time, and return whether they started just now."""
        if self.workers == 1 or self.executor is not None or perf_counter() - self._began < PATIENCE:
            return False
        self.executor = self._pools.enter_context(open_processes(self.workers))
        return True


def list_worker_ends(pool: ProcessPoolExecutor) -> list[Connection]:
    """Return the ends of a pool's pipes that only its workers use.

    This process also has them open. A thread of the pool that sends to stopped workers, or waits for the rest of an
    interrupted message, would therefore wait forever and block the exit. Before Python 3.13, the standard library does
    not close them (https://github.com/python/cpython/issues/94777).
    """
    reads, writes = getattr(pool, "_call_queue", None), getattr(pool, "_result_queue", None)
    ends = (getattr(reads, "_reader", None), getattr(writes, "_writer", None))
    return [end for end in ends if end is not None]


def _begin_worker() -> None:
    _leave_interrupts_to_the_client()
    threading.Thread(target=_end_with_parent, daemon=True, name="parent").start()


def _end_with_parent() -> None:
    """End this process as soon as its parent has ended for any reason.

    A worker that waits for work would otherwise wait forever, because it holds the other end of that pipe open. This
    function waits on a pipe end that only the parent holds.
    """
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _leave_interrupts_to_the_client() -> None:
    """Ignore Ctrl+C, which reaches every process of a terminal. The client handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@lru_cache(maxsize=1)
def describe_programs() -> str:
    """Return the versions of Rulewright and Python that must match: `rulewright 1.2.0, Python 3.13`."""
    return f"rulewright {version('rulewright')}, Python {sys.version_info.major}.{sys.version_info.minor}"


def refuse_others(expected: str, *, where: str = "this worker") -> None:
    """Raise `RulewrightError` unless this process has the versions `expected`. An empty `expected` allows any."""
    if expected and expected != describe_programs():
        raise RulewrightError(explain_difference(where, describe_programs(), expected))


def explain_difference(where: str, there: str, expected: str) -> str:
    """Return the error message for a worker with other program versions."""
    return (
        f"{where} has {there}, but the client has {expected}: install "
        "the same version on both, so that games are the same"
    )
