"""Tests of significance beside tables, closed forms and direct sums."""

from __future__ import annotations

from math import comb, sqrt

import pytest

from rulewright.analysis.fairness.joint_model import compute_seat_chance
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.base.significance import (
    LEVEL,
    POWER,
    compute_binomial_chance,
    compute_chi_square_tail,
    compute_mcnemar_chance,
    find_detectable_share,
    find_noncentrality,
)

# Quantiles of the chi-square distribution at 5 % and 1 %, from Abramowitz and Stegun, table 26.8.
QUANTILES = [(1, 3.84146, 6.63490), (2, 5.99147, 9.21034), (3, 7.81473, 11.3449), (7, 14.0671, 18.4753)]


@pytest.mark.parametrize(("degrees", "five", "one"), QUANTILES)
def test_the_tail_of_chi_square_is_that_of_the_table(degrees: int, five: float, one: float) -> None:
    assert compute_chi_square_tail(five, degrees) == pytest.approx(0.05, abs=1e-6)
    assert compute_chi_square_tail(one, degrees) == pytest.approx(0.01, abs=1e-6)
    assert compute_chi_square_tail(0, degrees) == 1


# From E. S. Pearson and H. O. Hartley, Biometrika Tables for Statisticians, table 25: power 0.9 at 5 %.
@pytest.mark.parametrize(("degrees", "noncentrality"), [(1, 10.507), (2, 12.654), (3, 14.171)])
def test_the_noncentrality_is_that_of_the_table(degrees: int, noncentrality: float) -> None:
    assert find_noncentrality(degrees, 0.05) == pytest.approx(noncentrality, abs=1e-3)


@pytest.mark.parametrize(("games", "players"), [(200, 2), (1_000, 2), (1_000, 4)])
def test_what_can_be_found_is_found_in_nine_of_ten(games: int, players: int) -> None:
    """The power of the exact test, summed over every result."""
    share = 1 / players + find_detectable_share(games, players)
    power = sum(
        comb(games, wins) * share**wins * (1 - share) ** (games - wins)
        for wins in range(games + 1)
        if compute_binomial_chance(wins, games, 1 / players) <= LEVEL
    )
    assert power == pytest.approx(POWER, abs=0.025)


def test_more_tests_find_less() -> None:
    assert find_detectable_share(400, 3, tests=6) > find_detectable_share(400, 3)
    assert find_detectable_share(0, 2) == 1


def test_with_one_winner_the_test_of_seats_is_chi_square_of_pearson() -> None:
    wins = (50, 30, 20)
    scores = [tuple(int(seat == winner) for seat in range(3)) for winner in range(3) for _ in range(wins[winner])]
    pearson = sum((each - 100 / 3) ** 2 / (100 / 3) for each in wins)
    assert compute_seat_chance(scores) == pytest.approx(compute_chi_square_tail(pearson, 2))


def test_with_two_seats_the_test_is_that_of_signs_and_sizes() -> None:
    """The squared sum of differences over the sum of squares: normal if each sign is a coin."""
    scores = [(3, -3), (-1, 1), (-1, 1), (5, 1)]
    differences = [one - other for one, other in scores]
    z = sum(differences) / sqrt(sum(each * each for each in differences))
    assert compute_seat_chance(scores) == pytest.approx(compute_chi_square_tail(z * z, 1))


def test_mcnemar_is_a_coin_thrown_for_each_pair_that_differs() -> None:
    assert compute_mcnemar_chance(2, 7) == pytest.approx(2 * sum(comb(9, k) for k in (0, 1, 2)) / 2**9)
    assert compute_mcnemar_chance(4, 4) == compute_mcnemar_chance(0, 0) == 1


def test_intervals_for_several_shares_are_wider() -> None:
    low, high = compute_wilson_interval(40, 100)
    lower, higher = compute_wilson_interval(40, 100, tests=5)
    assert lower < low < high < higher
