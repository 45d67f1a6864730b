"""The mapping of positions between the text that was checked and the current text, above and below a change."""

from __future__ import annotations

from rulewright.source.span import Span


class LineMap:
    r"""The mapping from a text to a newer version of it. Positions in changed lines have no counterpart.

    >>> LineMap("a\nb\nc", "a\nx\ny\nc").map_forward(Span("", 3, 1, 3, 2)).line
    4
    """

    def __init__(self, then: str, now: str) -> None:
        old, new = then.split("\n"), now.split("\n")
        most = min(len(old), len(new))
        self._same = then == now
        above = 0
        while above < most and old[above] == new[above]:
            above += 1
        below = 0
        while below < most - above and old[-1 - below] == new[-1 - below]:
            below += 1
        self._above = above
        self._old, self._new = len(old) - below, len(new) - below
        """The first unchanged line after the change in each text, counted from 0."""

    def map_forward(self, span: Span) -> Span | None:
        """Return the range in the new text, or None if it is in changed lines."""
        if self._same or span.end_line <= self._above:
            return span
        if span.line <= self._old:
            return None
        by = self._new - self._old
        return Span(span.file, span.line + by, span.column, span.end_line + by, span.end_column)

    def map_back(self, line: int) -> int | None:
        """Return the line of the old text for a line of the new one, counted from 1. None for a changed line."""
        if self._same or line <= self._above:
            return line
        return line - self._new + self._old if line > self._new else None
