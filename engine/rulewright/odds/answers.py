"""What came of a question: every answer with its chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import NamedTuple

from rulewright.dice.exact import Distribution
from rulewright.odds.interval import Z, wilson
from rulewright.odds.questions import Question


class Came(NamedTuple):
    """What came of a question: an id that tells it from all else, words for readers, and the number that it is."""

    id: str
    words: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The chance of every answer to one question by its id, in order, and, where they are numbers, as a distribution.

    `words` has what each is called. Where the odds were sampled, `samples` is how many runs were made: chances are
    shares of those.
    """

    question: Question
    chances: Mapping[str, Fraction]
    words: Mapping[str, str]
    distribution: Distribution | None
    samples: int | None = None

    @property
    def mean(self) -> Fraction | None:
        """The mean of answers that are numbers."""
        return None if self.distribution is None else self.distribution.mean

    def interval(self, said: str) -> tuple[float, float] | None:
        """Between which chances a sampled answer lies, 95 times of 100 (Wilson); None where the chance is exact."""
        if self.samples is None:
            return None
        return wilson(self._times(self.chances.get(said, Fraction(0))), self.samples)

    def _times(self, chance: Fraction) -> int:
        return int(chance * (self.samples or 0))

    @property
    def mean_within(self) -> float | None:
        """How far the mean of a sample may be off, 95 times of 100."""
        if self.samples is None or self.distribution is None:
            return None
        return Z * sqrt(self.distribution.variance / self.samples)

    @property
    def width(self) -> float:
        """The width of the widest interval of any answer; 0 where the odds are exact."""
        if self.samples is None:
            return 0.0
        found = (wilson(self._times(chance), self.samples) for chance in self.chances.values())
        return max((high - low for low, high in found), default=1.0)


def answer(question: Question, found: Mapping[Came, Fraction], samples: int | None = None) -> Answer:
    """The answer from what came, each with its chance: numbers in order, anything else by its chance."""
    numbers = {came.number: chance for came, chance in found.items() if came.number is not None}
    if numbers:
        # What is no number, because it was never worked out, comes before all that are.
        order = sorted(found.items(), key=lambda item: (item[0].number is not None, item[0].number or 0))
    else:
        order = sorted(found.items(), key=lambda item: (-item[1], item[0].words))
    chances = {came.id: chance for came, chance in order}
    words = {came.id: came.words for came, _ in order}
    whole = question.counts and sum(numbers.values()) == 1
    return Answer(question, chances, words, _distribution(numbers) if whole else None, samples)


def _distribution(chances: Mapping[int, Fraction]) -> Distribution:
    denominator = lcm(*(chance.denominator for chance in chances.values()))
    return Distribution.from_counts({n: int(chance * denominator) for n, chance in chances.items()})
