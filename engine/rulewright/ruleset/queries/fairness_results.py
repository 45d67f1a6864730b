"""The stored results of `rulewright fair`, in the file `fair.json` in the folder of the rules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.json_file import read_json
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.span import Span

FILE = "fair.json"
FORMAT = 1
"""The version of the file format."""

MOST_BYTES = 1_000_000

DAMAGED_ANSWERS = Code(
    "damaged-answers",
    "Saved fairness results that cannot be read",
    "The rulebook shows saved results only if it can read all of them.",
    "Write the file again with `rulewright fair REF --keep`, or remove it.",
)

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_FIGURE = {
    "type": "object",
    "required": ["figure", "title", "value", "interval", "share"],
    "properties": {
        "figure": _TEXT,
        "title": _TEXT,
        "value": {"type": "number"},
        "interval": {
            "anyOf": [{"type": "null"}, {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}]
        },
        "share": {"type": "boolean"},
        "points": {"type": "boolean", "description": "Whether the share is a difference, in percentage points."},
    },
}
_ANSWER = {
    "type": "object",
    "required": ["question", "title", "for_designers", "says", "figures", "commands"],
    "properties": {
        "question": {"type": "string", "pattern": "^[a-z_]+$"},
        "title": _TEXT,
        "for_designers": {"type": "boolean"},
        "says": {**_TEXTS, "minItems": 1},
        "figures": {"type": "array", "items": _FIGURE},
        "commands": _TEXTS,
        "missing": {"type": "integer", "minimum": 0},
        "change": _TEXT,
    },
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["format", "ruleset", "digest", "seed", "games", "players", "answers"],
    "properties": {
        "format": {"const": FORMAT},
        "ruleset": _TEXT,
        "digest": _TEXT,
        "seed": {"type": ["string", "integer"]},
        "games": {"type": "integer", "minimum": 1},
        "players": {**_TEXTS, "minItems": 1},
        "sizes": {"type": "array", "items": {"type": "integer", "minimum": 1}},
        "answers": {"type": "array", "items": _ANSWER},
    },
}


def find_results_file(ruleset: Ruleset) -> Path:
    """Return the path of a ruleset's results, in the folder of its top layer. The file may not exist."""
    return ruleset.resolved.layers[-1].folder / FILE


def read_results(ruleset: Ruleset) -> dict[str, Any] | None:
    """Return the results as written by `rulewright.analysis.fairness.ask_questions.to_data`, or None without a file.

    They may be from another version of the rules, with another `digest`. Reads the file in every call.
    Raises `DiagnosticError` if the file cannot be read, is too large, or does not follow the schema.
    """
    path = find_results_file(ruleset)
    try:
        data: dict[str, Any] = read_json(path, SCHEMA, most=MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _make_damage_error(path, str(error) or type(error).__name__) from error
    return data


def start_of(path: Path) -> Span:
    """Return the span for diagnostics about a results file: its beginning."""
    return Span(os.fspath(path), 1, 1, 1, 1)


def _make_damage_error(path: Path, why: str) -> DiagnosticError:
    span = Span(os.fspath(path), 1, 1, 1, 1)
    return DiagnosticError(
        [Diagnostic(DAMAGED_ANSWERS, f"{path.name} has no valid results of `rulewright fair`: {why}", span)]
    )
