"""The race for the strongest player, in games in which it is known who plays best."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.analysis.fairness.ask_questions import ask, to_data
from rulewright.analysis.fairness.strong_players import RaceResult, find_strong_players, judge_results
from rulewright.ruleset.ruleset import Ruleset
from tests.analysis.coin import written
from tests.analysis.inline_games import HUNT, IDLE, MANIFEST
from tests.language.inline import sound

DEEP = HUNT.replace("REACHABLE", "true").replace("at_most: 30", "at_most: 5")


def race(ruleset: Ruleset, games: int = 100, seed: int = 0, positions: int = 10_000) -> RaceResult:
    strong_players = find_strong_players(ruleset, games=games, seed=seed, options={}, positions=positions)
    assert strong_players is not None
    return strong_players


def test_who_looks_far_enough_wins_the_race() -> None:
    """A walk costs first and wins with the leap after it: who looks one decision ahead never walks."""
    race_result = race(sound(DEEP, manifest=MANIFEST), positions=0)
    challenge = next(each for each in race_result.challenges if {each.first, each.second} == {"greedy", "random"})
    assert challenge.is_lost, "`greedy` never walks"
    assert race_result.best.partition(":")[0] in ("planner", "mcts", "rollout")
    assert race_result.lesser != race_result.best


def test_equilibrium_wins_where_something_is_hidden() -> None:
    race_result = race(load_ruleset("classics/kuhn-poker"), 60)
    assert race_result.best == "solved"
    first = race_result.challenges[0]
    assert (first.first, first.second, first.share) == ("solved", "random", False)


def test_where_nothing_decides_the_cheapest_stays_and_the_others_are_ties() -> None:
    race_result = race(sound(IDLE, manifest=MANIFEST))
    assert race_result.best == race_result.lesser == "random"
    assert "greedy" in race_result.ties
    assert race_result.stronger == ()


def test_the_budget_is_counted_and_kept() -> None:
    ruleset = sound(IDLE, manifest=MANIFEST)
    one, other = race(ruleset, 20), race(ruleset, 20)
    assert one == other
    assert 0 < one.spent <= one.budget
    assert one.budget < race(ruleset, 100).budget
    assert len(one.challenges) < len(race(ruleset, 200).challenges)


def test_without_a_decision_there_is_no_race(tmp_path: Path) -> None:
    ruleset = load_ruleset("test/toss", rules=written(tmp_path))
    assert find_strong_players(ruleset, games=50, seed=0, options={}, positions=0) is None


def test_every_answer_names_who_won_the_race() -> None:
    ruleset = sound(DEEP, manifest=MANIFEST)
    results = [*ask(ruleset, games=100)]
    data = to_data(ruleset, results, seed=0, games=100)
    best, lesser = data["players"]
    by_id = {each["question"]: each for each in data["answers"]}
    assert f"`{best}` plays the games of the other answers" in by_id["players"]["says"][0]
    assert f"100 games of `{best}`" in by_id["length"]["says"][0]
    assert f"`{lesser}`" in by_id["skill"]["says"][0]
    assert "players" not in {each.question.id for each in ask(ruleset, games=100, good="greedy")}


@pytest.mark.parametrize(("wins", "losses", "chance"), [(10, 10, 1.0), (6, 0, 2 / 64), (60, 40, 0.0455)])
def test_a_challenge_is_a_test_of_signs(wins: int, losses: int, chance: float) -> None:
    judgement = judge_results("a", "b", [1] * wins + [-1] * losses + [0] * 3, scale=1, share=True)
    assert judgement.chance == pytest.approx(chance, abs=1e-3)
    assert judgement.mean == pytest.approx((wins + 1.5) / (wins + losses + 3))


def test_results_without_variation_are_not_certain() -> None:
    judgement = judge_results("a", "b", [1] * 20, scale=1, share=True)
    assert judgement.mean == 1
    assert 0.7 < judgement.interval[0] < 0.95
    assert judgement.interval[1] == 1
