"""Diagnostics for people: the message, the line it is about, why it matters and what to do."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.source.diagnostic import Diagnostic
from rulewright.source.excerpt import excerpt, visible
from rulewright.source.span import Span

NAME = "text"


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One block of lines per diagnostic, with a blank line between."""
    return "\n".join(_block(diagnostic) for diagnostic in diagnostics)


def _block(diagnostic: Diagnostic) -> str:
    spans = [diagnostic.span, *(related.span for related in diagnostic.related)]
    gutter = len(str(max(span.line for span in spans)))
    lines = [f"{diagnostic.severity}[{diagnostic.code.id}]: {_one_line(diagnostic.message)}"]
    lines += _place(diagnostic.span, gutter)
    for related in diagnostic.related:
        lines.append(f"{' ' * gutter} = note: {_one_line(related.message)}")
        lines += _place(related.span, gutter)
    lines.append(f"{' ' * gutter} = why: {_indented(diagnostic.code.why, gutter)}")
    lines.append(f"{' ' * gutter} = help: {_indented(diagnostic.help, gutter)}")
    return "\n".join(lines) + "\n"


def _place(span: Span, gutter: int) -> list[str]:
    margin = " " * gutter
    shown = excerpt(span)
    if shown is None:
        return [f"{margin}--> {_one_line(str(span))}"]
    return [
        f"{margin}--> {_one_line(str(span))}",
        f"{margin} |",
        f"{span.line:>{gutter}} | {shown.line}".rstrip(),
        f"{margin} | {shown.underline}",
    ]


def _one_line(message: str) -> str:
    return " ".join(visible(part) for part in message.split("\n"))


def _indented(message: str, gutter: int) -> str:
    """A suggestion may have several lines, such as a stretch of YAML to write."""
    return ("\n" + " " * (gutter + 9)).join(visible(part) for part in message.split("\n"))
