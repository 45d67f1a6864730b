"""A way to end long work from outside: its caller says when, and the work asks between two steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rulewright.base.errors import RulewrightError


class StoppedError(RulewrightError):
    """An error raised when `stop_if` ends the work."""


_STOP: ContextVar[Callable[[], bool]] = ContextVar("whether to stop", default=lambda: False)


@contextmanager
def stop_if(is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Make work that this thread waits for in the block raise `StoppedError` soon after `is_stopped` is true.

    The error also ends the worker processes.
    """
    before = _STOP.set(is_stopped)
    try:
        yield
    finally:
        _STOP.reset(before)


def refuse_stopped() -> None:
    """Raise `StoppedError` if the work is to stop (see `stop_if`)."""
    if _STOP.get()():
        raise StoppedError("the work was cancelled")
