"""The scale of luck and skill: its measures held against known answers, and the kept results of known games."""

from __future__ import annotations

import json
import math
from math import inf
from pathlib import Path
from random import Random
from statistics import pstdev

import pytest

from rulewright import load_ruleset
from rulewright.analysis.fairness.ask_questions import ask, to_data
from rulewright.analysis.fairness.skill_scale import (
    BOTS,
    EQUALS,
    FILE,
    KnownGame,
    RatingStep,
    describe_place,
    load_scale,
    measure_ratings,
    measure_seats,
    measure_step,
)
from rulewright.analysis.simulation.game_counts import GameRow, make_row
from rulewright.analysis.simulation.metrics import Metric
from tests.analysis.coin import written

ROOT = Path(__file__).resolve().parents[2]
METRICS = {"scale.spread", "scale.doubling", "scale.seat"}


def row(seats: tuple[str, str], *winners: int) -> GameRow:
    """Return a game of two bots that these seats, from 0, have won."""
    return make_row(0, seats, winners, 1, {})


def pair(first: int | None, second: int | None) -> tuple[GameRow, GameRow]:
    """Return a pair of games of `a` and `b`, in which these seats have won; None for a draw."""
    one, other = (() if each is None else (each,) for each in (first, second))
    return row(("a", "b"), *one), row(("b", "a"), *other)


def test_a_rating_is_that_of_the_share_of_wins() -> None:
    """Odds of ten to one are 400 points. A draw is half a win, and half a win is added to either side."""
    won, lost, drawn = pair(0, 1), pair(1, 0), pair(None, None)
    assert measure_step([won] * 19 + [drawn] + [lost], "a").points == pytest.approx(400)
    assert measure_step([won] * 19 + [drawn] + [lost], "b").points == pytest.approx(-400)
    assert measure_step([pair(0, None)] * 4 + [pair(None, 0)] * 4, "a").points == pytest.approx(0)
    assert measure_step([won] * 10, "a").points < inf


def test_pairs_that_one_seat_wins_say_nothing_of_a_rating() -> None:
    """Equal results narrow the interval, but never to nothing: ten pairs count as ten games."""
    seats = measure_step([pair(0, 0)] * 10, "a")
    assert seats.points == 0
    varied = measure_step([pair(0, 1)] * 5 + [pair(1, 0)] * 5, "a")
    assert 0 < seats.around <= varied.around


@pytest.mark.parametrize(("better", "seat"), [(0.5, 0.2), (0.3, 0.6), (0.85, 0.1)])
def test_the_intervals_of_ratings_contain_them(better: float, seat: float) -> None:
    """One bot wins `better` of the pairs twice, and a seat wins `seat` of them."""
    random, covered, spreads = Random(1), 0, 0
    truth = 400 * math.log10((share := better + seat / 2) / (1 - share))
    (spread,) = (each.value for each in measure_ratings([RatingStep(truth, 0)] * 3) if each.id == "scale.spread")
    for _ in range(300):
        steps = []
        for _ in BOTS[1:]:
            luck = [random.random() for _ in range(60)]
            pairs = [pair(0, 1) if x < better else pair(0, 0) if x < better + seat else pair(1, 0) for x in luck]
            steps.append(measure_step(pairs, "a"))
        covered += sum(abs(step.points - truth) <= step.around for step in steps)
        low, high = measure_ratings(steps)[0].interval
        spreads += low <= spread <= high
    assert covered >= 0.93 * 900
    assert spreads >= 0.93 * 300


def test_the_spread_is_the_standard_deviation_and_the_doubling_the_slope() -> None:
    """The ratings are 0, 300, 400 and 500; between the last three, playouts double four times."""
    spread, doubling = measure_ratings([RatingStep(300, 30), RatingStep(100, 20), RatingStep(100, 20)])
    assert spread.value == pytest.approx(pstdev([0, 300, 400, 500]))
    assert doubling.value == pytest.approx(200 / 4)
    assert doubling.interval == pytest.approx((50 - 5 * math.sqrt(2), 50 + 5 * math.sqrt(2)))
    assert measure_ratings([RatingStep(0, 30)] * 3)[0].interval[0] == 0


