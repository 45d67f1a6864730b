"""The conversion of the results of `lsp/features/` to the data of the protocol."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rulewright.lsp.features.workspace import Workspace
from rulewright.lsp.lsp_positions import Encoding, LspPosition, TextLines
from rulewright.lsp.server.json_rpc import Json
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.span import Span

SOURCE = "rulewright"

_SEVERITIES = {"error": 1, "warning": 2}


def build_data(**fields: Any) -> Json:
    """Return an object with these fields, without those that are None."""
    return {name: value for name, value in fields.items() if value is not None}


def build_markdown(text: str) -> Json:
    """Return Markdown for the client."""
    return {"kind": "markdown", "value": text}


@dataclass(slots=True)
class Convert:
    """The conversion of positions and values for one client. `docs` is the address of the documentation, or empty."""

    workspace: Workspace
    uris: dict[str, str]
    """The client's URIs of open files, by their keys."""
    encoding: Encoding = "utf-16"
    docs: str = ""

    def lines(self, file: str | Path) -> TextLines:
        """Return the lines of a file, from its unsaved text if it is open, and otherwise from disk."""
        return TextLines(self.workspace.texts.get_text(file) or "", self.encoding)

    def uri(self, file: str | Path) -> str:
        """Return the URI of a file, in the client's own spelling if the file is open."""
        return self.uris.get(build_file_key(file)) or Path(os.path.abspath(file)).as_uri()

    def place(self, path: Path, position: Json) -> tuple[int, int]:
        """Return the line and column of a position in a file."""
        return self.lines(path).find_column(LspPosition(position["line"], position["character"]))

    def span(self, path: Path, given: Json) -> Span:
        """Return the span of a range in a file."""
        (line, column), (end_line, end_column) = self.place(path, given["start"]), self.place(path, given["end"])
        return Span(os.fspath(path), line, column, end_line, end_column)

    def range(self, span: Span, lines: TextLines | None = None) -> Json:
        """Return the range of a span. `lines` is the text of its file, if known."""
        result = (lines or self.lines(span.file)).find_range(span)
        return {"start": build_position(result.start), "end": build_position(result.end)}

    def location(self, span: Span) -> Json:
        """Return the location of a span."""
        return {"uri": self.uri(span.file), "range": self.range(span)}

    def diagnostic(self, diagnostic: Diagnostic, lines: TextLines | None = None, editions: Sequence[str] = ()) -> Json:
        """Return a diagnostic, with its help in the message and a link to the page of its code.

        `editions` are the ids of the editions that have it.
        """
        related = [
            {"location": self.location(each.span), "message": each.message}
            for each in diagnostic.related
            if not each.span.file.startswith("<")
        ]
        page = f"{self.docs.rstrip('/')}/reference/diagnostics.html#{diagnostic.code.id}" if self.docs else None
        return build_data(
            range=self.range(diagnostic.span, lines),
            message=f"{diagnostic.message}\n{diagnostic.help}" if diagnostic.help else diagnostic.message,
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.code.id,
            codeDescription={"href": page} if page else None,
            source=SOURCE,
            relatedInformation=related or None,
            data={"title": diagnostic.code.title, "why": diagnostic.code.why, "editions": [*editions]},
        )

    def edits(self, edits: Iterable[Edit]) -> Json:
        """Return edits, by file."""
        changes: dict[str, list[Json]] = {}
        lines: dict[str, TextLines] = {}
        for edit in edits:
            known = lines.setdefault(edit.span.file, self.lines(edit.span.file))
            text_edit = {"range": self.range(edit.span, known), "newText": edit.text}
            changes.setdefault(self.uri(edit.span.file), []).append(text_edit)
        return {"changes": changes}


def build_position(position: LspPosition) -> Json:
    """Return a position as data."""
    return {"line": position.line, "character": position.character}


_HERE = re.compile(r"file:(//(localhost)?)?(?=/(?!/))", re.IGNORECASE)
"""The possible prefixes of a local file URI before its path (RFC 8089, section 2 and appendix B)."""

_DRIVE = re.compile("/[A-Za-z]:")
"""The beginning of a path on Windows in a URI."""


def place_of(uri: str) -> Path | None:
    """Return the file or folder of a URI, or None for text that is not on disk, such as an untitled document."""
    if uri[:5].lower() != "file:":
        return None
    try:
        parts = urlsplit(_HERE.sub("file://", uri, count=1))
    except ValueError:
        return None
    named = unquote(parts.path)
    if parts.netloc and named:
        named = f"//{unquote(parts.netloc)}{named}"
    elif _DRIVE.match(named):
        named = named[1].lower() + named[2:]
    return Path(named) if named and "\0" not in named else None


def find_path(uri: str) -> Path | None:
    """Return the rules file that a URI names, or None for anything else."""
    path = place_of(uri)
    if path is None or path.suffix not in (".yaml", ".yml"):
        return None
    try:
        build_file_key(path)
    except (OSError, ValueError):
        return None
    return path
