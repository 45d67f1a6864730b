"""Confidence intervals of shares and means, and significance tests."""

from __future__ import annotations

from functools import lru_cache
from math import exp, inf, lgamma, log, log1p, sqrt

Z = 1.959963984540054
"""The quantile of the standard normal distribution for a two-sided 95 % interval."""

Interval = tuple[float, float]


def compute_wilson_interval(successes: int, trials: int, *, tests: int = 1) -> Interval:
    """Return the Wilson score interval (95 %) of a share. Without trials it is 0 to 1.

    So many intervals (`tests`) together all include their shares with 95 % (Bonferroni's correction).
    Source: E. B. Wilson, JASA 22 (1927), 209-212.

    >>> low, high = compute_wilson_interval(70, 100)
    >>> round(low, 4), round(high, 4)
    (0.6042, 0.7811)
    """
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    z = Z if tests == 1 else _find_quantile(1 - 0.025 / tests)
    spread = z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    reach = z * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    # With no successes the lower bound is exactly 0, with no failures the upper one is 1; floats would miss that.
    low = 0.0 if successes == 0 else middle - reach
    return low, 1.0 if successes == trials else middle + reach


@lru_cache(maxsize=256)
def _find_quantile(chance: float) -> float:
    from statistics import NormalDist  # imported here because it is slow to import, and rarely needed

    return NormalDist().inv_cdf(chance)


def compute_mean_interval(count: int, total: int, squares: int, *, least: float = -inf) -> Interval:
    """Return Student's 95 % confidence interval of the mean of `count` values.

    `total` is the sum of the values, and `squares` the sum of their squares. The interval is unbounded for fewer than
    two values. No value can be below `least`, so the interval is cut off there.
    Source: Student, Biometrika 6 (1908), 1-25.

    >>> low, high = compute_mean_interval(4, 10, 30)  # of 1, 2, 3, 4
    >>> round(low, 4), round(high, 4)
    (0.4457, 4.5543)
    """
    if count < 2:
        return -inf, inf
    mean = total / count
    reach = compute_t_quantile(count - 1) * compute_standard_error(count, total, squares)
    return max(least, mean - reach), mean + reach


def compute_standard_error(count: int, total: int, squares: int) -> float:
    """Return the standard error of the mean of `count` values, at least two.

    `total` and `squares`, their sum and their sum of squares, are whole numbers, so the subtraction is exact.
    """
    return sqrt((count * squares - total * total) / (count * count * (count - 1)))


def compute_newcombe_interval(first: tuple[int, int], second: tuple[int, int]) -> Interval:
    """Return the interval (95 %) of the difference of two independent shares, each given as successes and trials.

    It is put together from the two Wilson intervals. A share without trials counts as 0.5, with an interval of 0 to 1.
    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10.

    >>> low, high = compute_newcombe_interval((56, 70), (48, 80))  # the paper's example (a)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    one, other = (wins / games if games else 0.5 for wins, games in (first, second))
    (low, high), (other_low, other_high) = compute_wilson_interval(*first), compute_wilson_interval(*second)
    return (
        one - other - sqrt((one - low) ** 2 + (other_high - other) ** 2),
        one - other + sqrt((high - one) ** 2 + (other - other_low) ** 2),
    )


def compute_paired_newcombe_interval(both: int, first_only: int, second_only: int, neither: int) -> Interval:
    """Return the 95 % confidence interval of the difference between two shares in pairs of games.

    >>> low, high = compute_paired_newcombe_interval(0, 0, 0, 10)
    >>> round(low, 4), round(high, 4)
    (-0.2775, 0.2775)

    The arguments count pairs by which of the two games were successes. The result has a positive width even if no pair
    differs, and is -1 to 1 without pairs. Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 2635-2650,
    method 10.
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
    (low, high), (other_low, other_high) = compute_wilson_interval(second, games), compute_wilson_interval(first, games)
    one, other = second / games, first / games

    def reach(own: float, others: float) -> float:
        return sqrt(max(0.0, own * own - 2 * related * own * others + others * others))

    return one - other - reach(one - low, other_high - other), one - other + reach(high - one, other - other_low)


def compute_t_tail(t: float, degrees: int) -> float:
    """Return the chance that Student's t is as far from 0 as `t`, on either side.

    The regularised incomplete beta function at x = ν / (ν + t²), a = ν / 2, b = 1 / 2. Source: M. Abramowitz and
    I. A. Stegun, Handbook of Mathematical Functions (1964), 26.7.1 and 26.5.8.
    """
    return _compute_incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5)


@lru_cache(maxsize=4096)
def compute_t_quantile(degrees: int) -> float:
    """Return the t that is exceeded, on either side, with a chance of 5 %, for Student's distribution. Cached.

    It is found by bisection. For more than a million degrees of freedom, it is that of the normal distribution.
    """
    low, high = Z, 13.0
    if degrees > 10**6:
        return Z
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if compute_t_tail(middle, degrees) > 0.05 else (low, middle)
    return high


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
