"""Polling for file changes that other programs make.

Polling also detects files that are deleted and recreated, on every platform. The interval grows with the time that one
poll takes, so large folders get fewer polls.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, report_failure
from rulewright.base.scheduler import Work

EVERY = 0.4
"""The number of seconds between two polls of a small folder."""

_SHARE = 20
"""The minimum wait before the next poll, as a multiple of the time that the last poll took."""


def watch_files(look: Callable[[], object], every: float) -> Work:
    """Call `look` at intervals of `every` seconds or more, without end.

    Exceptions from `look` do not end the work. Those that are no `RulewrightError` are reported.
    """
    took = 0.0
    while True:
        yield max(every, _SHARE * took)
        began = time.perf_counter()
        try:
            look()
        except RulewrightError:
            pass  # an unreadable file may be readable at the next poll
        except Exception as error:
            report_failure(Failure("the polling for changed files", "", error))
        took = time.perf_counter() - began
