"""Significance tests of counts and means, and the size of the effects that a test can find."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb, erfc, exp, lgamma, log, log1p, sqrt

LEVEL = 0.05
"""The significance level: how likely a set of tests is to report anything if there is nothing to report."""

POWER = 0.9
"""The probability with which an effect of the detectable size is found."""


def compute_chi_square_tail(value: float, degrees: int) -> float:
    """Return the p-value of a chi-square statistic.

    Source: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), 26.4.4 and 26.4.5.

    >>> round(compute_chi_square_tail(3.841459, 1), 4), round(compute_chi_square_tail(5.991465, 2), 4)
    (0.05, 0.05)
    """
    if value <= 0:
        return 1.0
    half = value / 2
    tail, first = (erfc(sqrt(half)), 1) if degrees % 2 else (exp(-half), 2)
    for below in range(first, degrees, 2):
        tail += exp(below / 2 * log(half) - half - lgamma(below / 2 + 1))
    return min(1.0, tail)


def compute_t_tail(t: float, degrees: int) -> float:
    """Return the chance that Student's t is as far from 0 as `t`, on either side.

    The regularised incomplete beta function at x = ν / (ν + t²), a = ν / 2, b = 1 / 2. Source: M. Abramowitz and
    I. A. Stegun, Handbook of Mathematical Functions (1964), 26.7.1 and 26.5.8.
    """
    return _compute_incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5)


def is_mean_normal(values: Sequence[int]) -> bool:
    """Return whether the mean of so many values is distributed nearly normally, as far as the values show.

    It takes more than 25 G² values, where G is their skewness. A 95 % interval then misses at most 6 % of the means.
    Without any differences, the values do not show how skewed they are, and the result is false.

    Source: W. G. Cochran, Sampling Techniques (1977), section 2.15.

    >>> is_mean_normal([1] * 1000), is_mean_normal([1] * 999 + [-1999]), is_mean_normal([1, -1] * 20)
    (False, False, True)
    """
    count, total = len(values), sum(values)
    # Whole numbers, the sums of powers of `count` times the deviations, keep the differences exact.
    deviations = [count * each - total for each in values]
    squares, cubes = (sum(each**power for each in deviations) for power in (2, 3))
    return 25 * cubes * cubes < squares**3


def compute_mcnemar_chance(one: int, other: int) -> float:
    """Return the two-sided p-value of McNemar's exact test for the two counts of pairs that differ.

    Source: Q. McNemar, Psychometrika 12 (1947).

    >>> compute_mcnemar_chance(0, 6)
    0.03125
    """
    most, whole = max(one, other), one + other
    ways = sum(comb(whole, each) for each in range(most, whole + 1))
    return min(1.0, 2 * ways / (1 << whole))


def compute_binomial_chance(successes: int, trials: int, share: float) -> float:
    """Return the p-value of a number of successes if each trial succeeds with this share (exact, two-sided).

    It is the probability of all numbers of successes that are at most as likely as this one.
    Source: W. J. Conover, Practical Nonparametric Statistics (1971), section 3.1.

    >>> round(compute_binomial_chance(8, 10, 0.5), 4)
    0.1094
    """
    if not 0 < share < 1:
        return 1.0 if successes == round(share) * trials else 0.0

    def weigh(count: int) -> float:
        ways = lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)
        return ways + count * log(share) + (trials - count) * log1p(-share)

    # Rounding must not separate two numbers that are equally likely.
    least = weigh(successes) + 1e-7
    return min(1.0, sum(exp(weight) for weight in map(weigh, range(trials + 1)) if weight <= least))


def adjust_by_holm(chances: list[float]) -> list[float]:
    """Return the chances of several tests, adjusted so that all of them together err as seldom as one alone.

    Source: S. Holm, Scandinavian Journal of Statistics 6 (1979), 65-70.

    >>> adjust_by_holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(chances)
    worst = 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        worst = max(worst, min(1.0, (len(chances) - rank) * chances[place]))
        adjusted[place] = worst
    return adjusted


@lru_cache(maxsize=256)
def find_noncentrality(degrees: int, level: float) -> float:
    """Return the noncentrality at which a chi-square test at `level` rejects with the probability `POWER`.

    The noncentral distribution is a Poisson mixture of central ones. Both bounds are found by bisection.
    Source: P. B. Patnaik, Biometrika 36 (1949), 202-232.
    """
    low, high = 0.0, 1_000.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if compute_chi_square_tail(middle, degrees) > level else (low, middle)
    critical = high
    low, high = 0.0, 1_000.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if _compute_power(middle, degrees, critical) < POWER else (low, middle)
    return high


def find_detectable_share(games: int, players: int, *, degrees: int = 1, tests: int = 1) -> float:
    """Return how far the share of one player must be from an even share to be found in 9 of 10 samples.

    The others share what is left evenly. `degrees` is 1 for a test of one share, and `players` - 1 for a test of all of
    them at once. `tests` is the number of tests that are corrected for.

    >>> round(find_detectable_share(1000, 2), 3)
    0.051
    """
    if not games:
        return 1.0
    noncentrality = find_noncentrality(degrees, LEVEL / tests)
    return min(1.0, sqrt(noncentrality * (players - 1) / games) / players)


def _compute_power(noncentrality: float, degrees: int, critical: float) -> float:
    """Return the chance that a noncentral chi-square variable is above `critical`."""
    half = noncentrality / 2
    power, weights, each = 0.0, 0.0, 0
    while each <= half or 1 - weights > 1e-12:
        weight = exp(each * log(half) - half - lgamma(each + 1)) if half else float(each == 0)
        power += weight * compute_chi_square_tail(critical, degrees + 2 * each)
        weights += weight
        each += 1
        if each > 10_000:
            break
    return power


def _compute_incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction on the side with fast convergence."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _evaluate_continued_fraction(x, a, b) / a
    return 1.0 - front * _evaluate_continued_fraction(1 - x, b, a) / b


def _evaluate_continued_fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function. Source: W. J. Lentz, Applied Optics 15 (1976)."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    continued_fraction = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + step * d) or tiny)
            c = (1 + step / c) or tiny
            continued_fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return continued_fraction
