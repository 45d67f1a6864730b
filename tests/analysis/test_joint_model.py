"""Advantages with the stronger ones held fixed, beside the same regression by numpy."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from rulewright import load_ruleset
from rulewright.analysis.fairness.game_cache import MOST_SAMPLES, GameCache, SeatResults
from rulewright.analysis.fairness.joint_model import build_column, compute_joint_chance, compute_seat_chance
from rulewright.analysis.fairness.questions.advantage import adjust_besides, measure_advantages
from rulewright.analysis.fairness.setup_differences import SetupDifference
from rulewright.analysis.simulation.workers import Helpers
from rulewright.base.significance import LEVEL, compute_chi_square_tail
from rulewright.ruleset.ruleset import Ruleset
from tests.analysis.power import CASES, load_game

Holders = list[int]


def draw(random: Random, players: int, games: int) -> Holders:
    """Return a seat for each game."""
    return [random.randrange(players) for _ in range(games)]


def play(random: Random, favoured: Holders, players: int, edge: float) -> list[tuple[int, ...]]:
    """Return games that the favoured seat wins more often by `edge` than an even share."""
    winners = [
        seat
        if random.random() < 1 / players + edge
        else random.choice([each for each in range(players) if each != seat])
        for seat in favoured
    ]
    return [tuple(int(seat == winner) for seat in range(players)) for winner in winners]


def test_the_test_of_two_seats_is_that_of_pearson() -> None:
    scores = play(Random(2), [0] * 300, 2, 0.05)
    first, second = (sum(score[seat] for score in scores) for seat in range(2))
    seats = [build_column([seat] * 300, 2) for seat in range(2)]
    expected = compute_chi_square_tail((first - second) ** 2 / 300, 1)
    assert compute_joint_chance(scores, seats, []) == pytest.approx(expected)


@pytest.mark.parametrize("players", [3, 4])
def test_the_test_of_all_seats_is_that_of_friedman(players: int) -> None:
    random = Random(players)
    scores = play(random, [0] * 300, players, 0.05)
    seats = [build_column([seat] * 300, players) for seat in range(players)]
    assert compute_joint_chance(scores, seats, []) == pytest.approx(compute_seat_chance(scores))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chance_is_that_of_a_regression(players: int) -> None:
    random, games = Random(players), 400
    coin, card = (draw(random, players, games) for _ in range(2))
    tested = [seat if random.random() < 0.7 else random.randrange(players) for seat in coin]
    scores = play(random, coin, players, 0.1)
    fixed, columns = [[build_column(each, players)] for each in (coin, card)], [build_column(tested, players)]

    results = np.array(scores).ravel() - 1 / players
    held = np.array([column for group in fixed for column in group]).T
    rest = results - held @ np.linalg.lstsq(held, results, rcond=None)[0]
    both = np.column_stack([held, np.array(columns).T])
    explained = ((both @ np.linalg.lstsq(both, rest, rcond=None)[0]) ** 2).sum()
    spread = (rest**2).sum() / (games * (players - 1) - 2)
    assert compute_joint_chance(scores, columns, fixed) == pytest.approx(compute_chi_square_tail(explained / spread, 1))


def test_what_is_fixed_explains_itself() -> None:
    coin = draw(Random(1), 2, 100)
    scores, columns = play(Random(2), coin, 2, 0.3), [build_column(coin, 2)]
    assert compute_joint_chance(scores, columns, []) < 1e-6
    assert compute_joint_chance(scores, columns, [columns]) == 1


def test_what_goes_with_the_coin_is_not_accused() -> None:
    """Seat 1 has the coin in 8 of 10 games, and the player with the coin wins more often."""
    random, alone = Random(3), 0
    for _ in range(40):
        coin = [int(random.random() < 0.2) for _ in range(1_000)]
        scores = play(random, coin, 2, 0.15)
        differences = [SetupDifference("coin", "has the coin", tuple(coin))]
        results = SeatResults(tuple(scores), are_payoffs=False)
        chances = {each.id: each.chance for each in measure_advantages(differences, results)}
        assert max(chances.values()) < LEVEL / 2, "alone, each of the two is significant"
        assert chances["coin"] < chances["seat.1"]
        alone += adjust_besides(["coin", "seat"], differences, results, 2)["seat"] > LEVEL
    assert alone >= 39


def test_who_decides_last_is_not_accused_because_others_win() -> None:
    """With four players, an advantage of the first one leaves less to each of the others."""
    random, games = Random(4), 4_000
    orders = [random.sample(range(4), 4) for _ in range(games)]
    scores = play(random, [order[0] for order in orders], 4, 0.1)
    differences = [SetupDifference(f"order.{place}", "", tuple(order[place] for order in orders)) for place in range(4)]
    names = [each.id for each in differences]
    assert adjust_besides(names, differences, SeatResults(tuple(scores), are_payoffs=False), 5) == dict.fromkeys(
        names[1:], 1
    )


def test_two_advantages_are_both_named() -> None:
    random = Random(5)
    coin, card = draw(random, 2, 2_000), draw(random, 2, 2_000)
    scores = tuple(
        (1, 0) if random.random() < 0.5 + 0.1 * (1 - 2 * one) + 0.07 * (1 - 2 * two) else (0, 1)
        for one, two in zip(coin, card, strict=True)
    )
    differences = [SetupDifference(name, "", tuple(each)) for name, each in (("coin", coin), ("card", card))]
    assert adjust_besides(["coin", "card"], differences, SeatResults(scores, are_payoffs=False), 3)["card"] < LEVEL


def open_cache(ruleset: Ruleset, games: int, *, grows: bool) -> GameCache:
    return GameCache(ruleset, "random", "random", games, 0, {}, (), Helpers(1), lambda: None, grows=grows)


def test_short_games_are_played_more_often(tmp_path: Path) -> None:
    ruleset = load_game(CASES["a coin, 10 points"], tmp_path)
    grown, whole = open_cache(ruleset, 20, grows=True), open_cache(ruleset, 20 * MOST_SAMPLES, grows=False)
    assert grown.count_most(2) == whole.count_most(2) == 20 * MOST_SAMPLES
    assert grown.play_most_results(2) == whole.play_results(2)
    assert grown.find_differences(2) == whole.find_differences(2)
    assert len(grown.play_results(2).games) == 20
    assert open_cache(ruleset, 20, grows=False).count_most(2) == 20
    assert open_cache(load_ruleset("pig/classic"), 20, grows=True).count_most(2) == 20, "such games are too long"
