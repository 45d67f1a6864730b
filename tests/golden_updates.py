"""Whether tests write what they compare with anew: `UPDATE_GOLDENS=1 pytest`."""

from __future__ import annotations

import os


def updates_goldens() -> bool:
    """Return whether `UPDATE_GOLDENS` is set, and not to 0."""
    return os.environ.get("UPDATE_GOLDENS", "") not in ("", "0")
