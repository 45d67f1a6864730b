"""Letters that no eye can tell from Latin ones."""

from __future__ import annotations

# Cyrillic letters, and the Greek o.
_LATIN = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u03bf", "aeopcyxisjo")


def latin(text: str) -> str:
    """`text` with the Latin letter for each that only looks like it.

    >>> latin("m\u0430p")
    'map'
    """
    return text.translate(_LATIN)
