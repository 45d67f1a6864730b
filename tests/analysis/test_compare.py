"""Comparisons: paired by hand, silent about noise, and awake to what moved."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from statistics import fmean, stdev

import pytest

from rulewright import Ruleset, RulewrightError, load_ruleset
from rulewright.analysis.simulation.paired_comparison import Move, Pairs, compare, compare_metrics
from rulewright.analysis.simulation.run_simulation import begin_run, iterate_steps, simulate
from rulewright.ruleset.overlay import with_values


@pytest.fixture(scope="module")
def pig() -> Ruleset:
    return load_ruleset("pig/classic@1.0")


def pairs_of(first: Ruleset, second: Ruleset, games: int, **settings: object) -> Pairs:
    values = {rules: ((("numbers.goal", "60"),) if rules.digest != first.digest else ()) for rules in (first, second)}
    runs = (
        begin_run(first, policies=["greedy", "random"], values=values[first]),
        begin_run(second, policies=["greedy", "random"], values=values[second]),
    )
    pairs = Pairs((runs[0].counts, runs[1].counts))
    for _ in compare((first, second), runs, pairs, games=games, **settings):  # type: ignore[arg-type]
        pass
    return pairs


def compare_by_id(pairs: Pairs, rules: Ruleset) -> dict[str, Move]:
    return {move.id: move for move in compare_metrics(pairs, rules)}


def test_a_ruleset_does_not_differ_from_itself(pig: Ruleset) -> None:
    for move in compare_metrics(pairs_of(pig, pig, 40), pig):
        assert (move.difference, move.adjusted, move.moved) == (0, 1, False)
        low, high = move.interval
        # Where no pair of a few dozen games has differed, another may: only sums of the same numbers are sure.
        assert -0.15 < low < 0 < high < 0.15 if move.share else (low, high) == (0, 0)


def test_the_interval_of_a_share_is_on_the_side_of_the_ruleset_that_has_more(pig: Ruleset) -> None:
    pairs = pairs_of(pig, pig, 1)
    pairs.sums.clear()
    for first, second in [(1, 0)] * 2 + [(0, 1)] * 12 + [(1, 1)] * 36:
        pairs.add("draws", first, second)
    move = compare_by_id(pairs, pig)["draws"]
    assert move.difference == pytest.approx(0.2)
    assert move.interval == pytest.approx((0.0569, 0.3404), abs=5e-5)


def test_differences_are_those_of_the_games_one_by_one(pig: Ruleset) -> None:
    short = with_values(pig, [("numbers.goal", "60")])
    pairs = pairs_of(pig, short, 50)
    lengths = []
    for rules in (pig, short):
        run = begin_run(rules, policies=["greedy", "random"], rows=True)
        lengths.append([row.decisions for rows in iterate_steps(rules, run, games=50) for row in rows])
    differences = [second - first for first, second in zip(*lengths, strict=True)]
    move = compare_by_id(pairs, short)["decisions"]
    assert move.difference == pytest.approx(fmean(differences))
    reach = 2.0096 * stdev(differences) / math.sqrt(50)  # the t of 49 degrees, from a table
    assert move.interval == pytest.approx((fmean(differences) - reach, fmean(differences) + reach), abs=1e-3)
    assert move.moved
    assert (move.first, move.second) == (fmean(lengths[0]), fmean(lengths[1]))
    assert not compare_by_id(pairs, short)["draws"].moved
    assert pairs.counts[1].to_plain() == simulate(short, games=50, policies=["greedy", "random"]).to_plain()


def test_pairs_are_the_same_for_any_number_of_workers(pig: Ruleset) -> None:
    short = with_values(pig, [("numbers.goal", "60")])
    alone = pairs_of(pig, short, 30)
    with ThreadPoolExecutor(2) as threads:
        other = pairs_of(pig, short, 30, executor=threads)
    assert other.sums == alone.sums
    assert [counts.to_plain() for counts in other.counts] == [counts.to_plain() for counts in alone.counts]


def test_noise_is_seldom_called_moved(pig: Ruleset) -> None:
    """Runs of the same rules on other dice differ by noise alone: of forty, hardly any has a figure that moved."""
    from rulewright.analysis.simulation.paired_comparison import pair_values

    def rows(seed: str) -> list[object]:
        run = begin_run(pig, seed=seed, rows=True)
        return [row for part in iterate_steps(pig, run, games=40) for row in part]

    wrong = 0
    counts = (simulate(pig, games=1), simulate(pig, games=1))  # only say what is counted
    for number in range(40):
        first, second = rows(f"a{number}"), rows(f"b{number}")
        wrong += any(move.moved for move in compare_metrics(pair_values(first, second, counts), pig))  # type: ignore[arg-type]
    assert wrong <= 6  # 5 % of forty are two; more than six come with a chance of about one in a thousand


def test_two_games_prove_nothing(pig: Ruleset) -> None:
    short = with_values(pig, [("numbers.goal", "60")])
    assert not any(move.moved for move in compare_metrics(pairs_of(pig, short, 2), short))


def test_other_bots_are_refused(pig: Ruleset) -> None:
    runs = (begin_run(pig, policies=["greedy", "random"]), begin_run(pig))
    with pytest.raises(RulewrightError, match="same bots"):
        next(compare((pig, pig), runs, Pairs((runs[0].counts, runs[1].counts)), games=1))
