"""Advantages that were put into games on purpose, and are found as these and as nothing else."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.analysis.fairness.answer import FEWEST_GAMES, Answer
from rulewright.analysis.fairness.game_cache import GameCache, SeatResults, choose_players
from rulewright.analysis.fairness.questions import advantage
from rulewright.analysis.fairness.setup_differences import find_differences
from rulewright.analysis.simulation.workers import Helpers
from rulewright.base.significance import compute_binomial_chance
from rulewright.ruleset.ruleset import Ruleset
from tests.breadth import times

GAME = """\
kinds: {{player: {{fields: {{coins: count, side: optional sides}}}}}}
state: {{begins: player, rich: player, red: player}}
tables:
  sides: {{rows: {{red: {{}}, blue: {{}}}}}}
formulas: {{standing: {{given: {{who: player}}, is: who.coins}}}}
procedures:
  game:
    title: A race
    steps:
      - {{id: toss, roll: 1d2}}
      - {{id: other, set: {{begins: "next(begins, players)"}}, when: toss == 2}}
      - {{id: coin, roll: 1d2}}
      - {{id: richer, set: {{rich: "next(rich, players)"}}, when: coin == 2}}
      - {{id: pay, gain: {{who: rich, coins: 2}}}}
      - {{id: colour, roll: 1d2}}
      - {{id: redder, set: {{red: "next(red, players)"}}, when: colour == 2}}
      - {{id: dye, set: {{red.side: sides.red}}}}
      - {{id: move, choose: {{who: begins, from: [go, wait]}}}}
      - id: reply
        choose: {{who: "next(begins, players)", from: [go, wait]}}
      - {{id: luck, roll: 1d100}}
      - {{id: won, finish: {{winners: [{who}]}}, when: luck <= {percent}}}
      - {{id: lost, finish: {{winners: ["next({who}, players)"]}}}}
"""
KINDS = {"begins": "order.1", "rich": "values.player.coins.most", "red": "values.player.side.red"}


MANIFEST = "ruleset: test/race\nversion: 1.0.0\ntitle: A race\nplayers: 2\nstart: game\nevaluate: standing\n"


def load(folder: Path, rules: str) -> Ruleset:
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(rules, encoding="utf-8")
    return load_ruleset("test/race", rules=[folder])


def make_game(folder: Path, who: str, percent: int) -> Ruleset:
    return load(folder, GAME.format(who=who, percent=percent))


def ask(ruleset: Ruleset, games: int, seed: int = 0) -> Answer | None:
    with Helpers(1) as helpers:
        names = choose_players(ruleset)
        return advantage.answer(GameCache(ruleset, *names, games, seed, {}, (), helpers, lambda: None))


@pytest.mark.parametrize("who", KINDS)
def test_an_advantage_is_found_as_what_it_is(tmp_path: Path, who: str) -> None:
    answers = ask(make_game(tmp_path, who, 65), 1_000)
    assert answers is not None
    metrics = {each.id.removesuffix(".of.2"): each for each in answers.metrics}
    assert metrics.keys() == {*KINDS.values(), "seat.1", "seat.2"}
    assert answers.commands == ("rulewright fair test/race@1.0.0 --games 1000 --players greedy,random",)
    low, high = metrics[KINDS[who]].interval
    assert low < 0.65 < high
    for kind in KINDS:
        title = metrics[KINDS[kind]].title.removesuffix(", 2 players")
        assert (title in answers.sentences[0]) == (kind == who), "and nothing else is accused"


def test_a_fair_game_is_rarely_accused(tmp_path: Path) -> None:
    runs = times(20, 100)
    ruleset = make_game(tmp_path, "begins", 50)
    accused = 0
    for seed in range(runs):
        answers = ask(ruleset, 400, seed)
        assert answers is not None
        accused += "No significant advantage" not in answers.sentences[0]
    assert accused <= max(3, 9 * runs // 100)


def test_what_always_goes_to_the_same_seat_is_a_matter_of_seats(tmp_path: Path) -> None:
    text = GAME.format(who="begins", percent=80).replace("when: toss == 2", "when: toss == 3")
    text = text.replace("when: coin == 2", "when: coin == 3").replace("when: colour == 2", "when: colour == 3")
    answers = ask(load(tmp_path, text), 400)
    assert answers is not None
    assert {each.id for each in answers.metrics} == {"seat.1.of.2", "seat.2.of.2"}
    assert "Whoever sits in seat 1 and decides first wins " in answers.sentences[0]


LOTTERY = """\
procedures:
  game:
    steps:
      - {id: lot, draw: {one_of: players}}
      - {id: won, finish: {winners: [lot]}}
"""


def test_a_lottery_for_several_numbers_of_players_is_rarely_accused(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        MANIFEST.replace("players: 2", "players: 2..4").replace("evaluate: standing\n", "")
    )
    (tmp_path / "rules.yaml").write_text(LOTTERY)
    ruleset, runs = load_ruleset("test/race", rules=[tmp_path]), times(40, 200)
    accused = 0
    for seed in range(runs):
        answers = ask(ruleset, 100, seed)
        assert answers is not None
        accused += not all("No significant advantage" in each for each in answers.sentences)
    assert accused <= max(4, 9 * runs // 100)


BETS = """\
formulas:
  won: {is: 3 if luck == 1 else -1}
  gain: {given: {who: player}, is: won() if who == first(players) else -won()}
