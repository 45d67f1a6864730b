"""Confidence intervals of shares and means of observations that depend on each other within clusters."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import inf, sqrt
from typing import Self

from rulewright.base.confidence_intervals import Interval, compute_t_quantile, compute_wilson_interval


@dataclass(slots=True)
class ClusterSums:
    """Sums over clusters: of their totals and sizes, of the squares of both, and of their products.

    The size of a cluster is its number of observations, and its total is the sum of their values, which are 1 or 0 for
    a share. Clusters do not depend on each other, but the observations of one cluster may.
    """

    clusters: int = 0
    total: float = 0
    size: int = 0
    total_squares: float = 0
    size_squares: int = 0
    products: float = 0

    @classmethod
    def sum_values(cls, values: Iterable[float], groups: Iterable[Hashable]) -> Self:
        """Return the sums over clusters of values, where `groups` has the cluster of each value.

        Raises `ValueError` if there are more values than groups, or fewer.
        """
        totals: dict[Hashable, tuple[float, int]] = {}
        for value, group in zip(values, groups, strict=True):
            total, size = totals.get(group, (0, 0))
            totals[group] = total + value, size + 1
        sums = cls()
        for total, size in totals.values():
            sums.add(total, size)
        return sums

    def add(self, total: float, size: int) -> None:
        """Add a cluster."""
        self.clusters += 1
        self.total += total
        self.size += size
        self.total_squares += total * total
        self.size_squares += size * size
        self.products += total * size

    @property
    def mean(self) -> float:
        """The mean of all observations, of which there must be some."""
        return self.total / self.size

    def compute_error(self) -> float:
        """Return the standard error of the mean, which is that of a ratio of two sums. There must be two clusters."""
        mean = self.mean
        squares = self.total_squares - 2 * mean * self.products + mean * mean * self.size_squares
        return sqrt(max(0.0, squares) * self.clusters / (self.clusters - 1)) / self.size


def compute_clustered_mean_interval(sums: ClusterSums, *, least: float = -inf) -> Interval:
    """Return the 95 % confidence interval of a mean, by Student's distribution.

    Its degrees of freedom are the number of clusters minus one. It is unbounded for fewer than two clusters, and cut
    off at `least`. If each cluster has a single observation, the result is that of `compute_mean_interval`.

    >>> sums = ClusterSums.sum_values([1, 2, 3, 4], "abcd")
    >>> [round(end, 4) for end in compute_clustered_mean_interval(sums)]
    [0.4457, 4.5543]
    """
    if sums.clusters < 2:
        return -inf, inf
    reach = compute_t_quantile(sums.clusters - 1) * sums.compute_error()
    return max(least, sums.mean - reach), sums.mean + reach


def compute_clustered_share_interval(sums: ClusterSums) -> Interval:
    """Return the 95 % confidence interval of a share: Wilson's interval for the effective sample size.

    If all observations are equal, they do not show how much those of a cluster depend on each other, so each cluster
    counts as a single observation. The result is 0 to 1 for fewer than two clusters. If each cluster has a single
    observation, it is that of `compute_wilson_interval`.

    Source: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998), 193-201.

    >>> sums = ClusterSums.sum_values([1] * 70 + [0] * 30, range(100))
    >>> [round(end, 4) for end in compute_clustered_share_interval(sums)]
    [0.6042, 0.7811]
    """
    if sums.clusters < 2:
        return 0.0, 1.0
    share, size = sums.mean, sums.size
    if 0 < share < 1:
        alone = share * (1 - share) / (size - 1)
        quantiles = compute_t_quantile(size - 1) / compute_t_quantile(sums.clusters - 1)
        independent = (
            size * min(1.0, quantiles**2 * alone / sums.compute_error() ** 2) if sums.compute_error() else size
        )
    else:
        independent = size * size / sums.size_squares
    return compute_wilson_interval(share * independent, independent)
