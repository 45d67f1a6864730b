"""The programs that a worker must have: the client's own."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.metadata import version

from rulewright.errors import RulewrightError


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
