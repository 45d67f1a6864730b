"""A diagnostic, with its code, message, position, related positions, and edits that fix the problem."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from rulewright.source.diagnostics.excerpt import MOST_SAID, extend_to_lines
from rulewright.source.diagnostics.suggestions import Suggestion
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

Severity = Literal["error", "warning"]

_KEBAB_CASE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Code:
    """A type of diagnostic. Creating one registers it in `CODES`.

    Each check declares its codes in its own module. `title` names the problem, `why` explains the reason, and `fix` is
    the advice if a diagnostic has no suggestion of its own. Raises `ValueError` for an id that is taken or not in
    kebab-case, and for another severity.
    """

    id: str
    title: str
    why: str
    fix: str
    severity: Severity = "error"

    def __post_init__(self) -> None:
        """Register the code. Raises `ValueError` for a wrong or registered id, and for a wrong severity."""
        if self.severity not in get_args(Severity):
            raise ValueError(f"the severity of the diagnostic code {self.id!r} is {self.severity!r}, which is unknown")
        if not _KEBAB_CASE.fullmatch(self.id):
            raise ValueError(f"the diagnostic code {self.id!r} is not in kebab-case")
        if self.id in CODES:
            raise ValueError(f"the diagnostic code {self.id!r} is declared twice")
        CODES[self.id] = self


CODES: dict[str, Code] = {}
"""Every diagnostic code of the modules imported so far, by id."""


@dataclass(frozen=True, slots=True)
class RelatedSpan:
    """Another position that explains a diagnostic, with a message about it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error or warning about the source, with the information needed to fix it.

    `edits` are changes that fix the problem automatically, all of them together. They are empty if the right fix is
    uncertain. `examples` are the ids of the failing examples that it is about.
    """

    code: Code
    message: str
    span: Span
    related: tuple[RelatedSpan, ...] = ()
    suggestion: str | None = None
    edits: tuple[Edit, ...] = ()
    examples: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Add the spelling edit of a suggestion if there are no other edits. Shorten a long message or suggestion.

        Raises `TypeError` for a part of another type, so that a plug-in with such a mistake is named.
        """
        self._check_parts()
        # If only one name is similar, the fix is to write it.
        if not self.edits and self.suggestion is not None:
            object.__setattr__(self, "edits", build_spelling_edits(self.span, self.suggestion))
        # Quoted text may be as long as a file.
        if len(self.message) > MOST_SAID:
            object.__setattr__(self, "message", extend_to_lines(self.message))
        if self.suggestion is not None and len(self.suggestion) > MOST_SAID:
            object.__setattr__(self, "suggestion", extend_to_lines(self.suggestion))

    def _check_parts(self) -> None:
        """Raise `TypeError` for a part of another type."""
        expected: tuple[tuple[str, Iterable[object], type], ...] = (
            ("code", (self.code,), Code),
            ("message", (self.message,), str),
            ("span", (self.span, *(edit.span for edit in self.edits if isinstance(edit, Edit))), Span),
            ("related", self.related, RelatedSpan),
            ("suggestion", (self.suggestion or "",), str),
            ("edits", self.edits, Edit),
        )
        for part, values, kind in expected:
            for value in values:
                if not isinstance(value, kind):
                    raise TypeError(f"`{part}` of a diagnostic must be of the type {kind.__name__}, not {value!r}")

    @property
    def severity(self) -> Severity:
        """The severity of the code, `error` or `warning`."""
        return self.code.severity

    @property
    def help(self) -> str:
        """The suggestion of this diagnostic, or else the general advice of its code."""
        return self.suggestion or self.code.fix


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a file that fixes a problem, by writing `text` in place of `span`, which may be empty."""

    span: Span
    text: str


def build_spelling_edits(span: Span, suggestion: str | None) -> tuple[Edit, ...]:
    """Return the edit that corrects a misspelled name, if the suggestion has exactly one candidate.

    Empty if there are several candidates, if the suggestion is a plain string, or if the misspelled word does not occur
    exactly once in the span. Also empty if the span has several lines, is a command-line argument, or its text is not
    in `SOURCES`.
    """
    if not isinstance(suggestion, Suggestion) or len(suggestion.names) != 1 or span.line != span.end_line:
        return ()
    line = SOURCES.find_line(span.file, span.line)
    if line is None or span.file.startswith("<"):  # a command-line argument is not a file
        return ()
    written = line[span.column - 1 : span.end_column - 1]
    if written.count(suggestion.word) != 1:
        return ()
    start = span.column + written.index(suggestion.word)
    at = Span(span.file, span.line, start, span.line, start + len(suggestion.word))
    return (Edit(at, suggestion.names[0]),)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits made. They may be in any order, and their file names are ignored.

    Raises `ValueError` if two edits overlap or one is outside the text.
    """
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    edits = [*edits]
    if any(edit.span.end_line > len(starts) for edit in edits):
        raise ValueError("an edit is outside the text")
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
