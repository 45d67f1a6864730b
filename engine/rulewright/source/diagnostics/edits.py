"""Edits: what changes a text, and the one that follows from a word that was misspelt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.source.diagnostics.suggest import Meant
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a file that mends what is wrong: `text` in place of what stands at `span`, which may be empty."""

    span: Span
    text: str


def spelt_right(span: Span, suggestion: str | None) -> tuple[Edit, ...]:
    """The edit that writes the one name that can have been meant; none where there are several."""
    if not isinstance(suggestion, Meant) or len(suggestion.names) != 1 or span.line != span.end_line:
        return ()
    line = SOURCES.line(span.file, span.line)
    if line is None or span.file.startswith("<"):  # what was typed on a command line is no file
        return ()
    written = line[span.column - 1 : span.end_column - 1]
    if written.count(suggestion.word) != 1:
        return ()
    start = span.column + written.index(suggestion.word)
    at = Span(span.file, span.line, start, span.line, start + len(suggestion.word))
    return (Edit(at, suggestion.names[0]),)


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. Raises `ValueError` where two of them change the same place."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    places = sorted(
        (
            (starts[e.span.line - 1] + e.span.column - 1, starts[e.span.end_line - 1] + e.span.end_column - 1, e.text)
            for e in edits
        ),
    )
    parts, at = [], 0
    for start, end, new in places:
        if start < at or end > len(text):
            raise ValueError("two edits change the same place, or a place that is not there")
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])
