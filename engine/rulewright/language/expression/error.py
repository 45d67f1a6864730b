"""The error of an expression's text."""

from __future__ import annotations

from rulewright.errors import RulewrightError


class ExpressionError(RulewrightError):
    """An expression that cannot be read.

    Attributes: `code` (id of the diagnostic), `message`, and `start`, `end`, character offsets in the text;
    `suggestion` where there is one.
    """

    def __init__(self, code: str, message: str, start: int, end: int, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.start = start
        self.end = max(end, start + 1)
        self.suggestion = suggestion
