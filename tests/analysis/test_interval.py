"""Intervals and tests against closed forms, tables and definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from statistics import NormalDist, fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.base.confidence_intervals import (
    Z,
    compute_mean_interval,
    compute_newcombe_interval,
    compute_paired_newcombe_interval,
    compute_standard_error,
    compute_t_quantile,
    compute_wilson_interval,
)
from rulewright.base.significance import adjust_by_holm, compute_t_tail


@pytest.mark.parametrize("trials", [1, 2, 3, 7, 9, 13, 48, 100, 221, 9_999])
def test_an_interval_of_a_share_never_leaves_what_a_share_can_be(trials: int) -> None:
    """Wilson's ends are the roots of (p - share)² = z² p (1 - p) / n, which lie within 0 and 1 and touch them."""
    for successes in {0, 1, trials // 3, trials // 2, trials - 1, trials}:
        share = Fraction(successes, trials)
        low, high = compute_wilson_interval(successes, trials)
        assert 0 <= low <= share <= high <= 1
        assert (low == 0) == (share == 0)
        assert (high == 1) == (share == 1)
        for end in (low, high):
            assert (end - share) ** 2 == pytest.approx(Z * Z * end * (1 - end) / trials, abs=1e-12)


@given(st.floats(0, 50))
def test_the_tail_of_t_has_closed_forms_for_few_degrees(t: float) -> None:
    """One degree is Cauchy's distribution; two and four are algebraic."""
    assert compute_t_tail(t, 1) == pytest.approx(1 - 2 / math.pi * math.atan(t), abs=1e-8)
    assert compute_t_tail(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), abs=1e-8)
    x = t / math.sqrt(4 + t * t)
    assert compute_t_tail(t, 4) == pytest.approx(1 - x * (3 - x * x) / 2, abs=1e-8)


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    # Printed in every book of tables.
    [(1, 12.7062), (2, 4.3027), (5, 2.5706), (10, 2.2281), (30, 2.0423), (120, 1.9799), (10**7, Z)],
)
def test_quantiles_are_those_of_the_tables(degrees: int, quantile: float) -> None:
    assert compute_t_quantile(degrees) == pytest.approx(quantile, abs=6e-5)


@pytest.mark.parametrize("tests", [1, 3, 40])
def test_quantiles_for_several_tests_have_a_closed_form_for_few_degrees(tests: int) -> None:
    """The tails of one and two degrees, solved for t."""
    chance = 0.05 / tests
    assert compute_t_quantile(1, tests) == pytest.approx(1 / math.tan(math.pi / 2 * chance), rel=1e-6)
    assert compute_t_quantile(2, tests) == pytest.approx((1 - chance) * math.sqrt(2 / chance / (2 - chance)), rel=1e-6)
    assert compute_t_quantile(10**7, tests) == pytest.approx(NormalDist().inv_cdf(1 - chance / 2))


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=60))
def test_the_error_of_a_mean_is_that_of_the_standard_library(values: list[int]) -> None:
    standard_error = compute_standard_error(len(values), sum(values), sum(v * v for v in values))
    assert standard_error == pytest.approx(stdev(values) / math.sqrt(len(values)), abs=1e-9)
    low, high = compute_mean_interval(len(values), sum(values), sum(v * v for v in values))
    assert low <= fmean(values) + 1e-9
    assert high >= fmean(values) - 1e-9


def test_intervals_of_means_hold_what_they_promise() -> None:
    """Of 2,000 samples of eight dice, the interval misses 3.5 about one time in twenty."""
    random, missed = Random(1), 0
    for _ in range(2_000):
        rolls = [random.randint(1, 6) for _ in range(8)]
        low, high = compute_mean_interval(8, sum(rolls), sum(roll * roll for roll in rolls))
        missed += not low <= 3.5 <= high
    assert 0.035 < missed / 2_000 < 0.07


def test_of_one_value_nothing_is_known() -> None:
    assert compute_mean_interval(1, 3, 9) == (-math.inf, math.inf)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_the_interval_of_a_difference_turns_round_with_it(one: int, other: int, data: st.DataObject) -> None:
    first, second = (data.draw(st.integers(0, one)), one), (data.draw(st.integers(0, other)), other)
    low, high = compute_newcombe_interval(first, second)
    assert (-high, -low) == pytest.approx(compute_newcombe_interval(second, first))
    assert -1 <= low <= Fraction(*first) - Fraction(*second) <= high <= 1


def test_the_interval_of_a_difference_is_that_of_its_paper() -> None:
    """Newcombe 1998, table II, method 10: (a) 56/70 - 48/80, (d) 9/10 - 3/10, (g) 10/10 - 0/20."""
    assert compute_newcombe_interval((56, 70), (48, 80)) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert compute_newcombe_interval((9, 10), (3, 10)) == pytest.approx((0.1705, 0.8090), abs=5e-5)
    assert compute_newcombe_interval((10, 10), (0, 20)) == pytest.approx((0.6791, 1.0), abs=5e-5)


def test_nothing_is_known_of_no_trials() -> None:
    assert compute_wilson_interval(0, 0) == (0.0, 1.0)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_refuses_what_stepping_down_refuses(chances: list[float]) -> None:
    """By definition: from the least on, until the first that is above its share of the level."""
    level = 0.05
    refused = set()
    for rank, place in enumerate(sorted(range(len(chances)), key=lambda each: chances[each])):
        if (len(chances) - rank) * chances[place] >= level:
            break
        refused.add(place)
    adjusted = adjust_by_holm(chances)
    assert {place for place, chance in enumerate(adjusted) if chance < level} == refused
    assert all(own >= before for own, before in zip(adjusted, chances, strict=True))


def test_both_differences_are_the_first_share_minus_the_second() -> None:
    assert compute_newcombe_interval((40, 50), (20, 50))[0] > 0
    assert compute_paired_newcombe_interval(15, 25, 5, 5)[0] > 0


PAIRS = st.integers(0, 60)


@given(PAIRS, PAIRS, PAIRS, PAIRS)
def test_a_paired_difference_stays_within_what_it_can_be(both: int, first: int, second: int, neither: int) -> None:
    low, high = compute_paired_newcombe_interval(both, first, second, neither)
    games = both + first + second + neither
    assert -1 - 1e-12 <= low <= high <= 1 + 1e-12
    if games:
        assert low <= (first - second) / games + 1e-12
        assert high >= (first - second) / games - 1e-12
    # Told the other way round, it is the same with the other sign; so it is, twice, for what did not happen.
    assert compute_paired_newcombe_interval(both, second, first, neither) == pytest.approx((-high, -low))
    assert compute_paired_newcombe_interval(neither, first, second, both) == pytest.approx((low, high))


@pytest.mark.parametrize("chances", [(0.3, 0.1, 0.2, 0.4), (0.7, 0.02, 0.08, 0.2), (0.05, 0.05, 0.05, 0.85)])
def test_a_paired_interval_holds_what_it_says(chances: tuple[float, ...]) -> None:
    """Of all that twenty pairs can come to, each by its chance, about 95 % have an interval that holds the truth."""
    games, truth, held = 20, chances[1] - chances[2], 0.0
    for both in range(games + 1):
        for first in range(games + 1 - both):
            for second in range(games + 1 - both - first):
                seen = (both, first, second, games - both - first - second)
                low, high = compute_paired_newcombe_interval(*seen)
                if low <= truth <= high:
                    ways = math.factorial(games) / math.prod(map(math.factorial, seen))
                    held += ways * math.prod(p**n for p, n in zip(chances, seen, strict=True))
    assert 0.93 < held <= 1
