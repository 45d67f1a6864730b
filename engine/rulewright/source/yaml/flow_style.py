"""Values written as YAML on one line."""

from __future__ import annotations

import json
import re

from rulewright.source.yaml.core_schema import resolve

_PLAIN = re.compile(r"-?[\w(](?:[\w +*/().<>=-]*[\w).+*])?")
"""Texts that need no quotes, as a key or value in braces or brackets."""


_PLAIN_WORDS = re.compile(r"[^\W\d_](?:[\w +*/().<>=;'’“”„!?–—…&%-]*[\w).+*'’“”!?…%])?")
"""Texts for readers that need no quotes in braces or brackets."""

_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that JSON allows in a file and this YAML dialect does not."""


def write_scalar(text: str) -> str:
    """Return a text as a YAML scalar, in quotes if it needs them in braces."""
    return text if _PLAIN.fullmatch(text) else quote_text(text)


def write_text(text: str) -> str:
    """Return a text for readers as a YAML scalar, in quotes if it needs them, or would be read as another value."""
    is_plain = _PLAIN_WORDS.fullmatch(text) and resolve(text, digits=1) == text
    return text if is_plain else quote_text(text)


def quote_text(text: str) -> str:
    """Return a text in double quotes, on one line."""
    quoted = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)