def test_a_seat_wins_a_share_of_the_pairs_with_winners() -> None:
    one, other = EQUALS
    seats = [(row((one, other), 0), row((other, one), 0))] * 30 + [(row((one, other), 0), row((other, one), 1))] * 10
    drawn = [(row((one, other)), row((other, one), 0))] * 60
    metric = measure_seats(seats + drawn)
    assert metric.value == 0.75
    assert metric.interval[0] > 0.5


def known(*intervals: tuple[float, float]) -> list[KnownGame]:
    """Return games named A, B, … with these intervals."""
    return [
        KnownGame(name, name, "", {"x": Metric("x", "x", sum(interval) / 2, interval, share=False)})
        for name, interval in zip("ABCD", intervals, strict=False)
    ]


@pytest.mark.parametrize(
    ("interval", "sentence"),
    [
        ((12, 18), "between A and B"),
        ((42, 50), "above C"),
        ((-9, -5), "below A"),
        ((12, 25), "between A and C (compared with B, not known yet)"),
        ((25, 35), "known only to be above A"),
        ((0, 40), "its place among known games is not known yet"),
    ],
)
def test_a_game_has_a_place_only_where_intervals_do_not_overlap(interval: tuple[float, float], sentence: str) -> None:
    games = known((0, 10), (20, 30), (32, 40))
    assert describe_place(Metric("x", "x", sum(interval) / 2, interval, share=False), games) == sentence


def test_the_scale_was_measured_with_these_bots_and_rules() -> None:
    data, scale = json.loads(FILE.read_text(encoding="utf-8")), load_scale()
    assert (data["bots"], data["equals"]) == ([*BOTS], [*EQUALS])
    assert scale.commit
    assert not scale.commit.endswith("+")
    assert scale.pairs >= 200
    assert len(scale.games) == 6
    for game in scale.games:
        ruleset = load_ruleset(game.reference, rules=[ROOT / "benchmarks" / "coin_flip"])
        assert (ruleset.title, ruleset.digest) == (game.title, game.digest), "run benchmarks/skill_scale.py --keep"
        assert game.metrics.keys() == METRICS
        for metric in game.metrics.values():
            assert metric.interval[0] <= metric.value <= metric.interval[1]


def test_the_lower_end_of_the_scale_is_luck_alone() -> None:
    coin = load_scale().games[0].metrics
    assert coin["scale.spread"].value == coin["scale.doubling"].value == 0
    assert coin["scale.seat"].value == 1
    assert all(
        game.metrics[name].interval[0] > coin[name].interval[1]
        for game in load_scale().games[1:]
        for name in ("scale.spread", "scale.doubling")
    )


def skill(folder: Path, games: int, good: str = "greedy") -> tuple[str, dict[str, float]]:
    ruleset = load_ruleset("test/toss", rules=written(folder, first=7, asks=True))
    answers = list(ask(ruleset, good=good, lesser="random", games=games, rules=(folder,)))
    (told,) = (
        each for each in to_data(ruleset, answers, seed=0, games=games)["answers"] if each["question"] == "skill"
    )
    values = {each["figure"].removesuffix(".of.2"): each["value"] for each in told["figures"]}
    return told["says"][0].replace("\N{NO-BREAK SPACE}", " "), values


@pytest.mark.parametrize("good", ["greedy", "random"])
def test_a_toss_is_where_coins_are(tmp_path: Path, good: str) -> None:
    sentence, values = skill(tmp_path, 250, good)
    assert ("There is no weaker bot to compare `random` with" in sentence) == (good == "random")
    assert "Of `random`, `mcts:4`, `mcts:16` and `mcts:64`, each plays 50 pairs against the next." in sentence
    assert (values["scale.spread"], values["scale.doubling"], values["scale.seat"]) == (0, 0, 1)
    assert "points: below Yacht (compared with Coin flip, not known yet)." in sentence


def test_a_comparison_names_the_games_that_it_takes(tmp_path: Path) -> None:
    sentence, values = skill(tmp_path, 200)
    assert sentence.endswith("A comparison with known games takes `--games 250` or more.")
    assert not METRICS & values.keys()
