"""What the terminal can show."""

from __future__ import annotations

import shutil
import sys


def can_show(text: str) -> bool:
    """Whether standard output can encode `text`."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def width() -> int:
    """The columns of the terminal: at least 40, and at most 120, where lines are still read with ease."""
    return max(40, min(120, shutil.get_terminal_size().columns))
