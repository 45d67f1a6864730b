"""Diagnostics for people, with the message, its line in the source, the reason and a suggestion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit
from rulewright.source.diagnostics.excerpt import escape_invisible, extract_excerpt
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

NAME = "text"

MOST_OF_A_CODE = 100
"""The maximum number of diagnostics of one code in the text. One fix may resolve them all."""

MOST_CHANGES = 3
"""The maximum number of edits of one diagnostic that are spelled out."""


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one block of lines per diagnostic, separated by blank lines.

    For each code with more than `MOST_OF_A_CODE` diagnostics, a line at the end gives the number of the rest. Without
    diagnostics, the text is empty.
    """
    return "\n".join(_format_blocks(diagnostics))


def _format_blocks(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """Yield a block for each diagnostic, at most `MOST_OF_A_CODE` per code, and a line for each code that has more."""
    counts: Counter[tuple[str, str]] = Counter()
    for diagnostic in diagnostics:
        kind = diagnostic.severity, diagnostic.code.id
        counts[kind] += 1
        if counts[kind] <= MOST_OF_A_CODE:
            yield _block(diagnostic)
    for (severity, code), number in counts.items():
        more = number - MOST_OF_A_CODE
        if more > 0:
            yield f"{severity}[{code}]: {more:,} more like these; `rulewright check --format json` lists every one\n"


def _block(diagnostic: Diagnostic) -> str:
    """Return the lines of a diagnostic: its message, position, related positions, reason, help and edits."""
    spans = [diagnostic.span, *(related.span for related in diagnostic.related)]
    gutter = len(str(max(span.line for span in spans)))
    lines = [f"{diagnostic.severity}[{diagnostic.code.id}]: {_join_lines(diagnostic.message)}"]
    lines += _place(diagnostic.span, gutter)
    for related in diagnostic.related:
        lines.append(f"{' ' * gutter} = note: {_join_lines(related.message)}")
        lines += _place(related.span, gutter)
    lines.append(f"{' ' * gutter} = why: {_indent_message(diagnostic.code.why, gutter)}")
    lines.append(f"{' ' * gutter} = help: {_indent_message(diagnostic.help, gutter)}")
    if diagnostic.edits:
        changes = [_change(edit) for edit in diagnostic.edits[:MOST_CHANGES]]
        more = len(diagnostic.edits) - len(changes)
        tail = [f"and {more} more"] if more else []
        lines.append(f"{' ' * gutter} = fix: {'; '.join([*changes, *tail])}")
    return "\n".join(lines) + "\n"


def _change(edit: Edit) -> str:
    """Describe the change of an edit and its location."""
    if edit.text and not edit.text.strip() and "\n" not in edit.text:
        return f"write {len(edit.text)} space{'s' if len(edit.text) > 1 else ''} at {edit.span}"
    if edit.text == "\n":
        return f"add an empty line at {edit.span}"
    if edit.text.startswith("\n") and not edit.text.strip():
        return f"begin a new line at {edit.span}"
    rows = edit.text.strip().split("\n")
    if len(rows) > 1 and edit.span.line == edit.span.end_line and edit.span.column == edit.span.end_column:
        return f"add {len(rows)} lines at {edit.span}"
    new = " ".join(escape_invisible(part).strip() for part in rows)
    line = SOURCES.find_line(edit.span.file, edit.span.line) if edit.span.line == edit.span.end_line else None
    if not new:
        written = "" if line is None else line[edit.span.column - 1 : edit.span.end_column - 1]
        old = (
            f" `{escape_invisible(written).strip()}`"
            if written.strip(" ")
            else f" {len(written)} spaces"
            if written
            else ""
        )
        return f"delete{old} at {edit.span}" if old else f"delete {edit.span} to line {edit.span.end_line}"
    if edit.span.line == edit.span.end_line and edit.span.column == edit.span.end_column:
        return f"add `{new}` at {edit.span}"
    return f"write `{new}` at {edit.span}"


def _place(span: Span, gutter: int) -> list[str]:
    """Return the lines for a position, with an excerpt of the source if its text is known."""
    margin = " " * gutter
    excerpt = extract_excerpt(span)
    if excerpt is None:
        return [f"{margin}--> {_join_lines(str(span))}"]
    return [
        f"{margin}--> {_join_lines(str(span))}",
        f"{margin} |",
        f"{span.line:>{gutter}} | {excerpt.line}".rstrip(),
        f"{margin} | {excerpt.underline}",
    ]


def _join_lines(message: str) -> str:
    return " ".join(escape_invisible(part) for part in message.split("\n"))


def _indent_message(message: str, gutter: int) -> str:
    """Indent the lines after the first, because a suggestion may contain several lines of YAML."""
    return ("\n" + " " * (gutter + 9)).join(escape_invisible(part) for part in message.split("\n"))
