"""A failure of the YAML parser with its surrounding text, and fixes that let the parser continue."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, Edit, RelatedSpan
from rulewright.source.span import TextPlaces

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class SyntaxFailure:
    """The parser's message, and the text around its position."""

    places: TextPlaces
    problem: str
    context: str
    at: int
    """The offset at which the parser stopped."""
    since: int
    """The start of the element that it was reading."""
    last_scalar: int | None
    """The start of the last complete scalar."""
    bracket: int | None
    """The start of the innermost open bracket."""

    @property
    def text(self) -> str:
        """The whole text."""
        return self.places.text

    @property
    def char(self) -> str:
        """The character at the position, or an empty text at the end."""
        return self.text[self.at : self.at + 1]

    @property
    def before(self) -> str:
        """The line up to the position."""
        return self.text[self.places.find_line_start(self.at) : self.at]

    @property
    def after(self) -> str:
        """The line from the position on, without trailing spaces."""
        return self.text[self.at : self.places.find_line_end(self.at)].rstrip()

    @property
    def is_after_a_value(self) -> bool:
        """Whether the parser had read a complete value and expected a key, a list item or the end."""
        return self.mentions("expected key", "'-' indicator", "<block end>", "<document start>")

    def mentions(self, *words: str) -> bool:
        """Return whether the parser's message contains any of these words."""
        return any(word in self.problem for word in words)

    def build_diagnostic(
        self,
        code: Code,
        message: str,
        start: int,
        end: int,
        suggestion: str | None = None,
        *related: RelatedSpan,
        edits: tuple[Edit, ...] = (),
    ) -> Diagnostic:
        """Return a diagnostic about the range from offset `start` up to `end`."""
        return Diagnostic(code, message, self.places.build_span(start, end), related, suggestion, edits)

    def build_related(self, offset: int, message: str) -> RelatedSpan:
        """Return a related span of one character."""
        return RelatedSpan(self.places.build_span(offset, offset + 1), message)


def find_line_above(places: TextPlaces, line_start: int) -> int | None:
    """Return the start of the nearest line above that is not blank or a comment, or None."""
    while line_start > 0:
        line_start = places.find_line_start(line_start - 1)
        line = places.text[line_start : places.find_line_end(line_start)].strip()
        if line and not line.startswith("#"):
            return line_start
    return None


def count_indentation(line: str) -> int:
    """Return the number of spaces at the beginning of a line."""
    return len(line) - len(line.lstrip(" "))


def count_indentation_at(places: TextPlaces, line_start: int) -> int:
    """Return the number of spaces at the beginning of the line that starts at an offset."""
    return count_indentation(places.text[line_start : places.find_line_end(line_start)])


def quote_text(text: str) -> str:
    """Return a text in quotes as YAML needs it, shortened and without a trailing comment."""
    text = shorten_text(re.sub(r" #.*", "", text[: _SHOWN * 4]).strip())
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def shorten_text(text: str) -> str:
    """Return the text, shortened if it is too long for a message."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


Change = tuple[int, int, str]
"""A start offset, an end offset, and the text to put between them."""

_SECTION = re.compile(r"\n(?=[A-Za-z_])")
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


def verify_fix(failure: SyntaxFailure, *changes: Change) -> tuple[Edit, ...]:
    """Return the changes as edits if they let the parser read on at least to the next section.

    Empty if they do not, or if there are no changes.
    """
    return build_edits(failure.places, changes) if _parses_further(failure, changes) else ()


def build_edits(places: TextPlaces, changes: tuple[Change, ...]) -> tuple[Edit, ...]:
    """Return the changes as edits of the file."""
    return tuple(Edit(places.build_span(start, end), text) for start, end, text in changes)


def quote_whole_value(places: TextPlaces, start: int) -> tuple[Change, ...]:
    """Return the change that quotes the text from `start` to the end of its line, without a comment.

    Empty if the text is empty, or contains a backslash or both types of quotes.
    """
    whole = _COMMENT.sub("", places.text[start : places.find_line_end(start)]).rstrip()
    if not whole or "\\" in whole or ('"' in whole and "'" in whole):
        return ()
    sign = "'" if '"' in whole else '"'
    return ((start, start + len(whole), f"{sign}{whole}{sign}"),)


def _parses_further(failure: SyntaxFailure, changes: tuple[Change, ...]) -> bool:
    """Return whether the text with these changes can be read at least to the next section after the failure.

    False without changes.
    """
    import yaml

    if not changes:
        return False
    parts, at = [], 0
    for start, end, text in sorted(changes):
        parts += [failure.text[at:start], text]
        at = end
    repaired = "".join([*parts, failure.text[at:]])
    section = _SECTION.search(
        failure.text, failure.places.find_line_end(max(failure.at, *(end for _, end, _ in changes)))
    )
    section_start = len(failure.text) if section is None else section.start()
    grown = len(repaired) - len(failure.text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for _ in yaml.parse(repaired, loader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        since = error.context_mark or mark
        return mark is not None and since is not None and min(mark.index, since.index) > section_start + grown
    except (OverflowError, ValueError):
        return False
    return True
