"""Positions as editors count them: lines from 0, and columns in units of an encoding.

The default encoding is UTF-16, in which an emoji has two units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulewright.source.span import Span

Encoding = Literal["utf-8", "utf-16", "utf-32"]


@dataclass(frozen=True, slots=True, order=True)
class LspPosition:
    """A position as a line and a column in units of the encoding, both counted from 0."""

    line: int
    character: int


@dataclass(frozen=True, slots=True)
class LspRange:
    """A range from a position up to, but not including, another one."""

    start: LspPosition
    end: LspPosition


class TextLines:
    r"""The lines of a text whose line breaks are `\n`.

    >>> TextLines("a 🏰 b").position(1, 5), TextLines("a 🏰 b").find_column(LspPosition(0, 5))
    (LspPosition(line=0, character=5), (1, 5))
    """

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self._lines = text.split("\n")
        self._encoding = encoding

    def position(self, line: int, column: int) -> LspPosition:
        """Return the LSP position of a line and column, counted from 1. Positions beyond the text become its end."""
        if line > len(self._lines):
            return LspPosition(len(self._lines) - 1, self.count_units(self._lines[-1]))
        line = max(line, 1)
        return LspPosition(line - 1, self.count_units(self._lines[line - 1][: max(0, column - 1)]))

    def find_column(self, position: LspPosition) -> tuple[int, int]:
        """Return the line and column, counted from 1, of an LSP position. Positions beyond the text are clamped."""
        if position.line >= len(self._lines):
            return len(self._lines), len(self._lines[-1]) + 1
        line = self._lines[max(0, position.line)]
        if line.isascii():
            return max(0, position.line) + 1, min(max(0, position.character), len(line)) + 1
        units = 0
        for column, character in enumerate(line, start=1):
            units += self.count_units(character)
            # A position inside a surrogate pair means its start.
            if units > position.character:
                return max(0, position.line) + 1, column
        return max(0, position.line) + 1, len(line) + 1

    def find_range(self, span: Span) -> LspRange:
        """Return the range of a span as editors count it."""
        return LspRange(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    def get_line(self, number: int) -> str:
        """Return a line, counted from 1, or an empty text if it does not exist."""
        return self._lines[number - 1] if 1 <= number <= len(self._lines) else ""

    def __len__(self) -> int:
        return len(self._lines)

    def count_units(self, text: str) -> int:
        """Return the length of a text in units of the encoding."""
        if text.isascii() or self._encoding == "utf-32":
            return len(text)
        if self._encoding == "utf-8":
            return len(text.encode("utf-8", errors="surrogatepass"))
        return len(text) + sum(character > "\uffff" for character in text)
