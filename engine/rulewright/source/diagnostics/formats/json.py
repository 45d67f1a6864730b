"""Diagnostics for programs, as a list of objects with the same keys."""

from __future__ import annotations

import json
from collections.abc import Iterable

from rulewright.source.diagnostics.diagnostic import Diagnostic

NAME = "json"


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a JSON list, which is empty without diagnostics.

    Lines and columns count from 1, and columns count code points.
    """
    return json.dumps([as_data(diagnostic) for diagnostic in diagnostics], ensure_ascii=False, indent=2) + "\n"


def as_data(diagnostic: Diagnostic) -> dict[str, object]:
    """Return one diagnostic as JSON data.

    It has the `code` as its id, the `severity`, the `message`, where the span begins, `related` spans, the `suggestion`
    (or None), `edits`, and the ids of the failing `examples` that it is about. Only edits also have an end. The general
    advice of the code is not included.
    """
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
        "examples": list(diagnostic.examples),
    }
