"""Texts cut to a length at which people still read them."""

from __future__ import annotations

MOST_QUOTED = 80
"""Characters of a value that a message quotes."""

MOST_NAMED = 500
"""Characters of the name of a file, which is told whole wherever somebody could have meant it."""

MOST_SAID = 1_500
"""Characters of a message, whatever it quotes."""


def shortened(text: str, most: int = MOST_QUOTED) -> str:
    """`text`, or its beginning and its end where it has more than `most` characters."""
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end - 1]}…{text[-end:]}"


def quoted(value: object, most: int = MOST_QUOTED) -> str:
    """What a caller gave, as Python writes it, shortened; or its type, where Python does not: a number may be too long.

    >>> quoted("six"), quoted(10**5000)
    ("'six'", 'a value of the type int')
    """
    try:
        return shortened(repr(value), most)
    except Exception:
        return f"a value of the type {type(value).__name__}"
