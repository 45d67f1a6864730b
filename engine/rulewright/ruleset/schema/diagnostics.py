"""The JSON Schema of what `check --format json` prints."""

from __future__ import annotations

from typing import Any


def diagnostics_schema() -> dict[str, Any]:
    """The schema of a list of diagnostics."""
    place = {
        "file": {"type": "string", "description": "The file, as it was named to the program."},
        "line": {"type": "integer", "minimum": 1, "description": "Its line, counted from 1."},
        "column": {"type": "integer", "minimum": 1, "description": "The character in the line, counted from 1."},
    }
    message = {"type": "string", "description": "What is wrong, or what is to be seen there."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Diagnostics",
        "description": "Everything that was found, in order; an empty list when all is well.",
        "type": "array",
        "items": _object(
            {
                "code": {
                    "type": "string",
                    "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
                    "description": "The kind of fault.",
                },
                "severity": {"enum": ["error", "warning"]},
                "message": message,
                **place,
                "related": {
                    "type": "array",
                    "description": "Other places that explain it.",
                    "items": _object({**place, "message": message}),
                },
                "suggestion": {"type": ["string", "null"], "description": "What to do about it."},
                "edits": {
                    "type": "array",
                    "description": "Changes that mend it, to be made all together; empty where the remedy is not sure.",
                    "items": _object(
                        {
                            **place,
                            "end_line": {"type": "integer", "minimum": 1, "description": "The line where it ends."},
                            "end_column": {
                                "type": "integer",
                                "minimum": 1,
                                "description": "The first character after it, counted from 1.",
                            },
                            "text": {"type": "string", "description": "What to write in place of what stands there."},
                        }
                    ),
                },
            }
        ),
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
