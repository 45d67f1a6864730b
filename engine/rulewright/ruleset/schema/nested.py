"""A section of a rules file that stands below another one, where its indentation put it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.ruleset.schema.codes import UNKNOWN_KEY
from rulewright.ruleset.section import sections
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulewright.source.nodes import Entry, Mapping, Scalar
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span


def without_followers(node: Mapping, faults: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The faults of a rules file, with one for each section below another, in place of all that comes of it."""
    found = list(faults)
    for section, entry in node.entries.items():
        if section not in sections() or not isinstance(entry.value, Mapping):
            continue
        for inner in _sections(entry.value, section):
            # Nobody can say whether what comes after belongs to the one section or to the other.
            start = inner.key.span
            own = Span(start.file, start.line, start.column, entry.value.span.end_line, entry.value.span.end_column)
            if any(own.holds(fault.span) for fault in found):
                found = [fault for fault in found if not own.holds(fault.span)]
                found.append(_nested(entry, inner))
                break
    return found


def _sections(within: Mapping, section: str) -> Iterator[Entry]:
    for key, entry in within.entries.items():
        empty = isinstance(entry.value, Scalar) and entry.value.value is None
        if key in sections() and key != section and (empty or isinstance(entry.value, Mapping)):
            yield entry


def _nested(outer: Entry, inner: Entry) -> Diagnostic:
    name, span = inner.key.text, inner.key.span
    message = f"`{name}` is a section of its own, and stands below `{outer.key.text}`"
    related = (Related(outer.key.span, f"`{outer.key.text}` begins here"),)
    suggestion = f"begin the line of `{name}:` where that of `{outer.key.text}:` begins"
    return Diagnostic(UNKNOWN_KEY, message, span, related, suggestion, tuple(_moved_out(outer, inner)))


def _moved_out(outer: Entry, inner: Entry) -> Iterator[Edit]:
    span = inner.key.span
    line = SOURCES.line(span.file, span.line) or ""
    assert isinstance(outer.value, Mapping)
    last = list(outer.value.entries.values())[-1] is inner
    first = next(iter(outer.value.entries.values())) is inner
    empty = isinstance(inner.value, Scalar)
    below = empty or inner.value.span.line > span.line
    if (last or empty) and below and not first and not line[: span.column - 1].strip():
        yield Edit(Span(span.file, span.line, outer.key.span.column, span.line, span.column), "")
