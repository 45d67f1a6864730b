"""Isolation of internal failures, so that the rest of a check continues with a diagnostic for the failed part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import Failure, attempt
from rulewright.source.diagnostics.collector import Diagnostics, TooManyErrors
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.span import Span

T = TypeVar("T")

PART_FAILED = Code(
    "part-failed",
    "A failed part of the check",
    "This is a bug in Rulewright or a plug-in, not in the rules; everything else was checked.",
    "Report it, and attach the file with the details.",
)


def attempt_part(
    part: str,
    given: str,
    span: Span,
    diagnostics: Diagnostics,
    work: Callable[[], T],
    *,
    passes: type[Exception] = RulewrightError,
) -> T | None:
    """Run a part of a check and return its result.

    If it raises an exception, add a diagnostic at `span` that names the part and its input `given`, and return None.
    Exceptions of the type `passes` are not caught: by default `RulewrightError`, and so `DiagnosticError`, because they
    are not failures of the program.
    """

    def report(failure: Failure) -> None:
        diagnostics.add(PART_FAILED, str(failure), span)

    return attempt(part, given, work, report, passes=passes)


def attempt_plugin(
    part: str, file: str, given: str, span: Span, diagnostics: Diagnostics, work: Callable[[], T]
) -> T | None:
    """Run a plug-in like `attempt_part`, and name its file in the diagnostic.

    `RulewrightError` is caught, too: plug-ins report errors in the rules as diagnostics, so they raise it by mistake.
    `TooManyErrors` is not caught, because it ends the check.
    """
    return attempt_part(f"{part} ({file})", given, span, diagnostics, work, passes=TooManyErrors)
