"""The conversion of the results of `lsp/features/` to the types of the protocol."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from pygls import uris

from rulewright.lsp.features.lsp_positions import Encoding, LspPosition, TextLines
from rulewright.lsp.features.workspace import Workspace
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.span import Span

SOURCE = "rulewright"


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
        known = self.uris.get(build_file_key(file))
        return known or uris.from_fs_path(os.path.abspath(file)) or ""

    def place(self, path: Path, position: types.Position) -> tuple[int, int]:
        """Return the line and column of a position in a file."""
        return self.lines(path).find_column(LspPosition(position.line, position.character))

    def span(self, path: Path, given: types.Range) -> Span:
        """Return the span of a range in a file."""
        (line, column), (end_line, end_column) = self.place(path, given.start), self.place(path, given.end)
        return Span(os.fspath(path), line, column, end_line, end_column)

    def range(self, span: Span, lines: TextLines | None = None) -> types.Range:
        """Return the LSP range of a span. `lines` is the text of its file, if known."""
        result = (lines or self.lines(span.file)).find_range(span)
        return types.Range(
            types.Position(result.start.line, result.start.character),
            types.Position(result.end.line, result.end.character),
        )

    def location(self, span: Span) -> types.Location:
        """Return the location of a span."""
        return types.Location(self.uri(span.file), self.range(span))

    def diagnostic(
        self, diagnostic: Diagnostic, lines: TextLines | None = None, editions: Sequence[str] = ()
    ) -> types.Diagnostic:
        """Return the LSP form of a diagnostic, with its help in the message and a link to the page of its code.

        `editions` are the ids of the editions that have it.
        """
        related = [
            types.DiagnosticRelatedInformation(self.location(each.span), each.message)
            for each in diagnostic.related
            if not each.span.file.startswith("<")
        ]
        page = f"{self.docs.rstrip('/')}/reference/diagnostics.html#{diagnostic.code.id}" if self.docs else None
        return types.Diagnostic(
            range=self.range(diagnostic.span, lines),
            message=f"{diagnostic.message}\n{diagnostic.help}" if diagnostic.help else diagnostic.message,
            severity=types.DiagnosticSeverity.Error
            if diagnostic.severity == "error"
            else types.DiagnosticSeverity.Warning,
            code=diagnostic.code.id,
            code_description=types.CodeDescription(page) if page else None,
            source=SOURCE,
            related_information=related or None,
            data={"title": diagnostic.code.title, "why": diagnostic.code.why, "editions": [*editions]},
        )

    def edits(self, edits: Iterable[Edit]) -> types.WorkspaceEdit:
        """Return the LSP form of edits, by file."""
        changes: dict[str, list[types.TextEdit]] = {}
        lines: dict[str, TextLines] = {}
        for edit in edits:
            known = lines.setdefault(edit.span.file, self.lines(edit.span.file))
            text_edit = types.TextEdit(self.range(edit.span, known), edit.text)
            changes.setdefault(self.uri(edit.span.file), []).append(text_edit)
        return types.WorkspaceEdit(changes=changes)


_HERE = re.compile(r"file:(//(localhost)?)?(?=/(?!/))", re.IGNORECASE)
"""The possible prefixes of a local file URI before its path (RFC 8089, section 2 and appendix B)."""


def place_of(uri: str) -> Path | None:
    """Return the file or folder of a URI, or None for text that is not on disk, such as an untitled document."""
    try:
        named = uris.to_fs_path(_HERE.sub("file://", uri, count=1)) if uri[:5].lower() == "file:" else None
    except ValueError:
        return None
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
