"""All against all, and ratings."""

from __future__ import annotations

import json
import pathlib
from itertools import combinations
from math import exp, log, log10, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import RulewrightError, load_ruleset
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.analysis.simulation.tournament import (
    POINTS,
    BotPair,
    Rating,
    choose_table_size,
    find_flat_rungs,
    play_tournament,
    rate_bots,
    solve_linear,
)
from rulewright.cli.main import main
from tests.analysis.coin import written
from tests.language.inline import sound


@settings(max_examples=40)
@given(st.integers(0, 300), st.integers(0, 300))
def test_two_bots_have_the_rating_of_their_odds(wins: int, losses: int) -> None:
    """Half a win was had by both before; the error of a logarithm of odds is a textbook's."""
    first, second = rate_bots(["a", "b"], [BotPair("b", "a", wins, losses, 3, 1)]), wins + 0.5
    result = next(rating for rating in first if rating.bot == "b")
    assert result.points == pytest.approx(400 * log10(second / (losses + 0.5)), abs=1e-6)
    around = 1.959964 * 400 / log(10) * sqrt(1 / second + 1 / (losses + 0.5))
    assert result.high - result.points == pytest.approx(around, rel=1e-5)
    assert result.points - result.low == pytest.approx(around, rel=1e-5)


def by_hunter(bots: list[str], pairs: list[BotPair]) -> dict[str, float]:
    """Ratings by another method: D. R. Hunter, "MM algorithms for generalized Bradley-Terry models" (2004)."""
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(8_000):
        for bot in bots:
            met = [pair.from_view_of(bot) for pair in pairs if bot in (pair.first, pair.second)]
            won = sum(pair.wins + 0.5 for pair in met)
            strength[bot] = won / sum((pair.decided + 1) / (strength[bot] + strength[pair.second]) for pair in met)
    return {bot: POINTS * log(strength[bot] / strength[bots[0]]) for bot in bots}


@settings(max_examples=4, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=6, max_size=6))
def test_several_bots_have_the_ratings_of_another_method(results: list[tuple[int, int]]) -> None:
    bots = ["a", "b", "c", "d"]
    pairs = [BotPair(*names, *result, 0, 0) for names, result in zip(combinations(bots, 2), results, strict=True)]
    by_bot = {rating.bot: rating.points for rating in rate_bots(bots, pairs)}
    assert by_bot == pytest.approx(by_hunter(bots, pairs), abs=0.5)
    assert by_bot["a"] == 0


def test_who_never_loses_has_a_rating() -> None:
    best, worst = rate_bots(["a", "b"], [BotPair("a", "b", 0, 10_000, 0, 0)])
    assert (best.bot, worst.bot, worst.points) == ("b", "a", 0)
    assert 1_500 < best.points < 1_800
    assert best.low > 0


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3), st.lists(st.floats(-5, 5), min_size=3, max_size=3))
def test_what_solves_a_system_solves_it(strengths: list[float], right: list[float]) -> None:
    weights = [exp(-abs(each)) + 0.1 for each in strengths]
    matrix = [
        [sum(weights) if row == column else -weights[(row + column) % 3] / 2 for column in range(3)] for row in range(3)
    ]
    solved_values = solve_linear(matrix, right)
    assert [sum(a * b for a, b in zip(row, solved_values, strict=True)) for row in matrix] == pytest.approx(
        right, abs=1e-9
    )


def test_a_pair_is_what_simulate_counts() -> None:
    pig = load_ruleset("pig/classic@1.0")
    (pair,) = play_tournament(pig, ["random", "greedy"], games=30, seed=4)
    counts = simulate(pig, games=30, policies=["random", "greedy"], seed=4)
    assert (pair.wins, pair.losses) == (counts.wins_by_policy["random"], counts.wins_by_policy["greedy"])
    assert pair.decided + pair.draws + pair.unfinished == 30


GAME = """
procedures:
  game:
    steps:
      - {id: face, roll: 1d4}
      - {id: all, finish: {winners: list(p for p in players)}, when: face == 1}
      - {id: none, finish: {winners: []}, when: face == 2}
      - {id: one, finish: {winners: list(p for p in players if p == first(q for q in players))}}
"""


