"""Isolation of internal failures, so that the rest of a check continues with a diagnostic for the failed part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rulewright.base.plugins import Failure, attempt
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.span import Span

T = TypeVar("T")

PART_FAILED = Code(
    "part-failed",
    "A failed part of the check",
    "This is a bug in Rulewright or a plug-in, not in the rules; everything else was checked.",
    "Report it, and attach the file with the details.",
)


def attempt_part(part: str, given: str, span: Span, diagnostics: Diagnostics, work: Callable[[], T]) -> T | None:
    """Run a part of a check and return its result.

    If it raises an exception, add a diagnostic at `span` that names the part and its input `given`, and return None.
    `RulewrightError`, and so `DiagnosticError`, is not caught, because it is not a failure of the program.
    """

    def report(failure: Failure) -> None:
        diagnostics.add(PART_FAILED, str(failure), span)

    return attempt(part, given, work, report)
