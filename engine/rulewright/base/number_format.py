"""Decimal formatting of probabilities and means for people."""

from __future__ import annotations

from fractions import Fraction


def format_percent(chance: Fraction, decimals: int = 2) -> str:
    """Return `chance` in percent, rounded half up, such as `33.33%`.

    A chance is never shown as 0 or 100 unless it is: close to these, it is `<0.01%` or `>99.99%`.
    """
    least = Fraction(1, 10 ** (decimals + 2))
    number = format_fixed(chance * 100, decimals)
    if chance > 0 and 2 * chance < least:
        return f"<{format_fixed(least * 100, decimals)}%"
    if chance < 1 and 2 * (1 - chance) <= least:
        return f">{format_fixed(100 - least * 100, decimals)}%"
    return f"{number}%"


def format_fixed(value: Fraction, decimals: int) -> str:
    """Return `value` with a fixed number of decimals, rounded half up."""
    scale: int = 10**decimals
    parts = abs(value.numerator * 2 * scale + value.denominator) // (2 * value.denominator)
    if value < 0:
        parts = (-value.numerator * 2 * scale + value.denominator) // (2 * value.denominator)
    sign = "-" if value < 0 and parts else ""
    return f"{sign}{parts // scale}" + (f".{parts % scale:0{decimals}}" if decimals else "")


def number(value: Fraction) -> str:
    """Return `value` in decimals: exact where four are enough, else marked as rounded."""
    text = format_rounded(value)
    return text if Fraction(text) == value else f"about {text}"


def format_rounded(value: Fraction) -> str:
    """Return `value` with four decimals at most."""
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def format_interval(interval: tuple[float, float]) -> str:
    """Return an interval of chances in percent."""
    return f"{interval[0] * 100:.1f} to {interval[1] * 100:.1f}%"
