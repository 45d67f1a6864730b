"""The capabilities of the terminal, and a progress line on stderr."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def can_show(text: str) -> bool:
    """Return whether standard output can encode `text`."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def measure_width() -> int:
    """Return the width of the terminal in columns, but at least 40 and, for readability, at most 120."""
    return max(40, min(120, shutil.get_terminal_size().columns))


WIDTH = 24


@contextmanager
def show_progress() -> Iterator[Callable[[int, int, float], None] | None]:
    """Show a progress line on stderr, and yield a function that updates it.

    The function takes the games done, the total number of games, and the seconds so far. Yields None if stderr is not a
    terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    try:
        yield _show
    finally:
        print(file=sys.stderr)


def _show(done: int, games: int, seconds: float) -> None:
    """Show games done, games per second and the remaining time."""
    rate = done / seconds if seconds else 0.0
    filled = round(WIDTH * done / games)
    full, rest = ("█", "·") if can_show("█·") else ("#", ".")
    speed = f"{rate:,.0f} a second" if rate >= 2 or not rate else f"{60 * rate:,.0f} a minute"
    left = f", {format_duration((games - done) / rate)} left" if rate else ""
    line = f"{full * filled}{rest * (WIDTH - filled)} {done:,} of {games:,} games, {speed}{left}"
    print(f"\r{line:<79}", end="", file=sys.stderr, flush=True)


def format_duration(seconds: float) -> str:
    """Format a duration for people, in seconds, minutes or hours."""
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{seconds / 3600:.1f} h"
