"""What one diagnostic is: its kind (a `Code`), message, place and related places, and the edits that mend it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rulewright.source.diagnostics.excerpt import MOST_SAID, extend_to_lines
from rulewright.source.diagnostics.suggestions import Suggestion
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

Severity = Literal["error", "warning"]

_KEBAB_CASE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of diagnostic. Making one registers it in `CODES`.

    A code is declared beside the check that raises it, so that a check is one file. `title` names the fault, `why`
    says why it is one, `fix` what to do about it when the diagnostic has no better suggestion of its own.

    Raises `ValueError` for an id that is taken or not kebab-case: a fault of the program, found when it is imported.
    """

    id: str
    title: str
    why: str
    fix: str
    severity: Severity = "error"

    def __post_init__(self) -> None:
        if not _KEBAB_CASE.fullmatch(self.id):
            raise ValueError(f"the diagnostic code {self.id!r} is not in kebab-case")
        if self.id in CODES:
            raise ValueError(f"the diagnostic code {self.id!r} is declared twice")
        CODES[self.id] = self


CODES: dict[str, Code] = {}
"""Every diagnostic code of the modules imported so far, by id."""


@dataclass(frozen=True, slots=True)
class RelatedSpan:
    """Another place that explains a diagnostic, and what is to be seen there."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing found wrong (or suspicious) in the source, with all a reader needs to mend it.

    `edits` are the changes that a machine can make to mend it, all of them together; there are none where the remedy is
    not sure. `about` is the id of the entry that the message begins with, where it says of which one it speaks.
    """

    code: Code
    message: str
    span: Span
    related: tuple[RelatedSpan, ...] = ()
    suggestion: str | None = None
    edits: tuple[Edit, ...] = ()
    about: str = ""

    def __post_init__(self) -> None:
        # Where one name is sure to have been meant, writing it is the remedy.
        if not self.edits and self.suggestion is not None:
            object.__setattr__(self, "edits", build_spelling_edits(self.span, self.suggestion))
        # What somebody wrote is quoted, and may be as long as a file.
        if len(self.message) > MOST_SAID:
            object.__setattr__(self, "message", extend_to_lines(self.message))
        if self.suggestion is not None and len(self.suggestion) > MOST_SAID:
            object.__setattr__(self, "suggestion", extend_to_lines(self.suggestion))

    @property
    def severity(self) -> Severity:
        """`error` or `warning`, as its code says."""
        return self.code.severity

    @property
    def help(self) -> str:
        """What to do: this diagnostic's own suggestion, or else the general advice of its code."""
        return self.suggestion or self.code.fix


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a file that mends what is wrong: `text` in place of what stands at `span`, which may be empty."""

    span: Span
    text: str


def build_spelling_edits(span: Span, suggestion: str | None) -> tuple[Edit, ...]:
    """Return the edit that writes the one name that can have been meant; none where there are several."""
    if not isinstance(suggestion, Suggestion) or len(suggestion.names) != 1 or span.line != span.end_line:
        return ()
    line = SOURCES.find_line(span.file, span.line)
    if line is None or span.file.startswith("<"):  # what was typed on a command line is no file
        return ()
    written = line[span.column - 1 : span.end_column - 1]
    if written.count(suggestion.word) != 1:
        return ()
    start = span.column + written.index(suggestion.word)
    at = Span(span.file, span.line, start, span.line, start + len(suggestion.word))
    return (Edit(at, suggestion.names[0]),)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits made. Raises `ValueError` where two of them change the same place."""
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
            raise ValueError("two edits overlap, or one is outside the text")
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])
