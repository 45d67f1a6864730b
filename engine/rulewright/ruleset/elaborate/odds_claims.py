"""What examples claim of the odds of a procedure: `{won: 60-65 %, found: {mean: 4.5-4.6}}`, read once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.span import Span

MEAN = "mean"
"""What the mean of an expression is called among its answers."""

FORMS = "write a chance as `70 %`, `60-65 %` or `7/10`, and a mean as `4.5` or `4.5-4.6`"

_NUMBER = r"-?\d+(?:\.\d+)?"
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*(?:-\s*(\d+(?:\.\d+)?)\s*)?%")
_FRACTION = re.compile(r"(\d+)\s*/\s*([1-9]\d*)")
_RANGE = re.compile(rf"({_NUMBER})(?:\s*-\s*({_NUMBER}))?")


@dataclass(frozen=True, slots=True)
class Claim:
    """That the chance of `answer` (the mean, if it is `MEAN`; of truth, if there is none) lies from `low` to `high`.

    `expression` and `said` are as written. A single figure claims what would be rounded to it; a fraction is exact.
    """

    expression: Scalar
    answer: str
    low: Fraction
    high: Fraction
    said: str
    span: Span

    @property
    def of_mean(self) -> bool:
        """Whether the mean is meant, and no chance."""
        return self.answer == MEAN

    def holds(self, value: Fraction) -> bool:
        """Whether `value` is what is claimed."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class BadClaim:
    """A claim that cannot be read."""

    said: str
    span: Span


def read_claims(node: Node | None) -> Iterator[Claim | BadClaim]:
    """Every claim of an example, in order."""
    if not isinstance(node, Mapping):
        return
    for entry in node.entries.values():
        if isinstance(entry.value, Mapping):
            for inner in entry.value.entries.values():
                yield _claim(entry.key, inner.key.text, inner.value)
        else:
            yield _claim(entry.key, "", entry.value)


def _claim(expression: Scalar, answer: str, node: Node) -> Claim | BadClaim:
    written = node.text.strip() if isinstance(node, Scalar) else ""
    bounds = _mean(written) if answer == MEAN else _chance(written)
    if bounds is None or bounds[0] > bounds[1]:
        return BadClaim(written or node.kind, node.span)
    return Claim(expression, answer, *bounds, written, node.span)


def _chance(written: str) -> tuple[Fraction, Fraction] | None:
    if found := _FRACTION.fullmatch(written):
        exact = Fraction(int(found[1]), int(found[2]))
        return exact, exact
    if found := _PERCENT.fullmatch(written):
        low, high = _bounds(found[1], found[2])
        return low / 100, high / 100
    return None


def _mean(written: str) -> tuple[Fraction, Fraction] | None:
    if found := _FRACTION.fullmatch(written):
        return _chance(written)
    found = _RANGE.fullmatch(written)
    return _bounds(found[1], found[2]) if found else None


def _bounds(first: str, last: str | None) -> tuple[Fraction, Fraction]:
    """From the first figure to the last; a single one stands for all that is rounded to it."""
    if last is not None:
        return Fraction(first), Fraction(last)
    half = Fraction(1, 2 * 10 ** len(first.partition(".")[2]))
    return Fraction(first) - half, Fraction(first) + half
