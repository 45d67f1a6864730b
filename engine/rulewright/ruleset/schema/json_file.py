"""JSON files that are checked against a schema before anything uses their data."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.source.files.safe_read import read_regular

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


def read_json(path: Path, schema: dict[str, Any], *, most: int) -> Any:
    """Read a JSON file of at most `most` bytes, and return its data, which follows the schema.

    Raises `OSError` if the file cannot be read or is too large, and `ValueError` with the reason for any other data.
    """
    try:
        data = json.loads(read_regular(path, most).decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    fault = _find_fault(data, schema)
    if fault is None:
        return data
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault.absolute_path)
    raise ValueError(f"`{place.lstrip('.')}` has an invalid value" if place else "a key is missing or unknown")


def _find_fault(data: Any, schema: dict[str, Any]) -> ValidationError | None:
    """Return what is most wrong with the data of a file, or None."""
    import jsonschema_rs

    # This validator reports only whether data is valid, but is a hundred times faster to load. Half of a surrogate pair
    # is an error.
    with suppress(ValueError):
        if jsonschema_rs.is_valid(schema, data):
            return None
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    fault: ValidationError | None = best_match(Draft202012Validator(schema).iter_errors(data))
    return fault


def _refuse_constant(text: str) -> float:
    raise ValueError(f"`{text}` is not a JSON number")
