"""Significance tests of counts, and the size of the effects that a test can find."""

from __future__ import annotations

from functools import lru_cache
from math import comb, erfc, exp, lgamma, log, sqrt

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


def compute_mcnemar_chance(one: int, other: int) -> float:
    """Return the two-sided p-value of McNemar's exact test for the two counts of pairs that differ.

    Source: Q. McNemar, Psychometrika 12 (1947).

    >>> compute_mcnemar_chance(0, 6)
    0.03125
    """
    most, whole = max(one, other), one + other
    ways = sum(comb(whole, each) for each in range(most, whole + 1))
    return min(1.0, 2 * ways / (1 << whole))


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
