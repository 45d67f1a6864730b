"""Signals that are held back while something is done whole, and signals that stop a module in the middle of a call."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import Any

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask a program to end."""

_AGAIN = 0.002
"""The seconds between two calls of `stop`, because a starting game may overwrite the first request."""


@contextmanager
def defer_interrupts(*, by_processes: bool = True) -> Iterator[None]:
    """Defer interrupts and other terminating signals until the block is finished.

    If `by_processes` is false, processes started in the block ignore interrupts from the start. Does nothing outside
    the main thread. Raises `KeyboardInterrupt` at the end if an interrupt arrived. Other signals are then given to
    their handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach only the main thread
        return
    signals: list[int] = []
    before: dict[int, Any] = {}
    # Child processes inherit blocked signals. Windows does not support them.
    deafen = None if by_processes else getattr(signal, "pthread_sigmask", None)
    try:
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):  # otherwise, leave the default action
                before[number] = handler
                signal.signal(number, lambda number, _: signals.append(number))
        if deafen is not None:
            deafen(signal.SIG_BLOCK, [signal.SIGINT])
        yield
    finally:
        if deafen is not None:
            deafen(signal.SIG_UNBLOCK, [signal.SIGINT])
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in signals:
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            before[number](number, None)


@contextmanager
def stop_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` repeatedly, from another thread, after a signal and until the end of the block.

    Python itself notices a signal only when the call of a module returns. Does nothing outside the main thread, which
    alone receives signals, and where no thread can be started.
    """
    watch, before = None, -1
    if threading.current_thread() is threading.main_thread():
        with suppress(RuntimeError):  # there are no threads here
            watch = _watch()
    if watch is None:
        yield
        return
    watch.stop = stop
    try:
        before = watch.previous = signal.set_wakeup_fd(watch.writes, warn_on_full_buffer=False)
        yield
    except BaseException:
        watch.stop = None
        watch.catch_up()
        raise
    finally:
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)
        watch.stop = None


class _Watch:
    """A thread that reads the numbers of arriving signals from a pipe.

    Raises `RuntimeError` where no thread can be started.
    """

    def __init__(self) -> None:
        """Open a pipe, and start the thread that reads it. Raises `RuntimeError` if no thread can be started."""
        self._reads, self.writes = os.pipe()
        with suppress(OSError):  # not supported on Windows
            os.set_blocking(self.writes, False)
        self._caught_up = threading.Event()
        self.process = os.getpid()
        self.stop: Callable[[], None] | None = None
        self.previous = -1
        try:
            threading.Thread(target=self._run, name="rulewright signals", daemon=True).start()
        except RuntimeError:
            os.close(self._reads)
            os.close(self.writes)
            raise

    def catch_up(self) -> None:
        """Wait, for at most a second, until the watcher has read all signals so far.

        Those signals do not concern the next call.
        """
        self._caught_up.clear()
        with suppress(OSError):
            os.write(self.writes, b"\0")
            self._caught_up.wait(1)

    def _run(self) -> None:
        """Read signals from the pipe, pass them on, and call `stop` repeatedly until it is removed."""
        while numbers := os.read(self._reads, 64):
            stop = self.stop
            if self.previous != -1:  # pass the signals on to the previous wakeup descriptor
                with suppress(OSError):
                    os.write(self.previous, numbers.replace(b"\0", b""))
            while stop is not None and self.stop is stop and any(number in SIGNALS for number in numbers):
                stop()
                sleep(_AGAIN)
            stop = None  # drop the reference while waiting, so that its owner can be freed
            if 0 in numbers:
                self._caught_up.set()


_WATCHES: list[_Watch] = []


def _watch() -> _Watch:
    if not _WATCHES or _WATCHES[-1].process != os.getpid():  # threads do not survive a fork
        _WATCHES[:] = [_Watch()]
    return _WATCHES[-1]
