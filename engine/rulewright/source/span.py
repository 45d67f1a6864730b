"""A place in a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file, from its first character up to, not including, (`end_line`, `end_column`).

    Lines and columns start at 1, and columns count characters (code points), not bytes. An empty stretch, such as the
    missing value of `key:`, ends where it begins.

    >>> str(Span("rules/pig.yaml", 3, 7, 3, 10))
    'rules/pig.yaml:3:7'
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def at(cls, file: str) -> Span:
        """The span that stands for a whole file: its first character's place, with no length."""
        return cls(file, 1, 1, 1, 1)

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other`, which lies further on in the same file."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)

    def holds(self, inner: Span) -> bool:
        """Whether all of `inner` lies in this stretch."""
        return (
            self.file == inner.file
            and (self.line, self.column) <= (inner.line, inner.column)
            and (inner.end_line, inner.end_column) <= (self.end_line, self.end_column)
        )

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
