"""Diagnostics as SARIF 2.1.0, the OASIS format that code hosts and editors import.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rulewright.source.diagnostics.diagnostic import Code, Diagnostic, Edit
from rulewright.source.span import Span

NAME = "sarif"

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a SARIF log with one run. The rules of the run are the codes of the diagnostics."""
    result = tuple(diagnostics)
    codes = {diagnostic.code.id: diagnostic.code for diagnostic in result}
    index = {code_id: number for number, code_id in enumerate(codes)}
    run = {
        "tool": {"driver": {"name": "rulewright", "rules": [_build_rule(code) for code in codes.values()]}},
        "columnKind": "unicodeCodePoints",
        "results": [_build_result(diagnostic, index[diagnostic.code.id]) for diagnostic in result],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _build_rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.id,
        "name": "".join(word.capitalize() for word in code.id.split("-")),
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.why},
        "help": {"text": code.fix},
        "defaultConfiguration": {"level": code.severity},
    }


def _build_result(diagnostic: Diagnostic, rule_index: int) -> dict[str, Any]:
    """Return the SARIF result of a diagnostic. The suggestion is part of the message, and all edits are one fix."""
    message = diagnostic.message
    if diagnostic.suggestion is not None:
        message += f" ({diagnostic.suggestion})"
    result: dict[str, Any] = {
        "ruleId": diagnostic.code.id,
        "ruleIndex": rule_index,
        "level": diagnostic.severity,
        "message": {"text": message},
        "locations": [{"physicalLocation": _build_location(diagnostic.span)}],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _build_location(related.span), "message": {"text": related.message}}
            for number, related in enumerate(diagnostic.related, 1)
        ]
    if diagnostic.examples:
        result["properties"] = {"examples": list(diagnostic.examples)}
    if diagnostic.edits:
        result["fixes"] = [
            {"description": {"text": diagnostic.help}, "artifactChanges": _build_changes(diagnostic.edits)}
        ]
    return result


def _build_changes(edits: tuple[Edit, ...]) -> list[dict[str, Any]]:
    """Return the edits grouped by file."""
    return [
        {
            "artifactLocation": {"uri": _build_uri(file)},
            "replacements": [
                {"deletedRegion": _build_region(edit.span), "insertedContent": {"text": edit.text}}
                for edit in edits
                if edit.span.file == file
            ],
        }
        for file in dict.fromkeys(edit.span.file for edit in edits)
    ]


def _build_location(span: Span) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": _build_uri(span.file)},
        "region": _build_region(span),
    }


def _build_region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _build_uri(file: str) -> str:
    """Return a relative path as a relative reference, and an absolute path as a file URI."""
    path = Path(file)
    if path.is_absolute():
        return path.as_uri()
    # A colon in the first part of a path would look like a URI scheme. `quote` escapes colons.
    return quote(path.as_posix(), safe="/", errors="replace")
