"""Confidence intervals of shares and means."""

from __future__ import annotations

from functools import lru_cache
from math import inf, sqrt

from rulewright.base.significance import compute_t_tail

Z = 1.959963984540054
"""The quantile of the standard normal distribution for a two-sided 95 % interval."""

Interval = tuple[float, float]


def compute_wilson_interval(successes: float, trials: float, *, tests: int = 1) -> Interval:
    """Return the Wilson score interval (95 %) of a share. Without trials it is 0 to 1.

    If trials depend on each other, their number may be that of as many independent ones, and no whole number.

    With `tests`, all of that number of intervals together include their shares with 95 % (Bonferroni's correction).
    Source: E. B. Wilson, JASA 22 (1927), 209-212.

    >>> low, high = compute_wilson_interval(70, 100)
    >>> round(low, 4), round(high, 4)
    (0.6042, 0.7811)
    """
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    z = _find_normal_quantile(tests)
    spread = z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    reach = z * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    # With no successes the lower bound is exactly 0, with no failures the upper one is 1; floats would miss that.
    low = 0.0 if successes == 0 else middle - reach
    return low, 1.0 if successes == trials else middle + reach


@lru_cache(maxsize=256)
def _find_normal_quantile(tests: int) -> float:
    """Return the normal quantile for two-sided 95 % intervals.

    With several `tests`, it is that of each (Bonferroni).
    """
    if tests == 1:
        return Z
    from statistics import NormalDist  # imported here because it is slow to import, and rarely needed

    return NormalDist().inv_cdf(1 - 0.025 / tests)


def compute_mean_interval(count: int, total: int, squares: int, *, least: float = -inf, tests: int = 1) -> Interval:
    """Return Student's 95 % confidence interval of the mean of `count` values.

    `total` is the sum of the values, and `squares` the sum of their squares. The interval is unbounded for fewer than
    two values. No value can be below `least`, so the interval is cut off there. `tests` is that of
    `compute_wilson_interval`.
    Source: Student, Biometrika 6 (1908), 1-25.

    >>> low, high = compute_mean_interval(4, 10, 30)  # of 1, 2, 3, 4
    >>> round(low, 4), round(high, 4)
    (0.4457, 4.5543)
    """
    if count < 2:
        return -inf, inf
    mean = total / count
    reach = compute_t_quantile(count - 1, tests) * compute_standard_error(count, total, squares)
    return max(least, mean - reach), mean + reach


def compute_mean_share_interval(count: int, total: int, squares: int, *, most: int) -> Interval:
    """Return the 95 % confidence interval of the mean of `count` shares, each a whole number of parts of `most`.

    It is Student's interval, cut off at 0 and 1. Equal shares do not show how much shares vary, so their interval is
    Wilson's, as if each were 0 or 1. The other arguments are those of `compute_mean_interval`.

    >>> low, high = compute_mean_share_interval(4, 3, 3, most=2)  # of 0, 1/2, 1/2, 1/2
    >>> round(low, 4), round(high, 4)
    (0.0, 0.7728)
    """
    if count * squares == total * total:
        return compute_wilson_interval(round(total / most), count)
    low, high = compute_mean_interval(count, total, squares)
    return max(0.0, low / most), min(1.0, high / most)


def compute_standard_error(count: int, total: int, squares: int) -> float:
    """Return the standard error of the mean of `count` values, at least two.

    `total` and `squares`, their sum and their sum of squares, are whole numbers, so the subtraction is exact.
    """
    return sqrt((count * squares - total * total) / (count * count * (count - 1)))


def compute_newcombe_interval(first: tuple[int, int], second: tuple[int, int], *, tests: int = 1) -> Interval:
    """Return the interval (95 %) of the difference of two independent shares, each given as successes and trials.

    It is put together from the two Wilson intervals. A share without trials counts as 0.5, with an interval of 0 to 1.
    `tests` is that of `compute_wilson_interval`.
    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10.

    >>> low, high = compute_newcombe_interval((56, 70), (48, 80))  # the paper's example (a)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    one, other = (wins / games if games else 0.5 for wins, games in (first, second))
    (low, high), (other_low, other_high) = (compute_wilson_interval(*each, tests=tests) for each in (first, second))
    return (
        one - other - sqrt((one - low) ** 2 + (other_high - other) ** 2),
        one - other + sqrt((high - one) ** 2 + (other - other_low) ** 2),
    )


def compute_paired_newcombe_interval(
    both: int, first_only: int, second_only: int, neither: int, *, tests: int = 1
) -> Interval:
    """Return the 95 % confidence interval of the first share minus the second one, in pairs of games.

    >>> low, high = compute_paired_newcombe_interval(36, 12, 2, 0)  # the first share is higher by 0.2
    >>> round(low, 4), round(high, 4)
    (0.0569, 0.3404)

    The arguments count pairs by which of the two games were successes. The result has a positive width even if no pair
    differs, and is -1 to 1 without pairs. `tests` is that of `compute_wilson_interval`.
    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 2635-2650, method 10.
    """
    games = both + first_only + second_only + neither
    if not games:
        return -1.0, 1.0
    first, second = both + first_only, both + second_only
    together: float = both * neither - first_only * second_only
    if together > 0:
        together = max(0.0, together - games / 2)
    spread = sqrt(first * (games - first) * second * (games - second))
    related = together / spread if spread else 0.0
    low, high = compute_wilson_interval(first, games, tests=tests)
    other_low, other_high = compute_wilson_interval(second, games, tests=tests)
    one, other = first / games, second / games

    def reach(own: float, others: float) -> float:
        return sqrt(max(0.0, own * own - 2 * related * own * others + others * others))

    return one - other - reach(one - low, other_high - other), one - other + reach(high - one, other - other_low)


@lru_cache(maxsize=4096)
def compute_t_quantile(degrees: int, tests: int = 1) -> float:
    """Return the t that Student's distribution exceeds, on either side, with a chance of 5 % / `tests`. Cached.

    It is found by bisection. For more than a million degrees of freedom, it is that of the normal distribution.
    """
    if degrees > 10**6:
        return _find_normal_quantile(tests)
    low, high = Z, 13.0 * tests
    while high - low > 1e-12 * tests:
        middle = (low + high) / 2
        low, high = (middle, high) if compute_t_tail(middle, degrees) > 0.05 / tests else (low, middle)
    return high
