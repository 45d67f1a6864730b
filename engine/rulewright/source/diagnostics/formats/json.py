"""Diagnostics for programs: a list of objects, the same keys in each."""

from __future__ import annotations

import json
from collections.abc import Iterable

from rulewright.source.diagnostics.diagnostic import Diagnostic

NAME = "json"


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a JSON list, `[]` when there is nothing to say; lines and columns count from 1, columns in code points."""
    return json.dumps([as_data(diagnostic) for diagnostic in diagnostics], ensure_ascii=False, indent=2) + "\n"


def as_data(diagnostic: Diagnostic) -> dict[str, object]:
    """Return one diagnostic as the plain data this format prints."""
    return {
        "code": diagnostic.code.id,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "file": diagnostic.span.file,
        "line": diagnostic.span.line,
        "column": diagnostic.span.column,
        "related": [
            {
                "file": related.span.file,
                "line": related.span.line,
                "column": related.span.column,
                "message": related.message,
            }
            for related in diagnostic.related
        ],
        "suggestion": None if diagnostic.suggestion is None else str(diagnostic.suggestion),
        "edits": [
            {
                "file": edit.span.file,
                "line": edit.span.line,
                "column": edit.span.column,
                "end_line": edit.span.end_line,
                "end_column": edit.span.end_column,
                "text": edit.text,
            }
            for edit in diagnostic.edits
        ],
    }
