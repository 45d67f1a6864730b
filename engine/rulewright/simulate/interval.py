"""Confidence intervals of a share."""

from __future__ import annotations

from math import sqrt

Z = 1.959963984540054
"""The normal quantile for 95 %."""


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The Wilson score interval (95 %) of a share. Source: E. B. Wilson, JASA 22 (1927), 209-212.

    >>> low, high = wilson(70, 100)
    >>> round(low, 4), round(high, 4)
    (0.6042, 0.7811)
    """
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    spread = Z * Z / trials
    middle = (share + spread / 2) / (1 + spread)
    reach = Z * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    # At the ends the formula gives exactly 0 and 1, which rounding would miss.
    low = 0.0 if successes == 0 else middle - reach
    return low, 1.0 if successes == trials else middle + reach