state: {luck: int}
procedures:
  game:
    steps:
      - {id: die, roll: 1d4}
      - {id: kept, set: {luck: die}}
      - {id: over, finish: {winners: "list(p for p in players if gain(p) > 0)"}}
"""


def test_where_there_are_payoffs_they_count_and_not_the_games(tmp_path: Path) -> None:
    """Seat 1 wins three points in a quarter of the games and loses one in the others: it loses most, and is even."""
    (tmp_path / "ruleset.yaml").write_text(MANIFEST.replace("evaluate: standing", "payoff: gain"))
    (tmp_path / "rules.yaml").write_text(BETS)
    answers = ask(load_ruleset("test/race", rules=[tmp_path]), 1_000)
    assert answers is not None
    assert "No significant advantage (the seats)" in answers.sentences[0]
    seat = next(each for each in answers.metrics if each.id == "seat.1.of.2")
    low, high = seat.interval
    assert low < 0 < high
    assert abs(low) < 0.2 > high


@pytest.mark.parametrize("payoffs", [False, True])
def test_what_is_ruled_out_is_ruled_out_for_all_seats_together(*, payoffs: bool) -> None:
    three = ((1, 0, 0), (0, 1, 0), (0, 0, 1)) * 50
    for each in advantage.measure_advantages([], SeatResults(three, payoffs)):
        (low, high), (lower, higher) = each.interval, each.widen(3)
        assert lower < low < high < higher
        assert each.widen(1) == pytest.approx(each.interval)


@pytest.mark.parametrize(("wins", "named"), [(588, "seat.1"), (412, "seat.2")])
def test_of_two_seats_the_one_that_wins_more_is_named(wins: int, named: str) -> None:
    """0.588 − 0.5 is smaller than 0.5 − 0.412 in floating point."""
    results = SeatResults(((1, 0),) * wins + ((0, 1),) * (1_000 - wins), are_payoffs=False)
    assert advantage.measure_advantages([], results)[0].id == named


def test_too_few_games_are_said_to_be_too_few(tmp_path: Path) -> None:
    answers = ask(make_game(tmp_path, "begins", 90), FEWEST_GAMES - 1)
    assert answers is not None
    assert answers.missing == 1
    assert answers.metrics == ()
    assert "Not known yet: this takes at least 100 games, which is 1 more." in answers.sentences[0]


def test_the_deciders_are_found_in_their_order(tmp_path: Path) -> None:
    ruleset = make_game(tmp_path, "begins", 50)
    (order, *_) = find_differences(ruleset, 2, seed=0, games=50, options={})
    assert (order.id, order.does) == ("order.1", "decides first")
    assert set(order.holders) == {0, 1}


def test_differences_are_found_with_the_settings_of_simulations(tmp_path: Path) -> None:
    """Without the setting, the same seat always decides first; in the games, the lot decides."""
    lot = "options: {lots: {title: Lots, choices: {on: On, off: Off}, default: off}}\n"
    rules = GAME.format(who="begins", percent=50).replace("toss == 2", "toss == 2 and options.lots == on")
    load(tmp_path, lot + rules)
    (tmp_path / "ruleset.yaml").write_text(f"{MANIFEST}simulations: {{lots: on}}\n", encoding="utf-8")
    ruleset = load_ruleset("test/race", rules=[tmp_path])
    first, *_ = find_differences(ruleset, 2, seed=0, games=50, options={})
    assert (first.id, first.seat) == ("order.1", None)
    first, *_ = find_differences(ruleset, 2, seed=0, games=50, options={"lots": "off"})
    assert (first.id, first.seat) == ("order.1", 0)


def test_what_players_have_at_the_end_is_no_advantage_from_the_start(tmp_path: Path) -> None:
    undecided = GAME.format(who="rich", percent=90)
    begin, end = undecided.index("      - {id: move"), undecided.index("      - {id: luck")
    answers = ask(load(tmp_path, undecided[:begin] + undecided[end:]), FEWEST_GAMES)
    assert answers is not None
    assert {metric.id for metric in answers.metrics} == {"seat.1.of.2", "seat.2.of.2"}


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)])
@pytest.mark.parametrize("trials", [1, 2, 7, 20])
def test_the_chance_is_the_sum_of_what_is_at_most_as_likely(trials: int, share: Fraction) -> None:
    likely = [comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(trials + 1)]
    for successes in range(trials + 1):
        exact = sum(each for each in likely if each <= likely[successes])
        assert compute_binomial_chance(successes, trials, float(share)) == pytest.approx(float(exact))


def test_a_certain_share_leaves_no_chance() -> None:
    assert compute_binomial_chance(3, 3, 1.0) == 1.0
    assert compute_binomial_chance(2, 3, 1.0) == 0.0
    assert compute_binomial_chance(0, 3, 0.0) == 1.0
