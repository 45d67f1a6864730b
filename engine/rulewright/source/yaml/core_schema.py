"""The values of unquoted scalars by the core schema of YAML 1.2 (section 10.3.2), and whole numbers in user input."""

from __future__ import annotations

import math
import re

from rulewright.source.diagnostics.diagnostic import Code

NOT_FINITE = Code(
    "number-not-finite",
    "A number that is not finite",
    "Infinity and not-a-number cannot be counted, compared or shown in a game.",
    "Write a finite number, or put quotes around it if it is meant as text.",
)
TOO_MANY_DIGITS = Code(
    "number-too-long",
    "A number with too many digits",
    "A number with thousands of digits is probably a typing mistake, and slow to process.",
    "Write a shorter number, or put quotes around it if it is meant as text.",
)

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_BASES = {"0o": 8, "0x": 16}


def resolve(text: str, *, digits: int) -> bool | int | float | str | Code | None:
    """Return the value of an unquoted scalar, or the `Code` of the problem with it.

    A number with more than `digits` digits, or without a finite value, is a problem.

    >>> [resolve(t, digits=1000) for t in ("no", "012", "0x10", "1:30", "1_000", "~")]
    ['no', 12, 16, '1:30', '1_000', None]
    """
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INT.fullmatch(text):
        if len(text) > digits and len(text.lstrip("+-0ox")) > digits:
            return TOO_MANY_DIGITS
        base = _BASES.get(text[:2])
        # Strip leading zeros first: Python refuses to convert a long run of them, just as it does a long number.
        return int(text[2:], base) if base else _parse_decimal(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else NOT_FINITE
    return NOT_FINITE if _NOT_FINITE.fullmatch(text) else text


def _parse_decimal(text: str) -> int:
    sign = -1 if text[0] == "-" else 1
    return sign * int(text.lstrip("+-").lstrip("0") or "0")


MOST_DIGITS = 18
"""The maximum number of digits of a number in user input, more than any count needs."""


def parse_whole_number(text: str) -> int | None:
    """Return the whole number that a text consists of, or None.

    Only the ASCII digits 0 to 9 count, with spaces around them. A sign, a Unicode digit such as `²`, or more than
    `MOST_DIGITS` digits give None.
    """
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return int(text)
    return None
