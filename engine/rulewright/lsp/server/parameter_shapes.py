"""The shapes of the parameters of requests, and whether data has one.

| shape         | data                                                                |
|---------------|---------------------------------------------------------------------|
| None          | any                                                                 |
| `str`, `dict` | a value of this type, or of one of these types for a union of types |
| `int`         | a number from 0, such as of a line                                  |
| `{key: …}`    | an object in which each of these keys has the shape                 |
| `[…]`         | a list in which each item has the shape                             |
| `Maybe(…)`    | nothing, or the shape                                               |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Shape = Any
"""A shape, as described above."""

_LARGEST = 2**31 - 1
"""The largest number that the protocol allows."""


@dataclass(frozen=True, slots=True)
class Maybe:
    """The shape of data that may be missing or null."""

    shape: Shape


def fits(data: Any, shape: Shape) -> bool:
    """Return whether JSON data has a shape."""
    if shape is None:
        return True
    if isinstance(shape, Maybe):
        return data is None or fits(data, shape.shape)
    if isinstance(shape, dict):
        return isinstance(data, dict) and all(fits(data.get(key), inner) for key, inner in shape.items())
    if isinstance(shape, list):
        return isinstance(data, list) and all(fits(each, shape[0]) for each in data)
    if shape is int:
        return type(data) is int and 0 <= data <= _LARGEST
    return isinstance(data, shape)


DOCUMENT = {"uri": str}
POSITION = {"line": int, "character": int}
RANGE = {"start": POSITION, "end": POSITION}

IN_FILE = {"textDocument": DOCUMENT}
AT_POSITION = {"textDocument": DOCUMENT, "position": POSITION}
IN_RANGE = {"textDocument": DOCUMENT, "range": RANGE}

INITIALIZE = {"capabilities": dict, "workspaceFolders": Maybe([DOCUMENT]), "rootUri": str | None}
OPENED = {"textDocument": {"uri": str, "text": str, "version": int}}
CHANGED = {"textDocument": {"uri": str, "version": Maybe(int)}, "contentChanges": [{"text": str}]}
FOLDERS = {"event": {"added": Maybe([DOCUMENT]), "removed": Maybe([DOCUMENT])}}
