"""Division of whole numbers, the fraction dropped as rules say."""

from __future__ import annotations


def divide(left: int, right: int, rounding: str) -> int:
    """Return `left / right` with the fraction dropped as `rounding` says. `nearest` takes halves away from zero.

    Raises ZeroDivisionError.

    >>> [divide(-7, 2, rounding) for rounding in ("down", "up", "nearest", "truncate")]
    [-4, -3, -4, -3]
    """
    quotient, rest = divmod(left, right)
    if rest == 0 or rounding == "down":
        return quotient
    if rounding == "up":
        return quotient + 1
    if rounding == "truncate":
        return quotient + 1 if quotient < 0 else quotient
    doubled = 2 * abs(rest)
    if doubled == abs(right):
        return quotient + 1 if quotient >= 0 else quotient
    return quotient + 1 if doubled > abs(right) else quotient
