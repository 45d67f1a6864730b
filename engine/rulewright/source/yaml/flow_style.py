"""Values written as YAML on one line."""

from __future__ import annotations

import json
import re

_PLAIN = re.compile(r"-?[\w(](?:[\w +*/().<>=-]*[\w).+*])?")
"""Texts that need no quotes, as a key or value in braces or brackets."""


def write_scalar(text: str) -> str:
    """Return a text as a YAML scalar, in quotes if it needs them in braces."""
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
