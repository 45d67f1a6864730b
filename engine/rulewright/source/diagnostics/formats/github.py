"""Diagnostics as workflow commands, which GitHub Actions displays next to the changed lines.

The syntax and its escapes are those of the runner's `ActionCommand`. A line break ends a value, and a comma or colon
also ends a property, so all of them are percent-encoded.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.source.diagnostics.diagnostic import Diagnostic

NAME = "github"


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one workflow command per line."""
    return "".join(_format_command(diagnostic) + "\n" for diagnostic in diagnostics)


def _format_command(diagnostic: Diagnostic) -> str:
    """Return the workflow command of a diagnostic. Related messages and the help become further lines of its text."""
    span = diagnostic.span
    parts = [diagnostic.message]
    parts += [f"{related.span}: {related.message}" for related in diagnostic.related]
    parts.append(diagnostic.help)
    title = f"{diagnostic.code.title} [{diagnostic.code.id}]"
    properties = (
        f"file={_escape_property(span.file)},line={span.line},col={span.column},title={_escape_property(title)}"
    )
    return f"::{diagnostic.severity} {properties}::{_escape_data(chr(10).join(parts))}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