def test_who_sits_at_several_places_wins_once() -> None:
    """Four are at the table; where all of them win, nobody beat anybody."""
    rules = sound(GAME, manifest="{ruleset: test/inline, version: 1.0.0, title: Inline, players: 3..4, start: game}")
    assert choose_table_size(rules) == 4
    (pair,) = play_tournament(rules, ["random", "mcts:2"], games=80)
    assert pair.decided + pair.draws == 80
    assert 20 <= pair.draws <= 60
    assert pair.wins + pair.losses == simulate(rules, games=80, policies=["random", "mcts:2"] * 2).decided[4]


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        (["random"], "at least two different bots"),
        (["random", "random"], "at least two different bots"),
        (["random", "gready"], "did you mean"),
    ],
)
def test_what_is_no_ladder_is_refused(bots: list[str], message: str) -> None:
    with pytest.raises(RulewrightError, match=message):
        list(play_tournament(load_ruleset("pig/classic@1.0"), bots, games=2))


def test_a_game_for_three_has_no_ladder() -> None:
    rules = sound(GAME, manifest="{ruleset: test/inline, version: 1.0.0, title: Inline, players: 3, start: game}")
    with pytest.raises(RulewrightError, match="for 3 players"):
        list(play_tournament(rules, ["random", "mcts:2"], games=2))


def test_the_command_tells_rungs_and_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "pig/classic", "--games", "40", "--players", "random,greedy", "--seed", "3"]) == 0
    output = capsys.readouterr().out
    assert main(["ladder", "pig/classic", "--games", "40", "--players", "random,greedy", "--seed", "3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    (pair,) = data["pairs"]
    best, worst = data["ratings"]
    assert (best["bot"], worst["bot"], worst["points"]) == ("greedy", "random", 0)
    assert f"greedy           {best['points']:>+8,.0f}" in output
    assert f"{pair['wins']:,} of {pair['wins'] + pair['losses']}" in output
    assert pair["losses"] >= 38


def test_a_rung_that_leads_up_too_little_is_flat() -> None:
    rungs = [Rating(bot, 0.0, 0.0, 0.0) for bot in "abcd"]
    pairs = [
        BotPair("b", "a", 3, 7, 5, 0),
        BotPair("b", "c", 8, 2, 0, 0),
        BotPair("c", "d", 0, 0, 9, 1),
        BotPair("a", "d", 1, 9, 0, 0),
    ]
    assert find_flat_rungs(rungs, pairs) == [BotPair("a", "b", 7, 3, 5, 0), BotPair("c", "d", 0, 0, 9, 1)]


def test_of_flat_rungs_it_is_told_what_rolls_decide(capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path) -> None:
    """Whoever is better at a toss is so by luck alone: its faces decide every game."""
    arguments = [
        "ladder",
        "test/toss",
        "--players",
        "random,greedy",
        "--games",
        "20",
        "--rules",
        str(written(tmp_path)),
    ]
    assert main(arguments) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "A clear skill step means winning 80 % of decisive games against the next bot." in text
    assert "The roll that decides most is A toss, game.toss." in text
    assert main([*arguments, "--json"]) == 0
    (rung,) = json.loads(capsys.readouterr().out)["flat_rungs"]
    (roll,) = rung["rolls"]
    assert roll["rule"] == "game.toss"
    assert roll["decides"]
    assert {roll["wins_by_least"], roll["wins_by_most"]} == {0.0, 1.0}
    assert roll["swing"] == 1
    assert roll["others_win"] == roll["games"] == rung["games_turned"] >= 10


def test_a_ladder_that_leads_up_and_one_without_dice_blame_no_roll(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "pig/classic", "--games", "20", "--players", "random,greedy"]) == 0
    assert "rung" not in capsys.readouterr().out
    assert main(["ladder", "classics/tic-tac-toe", "--games", "4", "--players", "greedy,planner"]) == 0
    assert "Their games have no rolls or draws to force" in " ".join(capsys.readouterr().out.split())


def test_what_was_played_is_told_when_interrupted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def some(*_args: object, **_more: object) -> object:
        yield BotPair("random", "greedy", 1, 9, 0, 0)
        raise KeyboardInterrupt

    monkeypatch.setattr("rulewright.analysis.simulation.tournament.play_tournament", some)
    assert main(["ladder", "pig/classic"]) == 130
    output = capsys.readouterr().out
    assert "1 of 10" in output
    assert "interrupted: ratings need the games of all pairs" in output
