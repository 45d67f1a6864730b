"""Whole numbers as people type them."""

from __future__ import annotations

MOST_DIGITS = 18
"""Digits of a number that is typed: beyond, it is no number that anything here counts."""


def whole_number(text: str) -> int | None:
    """The number that `text` is, in plain figures, or None: what Unicode calls a digit besides is none (`²`)."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return int(text)
    return None
