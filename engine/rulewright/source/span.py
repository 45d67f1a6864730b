"""Positions in a file by line and column, and their conversion from offsets."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range in a file, from its first character up to, but not including, (`end_line`, `end_column`).

    Lines and columns start at 1, and columns count characters (code points), not bytes. An empty range, such as the
    missing value of `key:`, ends at its start.

    >>> str(Span("rules/pig.yaml", 3, 7, 3, 10))
    'rules/pig.yaml:3:7'
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def for_file(cls, file: str) -> Span:
        """Return the span for a whole file, which is empty and at its first character."""
        return cls(file, 1, 1, 1, 1)

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of a later one in the same file."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)

    def contains(self, inner: Span) -> bool:
        """Return whether `inner` is completely within this span."""
        return (
            self.file == inner.file
            and (self.line, self.column) <= (inner.line, inner.column)
            and (inner.end_line, inner.end_column) <= (self.end_line, self.end_column)
        )

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class TextPlaces:
    r"""A text with its file name that converts offsets to lines and columns. Line breaks are `\n`."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self._starts = [0]
        start = text.find("\n") + 1
        while start:
            self._starts.append(start)
            start = text.find("\n", start) + 1

    def build_span(self, start: int, end: int) -> Span:
        """Return the span from offset `start` up to `end`, both clamped to the text."""
        start = min(max(start, 0), len(self.text))
        end = min(max(end, start), len(self.text))
        line, column = self._place(start)
        end_line, end_column = self._place(end)
        return Span(self.file, line, column, end_line, end_column)

    def get_line(self, number: int) -> str:
        """Return a line, counted from 1, without its line break. Empty if there is no such line."""
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        return self.text[start : self.find_line_end(start)]

    def find_offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, both counted from 1. Raises `IndexError` for a line past the end."""
        return self._starts[line - 1] + column - 1

    def find_line_start(self, offset: int) -> int:
        """Return the start of the line that contains `offset`."""
        return self.text.rfind("\n", 0, offset) + 1

    def find_line_end(self, offset: int) -> int:
        """Return the end of the line that contains `offset`, before its line break."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
