"""The odds of one roll, exact if possible and sampled if the roll is too large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.dice.ast import Roll
    from rulewright.dice.exact.compute_distribution import Distribution
    from rulewright.dice.static_bounds import Ends

_WORK_SAMPLED = 4_000_000
_PLAIN_DIE, _MADE_DIE, _NAME, _ONE_OF_MANY = 1.5, 4, 11, 0.2
"""The approximate time in microseconds to roll a plain die, a rerolled die, a named roll, and one of many dice."""
_MOST_SAMPLES, _FEWEST_SAMPLES = 100_000, 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """A named distribution of numbers. `samples` is the number of samples, or None if the distribution is exact."""

    name: str
    odds: Distribution
    samples: int | None = None

    def get_chance(self, outcome: int, view: str) -> Fraction:
        """Return the probability of `outcome` in a view.

        The view `chance` means exactly `outcome`, `least` means at least, and any other view means at most.
        """
        if view == "chance":
            return self.odds.get_probability(outcome)
        return self.odds.compute_at_least(outcome) if view == "least" else 1 - self.odds.compute_at_least(outcome + 1)

    @property
    def mean_within(self) -> float | None:
        """Half the width of the 95 % confidence interval of a sampled mean. None if the mean is exact."""
        from rulewright.base.confidence_intervals import Z

        return None if self.samples is None else Z * sqrt(self.odds.variance / self.samples)

    def get_interval(self, chance: Fraction) -> tuple[float, float] | None:
        """Return the 95 % confidence interval of a sampled probability. None if it is exact."""
        from rulewright.base.confidence_intervals import compute_wilson_interval

        return None if self.samples is None else compute_wilson_interval(round(chance * self.samples), self.samples)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOdds(Numbers):
    """A roll with its odds. If they are sampled, `too_large` explains why."""

    roll: Roll
    too_large: str = ""


def compute_or_sample(roll: Roll, name: str = "") -> RollOdds:
    """Return the odds of `roll`: exact, or sampled with a fixed seed if they are too large.

    `name` defaults to the notation. Raises `DiceError` for a roll without odds, such as a division by 0.
    """
    from rulewright.dice.dice_error import DiceError
    from rulewright.dice.exact.compute_distribution import compute_distribution
    from rulewright.dice.format_notation import format_roll

    name = name or format_roll(roll)
    try:
        return RollOdds(name=name, roll=roll, odds=compute_distribution(roll))
    except DiceError as error:
        if error.code != "dice-limit":
            raise
        odds, samples = _sample(roll)
        return RollOdds(name=name, roll=roll, odds=odds, samples=samples, too_large=error.message)


def _sample(roll: Roll) -> tuple[Distribution, int]:
    """Return odds sampled with a fixed seed, and the number of samples, which is lower for costly rolls."""
    from collections import Counter

    from rulewright.dice.exact.compute_distribution import Distribution
    from rulewright.dice.sampling.random_generator import Generator
    from rulewright.dice.sampling.roll_dice import build_sampler

    samples = max(_FEWEST_SAMPLES, min(_MOST_SAMPLES, int(_WORK_SAMPLED / max(1, _work(roll)))))
    sample, generator = build_sampler(roll), Generator(0, "odds")
    return Distribution.from_counts(Counter(sample(generator) for _ in range(samples))), samples


def _work(roll: Roll, names: Mapping[str, Ends] = MappingProxyType({})) -> float:
    """Estimate the cost of one roll in microseconds, to choose the number of samples."""
    from rulewright.dice.ast import Group, Named, Pool, Several, list_parts
    from rulewright.dice.static_bounds import bound_names, reach

    match roll:
        case Pool(count, die):
            return count * (_MADE_DIE if die.made_of else _PLAIN_DIE)
        case Several(count, inner):
            many = isinstance(inner, Pool) and not inner.die.made_of
            each = _ONE_OF_MANY if many else _work(inner, names)
            often = sum(max(end, 0) for end in reach(count, names)) / 2
            return _work(count, names) + often * each
        case Group(members):
            return sum(times * _work(inner, names) for times, inner in members)
        case Named(_, source, body):
            return _NAME + _work(source, names) + _work(body, {**names, **bound_names(roll, names)})
    return sum(_work(inner, names) for inner in list_parts(roll))
