"""An exact distribution as a value: integer counts over one denominator."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from operator import mul


class Distribution:
    """An exact probability distribution of integers. Immutable, and equal to others with the same probabilities.

    `counts` are the numbers of the `denominator` equally likely ways that lead to each of `outcomes`, not necessarily
    reduced. A given `denominator` must be their sum, which is not checked because that would cost more than the odds
    of a small roll. To build a distribution from your own counts, use `from_counts`, which checks.
    """

    __slots__ = ("_counts", "_denominator", "_outcomes", "_reached")

    def __init__(self, outcomes: Sequence[int], counts: Sequence[int], denominator: int) -> None:
        self._outcomes = outcomes
        self._counts = counts
        self._denominator = denominator
        self._reached: list[int] | None = None

    @classmethod
    def from_counts(cls, counts: Mapping[int, int]) -> Distribution:
        """Return the distribution with these counts by outcome.

        Raises ValueError for a negative count, or none above 0.
        """
        if any(count < 0 for count in counts.values()):
            raise ValueError("a count cannot be negative")
        results = sorted(outcome for outcome, count in counts.items() if count)
        if not results:
            raise ValueError("a distribution needs at least one outcome")
        values = tuple(counts[outcome] for outcome in results)
        return cls(tuple(results), values, sum(values))

    @property
    def outcomes(self) -> Sequence[int]:
        """The possible outcomes, ascending. A range if they are evenly spaced."""
        return self._outcomes

    @property
    def counts(self) -> Sequence[int]:
        """How many ways lead to each of `outcomes`, in the same order. Not to be changed."""
        return self._counts

    @property
    def denominator(self) -> int:
        """How many equally likely ways there are."""
        return self._denominator

    def count(self, outcome: int) -> int:
        """Return the number of ways that lead to `outcome`, or 0."""
        position = bisect_left(self._outcomes, outcome)
        if position < len(self._outcomes) and self._outcomes[position] == outcome:
            return self._counts[position]
        return 0

    def get_probability(self, outcome: int) -> Fraction:
        """Return the chance of exactly `outcome`."""
        return Fraction(self.count(outcome), self._denominator)

    def _cumulative(self) -> list[int]:
        """Return ways to reach each outcome or less; kept, because charts ask for every one."""
        if self._reached is None:
            self._reached = list(accumulate(self._counts))
        return self._reached

    def compute_at_least(self, value: int) -> Fraction:
        """Return the chance of `value` or more."""
        position = bisect_left(self._outcomes, value)
        below = self._cumulative()[position - 1] if position else 0
        return Fraction(self._denominator - below, self._denominator)

    @property
    def mean(self) -> Fraction:
        """The expected value."""
        return Fraction(sum(map(mul, self._outcomes, self._counts)), self._denominator)

    @property
    def variance(self) -> Fraction:
        """The mean of the squared distance from the mean."""
        squares = sum(outcome * outcome * count for outcome, count in zip(self._outcomes, self._counts, strict=True))
        return Fraction(squares, self._denominator) - self.mean**2

    def find_quantile(self, fraction: Fraction | float) -> int:
        """Return the least outcome x for which the chance of x or less is at least `fraction`.

        A half gives the lower median. A float counts with its exact binary value. Raises ValueError outside 0 to 1.
        """
        if not 0 <= fraction <= 1:
            raise ValueError(f"a quantile must be between 0 and 1, not {fraction}")
        target = Fraction(fraction) * self._denominator
        return self._outcomes[min(bisect_left(self._cumulative(), target), len(self._outcomes) - 1)]

    def iterate_items(self) -> Iterator[tuple[int, Fraction]]:
        """Yield each outcome with its chance, ascending."""
        for outcome, count in zip(self._outcomes, self._counts, strict=True):
            yield outcome, Fraction(count, self._denominator)

    def __len__(self) -> int:
        return len(self._outcomes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        if len(self) != len(other) or any(a != b for a, b in zip(self._outcomes, other._outcomes, strict=True)):
            return False
        ours, theirs = self._denominator, other._denominator
        return all(a * theirs == b * ours for a, b in zip(self._counts, other._counts, strict=True))

    def __hash__(self) -> int:
        return hash((tuple(self._outcomes), Fraction(self._counts[0], self._denominator)))

    def __repr__(self) -> str:
        entries = ", ".join(f"{outcome}: {count}" for outcome, count in zip(self._outcomes, self._counts, strict=True))
        return f"Distribution.from_counts({{{entries}}})"
