"""Where and on what the YAML parser stumbled, and the text around the place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, Related
from rulewright.source.diagnostics.edits import Edit
from rulewright.source.text_places import TextPlaces

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Failure:
    """What the parser said, and the text around the place."""

    places: TextPlaces
    problem: str
    context: str
    at: int
    """The offset where the parser could not go on."""
    since: int
    """The offset where the thing it was reading began."""
    last_scalar: int | None
    """Where the last scalar began that was read to its end."""
    bracket: int | None
    """Where the innermost bracket began that was open."""

    @property
    def text(self) -> str:
        """The whole text."""
        return self.places.text

    @property
    def char(self) -> str:
        """The character at the place; empty at the end of the text."""
        return self.text[self.at : self.at + 1]

    @property
    def before(self) -> str:
        """The line up to the place."""
        return self.text[self.places.line_start(self.at) : self.at]

    @property
    def after(self) -> str:
        """The line from the place on."""
        return self.text[self.at : self.places.line_end(self.at)].rstrip()

    @property
    def is_after_a_value(self) -> bool:
        """Whether a key, a list item or the end was expected: a value was complete."""
        return self.says("expected key", "'-' indicator", "<block end>", "<document start>")

    def says(self, *words: str) -> bool:
        """Whether the parser's problem holds any of these words."""
        return any(word in self.problem for word in words)

    def diagnostic(
        self,
        code: Code,
        message: str,
        start: int,
        end: int,
        suggestion: str | None = None,
        *related: Related,
        edits: tuple[Edit, ...] = (),
    ) -> Diagnostic:
        """A diagnostic about the offsets from `start` up to `end`."""
        return Diagnostic(code, message, self.places.span(start, end), related, suggestion, edits)

    def related(self, offset: int, message: str) -> Related:
        """Another character to look at."""
        return Related(self.places.span(offset, offset + 1), message)


def line_above(places: TextPlaces, line_start: int) -> int | None:
    """Where the nearest line above begins that holds more than blanks or a comment."""
    while line_start > 0:
        line_start = places.line_start(line_start - 1)
        line = places.text[line_start : places.line_end(line_start)].strip()
        if line and not line.startswith("#"):
            return line_start
    return None


def indentation(line: str) -> int:
    """The spaces at the beginning of a line."""
    return len(line) - len(line.lstrip(" "))


def indentation_at(places: TextPlaces, line_start: int) -> int:
    """The blanks at the beginning of the line that starts there."""
    return indentation(places.text[line_start : places.line_end(line_start)])


def in_quotes(text: str) -> str:
    """A text as it would have to be written, its comment left out."""
    text = short(re.sub(r" #.*", "", text[: _SHOWN * 4]).strip())
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def short(text: str) -> str:
    """The text, cut where it would be too long for a message."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
