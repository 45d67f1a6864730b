"""What evens out an advantage, in games whose answer is known in closed form."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rulewright.analysis.fairness.answer import Answer
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.questions import compensation
from rulewright.analysis.fairness.questions.compensation import LIMIT, search_amount
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.analysis.simulation.workers import Helpers
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.overlay import lay_over
from rulewright.ruleset.ruleset import Ruleset
from tests.language.inline import sound

MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Inline, players: PLAYERS, start: game}"
FACES = 20


def game(
    head: int, *, field: str = "points", score: str = "p.points", begins: str = "first(players)", play: str = ""
) -> str:
    """Return a game of one roll each, in which the player who begins is so far ahead."""
    return f"""
kinds: {{player: {{fields: {{{field}: int, roll: int, hats: count}}}}}}
state: {{starter: player}}
numbers: {{head: {{is: {head}, means: The lead of who begins.}}}}
formulas: {{score: {{given: {{p: player}}, is: "{score} + p.roll + (head if p == starter else 0)"}}}}
procedures:
  game:
    steps:
      - {{id: lot, roll: 1d2}}
      - {{id: start, set: {{starter: {begins}}}}}
      - id: each
        for_each: p
        in: "list(q for q in players by (0 if q == starter else 1))"
        steps:
          - {{id: way, choose: {{who: p, from: [this, that]}}}}
          - {{id: die, roll: 1d{FACES}}}
          - {{id: rolled, set: {{p.roll: die}}}}
      - {{id: tie, draw: {{one_of: "list(p for p in players if score(p) == max(score(q) for q in players))"}}}}
      - {{id: end, finish: {{winners: [tie]}}}}
"""


def share_of_the_first(lead: int) -> Fraction:
    """Return the chance of who begins to win, with so much more than the other player."""
    wins = sum(2 * (a + lead > b) + (a + lead == b) for a, b in product(range(FACES), repeat=2))
    return Fraction(wins, 2 * FACES**2)


def ask(ruleset: Ruleset, games: int = 1_000) -> Answer | None:
    with Helpers(1) as helpers:
        return compensation.answer(GameCache(ruleset, "random", "random", games, 0, {}, (), helpers, lambda: None))


def rules(text: str, players: str = "2") -> Ruleset:
    return sound(text, manifest=MANIFEST.replace("PLAYERS", players))


MOVING = "first(players) if lot == 1 else last(players)"


@pytest.mark.parametrize(("head", "begins"), [(2, "first(players)"), (7, MOVING)])
def test_an_amount_for_the_second_player_evens_out_exactly(head: int, begins: str) -> None:
    """The lead is in points, so the same number of points for the other player takes it away, and no smaller one."""
    assert share_of_the_first(0) == Fraction(1, 2)
    assert share_of_the_first(1) - Fraction(1, 2) > LIMIT
    ruleset = rules(game(head, begins=f'"{begins}"'))
    answers = ask(ruleset)
    assert answers is not None
    text = said_of(answers)
    assert f"With {head} more “points” for the other player at the start" in text
    assert f"At most 3 percentage points are left with {head} more “points” for the other player at the start." in text
    assert ("A die that decides who sits where" in text) == (begins != MOVING)
    metric = next(each for each in answers.metrics if each.id == f"even.points.{head}.of.2")
    assert metric.interval[0] <= 0.5 <= metric.interval[1]
    even = simulate(lay_over(ruleset, answers.change), games=2_000, policies=["random"] * 2, seed=7)
    low, high = (share / even.games for share in sorted(even.wins_by_seat))
    assert high - low < 2 * LIMIT
    assert answers.commands[0].endswith("--edition even")


def said_of(answer: Answer | None) -> str:
    assert answer is not None
    return " ".join(answer.sentences)


def test_a_burden_goes_to_the_player_who_is_ahead() -> None:
    answers = ask(rules(game(4, field="debts", score="0 - p.debts")))
    assert answers is not None
    assert "At most 3 percentage points are left with 4 more “debts” for this player at the start." in " ".join(
        answers.sentences
    )
    assert "if p == first(players)" in answers.change.replace("p for p in players if ", "if ")


def test_whoever_is_behind_of_three_gets_it() -> None:
    answers = ask(rules(game(-5, begins="next(first(players))"), "3"))
    assert answers is not None
    assert "Whoever sits in seat 2 and decides first wins" in said_of(answers)
    assert "At most 3 percentage points are left with 5 more “points” for this player at the start." in " ".join(
        answers.sentences
    )
    assert "The pie rule is for two players." in said_of(answers)


def test_where_nothing_helps_it_says_so() -> None:
    """The points do not count, so no amount of them takes the lead away, and with the pie rule it changes its owner."""
    answers = ask(rules(game(5, score="0")))
    assert answers is not None
    text = said_of(answers)
    assert "No number of a player that could be given at the start has a significant effect." in text
    assert "to whoever chooses a side" in text
    assert "None of the following changes brings the advantage down to 3 percentage points." in text
    assert not answers.change


def test_an_amount_that_overshoots_is_named() -> None:
    """A point counts ten times, so the smallest number of points already turns the lead around."""
    text = said_of(ask(rules(game(5, score="10 * p.points"))))
    assert "1 more “points” for the other player at the start is already too much." in text


def test_in_a_fair_game_nothing_is_tried() -> None:
    assert ask(rules(game(0))) is None
    assert ask(rules(game(5)), games=50) is None  # too few games to know of an advantage


def test_after_an_interrupt_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulewright.analysis.fairness.game_cache.play_games", interrupt)
    assert ask(rules(game(5))) is None


def test_the_pie_rule_evens_out_an_opening_that_decides() -> None:
    """With `this`, who begins has a lead of five; with `that`, of none."""
    text = game(0, score="(5 if p == starter and opened == 1 else 0)")
    text = text.replace("state: {starter: player}", "state: {starter: player, opened: int}")
    text = text.replace(
        "          - {id: die",
        "          - {id: noted, when: p == starter and way == this, set: {opened: 1}}\n          - {id: die",
    )
    answers = ask(rules(text))
    assert answers is not None
    assert "With the pie rule, if the first player opens with “that”, an advantage of" in said_of(answers)
    assert "At most 3 percentage points are left with the pie rule." in said_of(answers)
    assert not answers.change  # a swap of sides is no rule of the game


def test_the_pie_rule_is_not_tried_with_other_options_in_each_game() -> None:
    """There are always two options, but the lot decides which."""
    text = game(5, begins=f'"{MOVING}"').replace("[this, that]", "{this: lot == 1, that: lot == 2, other: true}")
    sentence = said_of(ask(rules(text)))
    assert "The pie rule is not tried, because the options of the first decision differ from game to game." in sentence


def test_a_command_writes_the_change_as_house_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, head in (("uneven", 6), ("fair", 0)):
        (tmp_path / name).mkdir()
        manifest = MANIFEST.replace("PLAYERS", "2").replace("test/inline", f"test/{name}")
        (tmp_path / name / "ruleset.yaml").write_text(manifest, encoding="utf-8")
        (tmp_path / name / "rules.yaml").write_text(game(head), encoding="utf-8")
    even, report = tmp_path / "even", tmp_path / "report.html"
    folders = ["--rules", str(tmp_path), "--games", "200", "--players", "random"]
    assert main(["fair", "test/uneven", *folders, "--edition", str(even), "--report", str(report)]) == 0
    output = capsys.readouterr().out
    assert "compensated.points: compensated.points + 6" in output
    assert "compensated.points: compensated.points + 6" in report.read_text()
    assert f"{even} contains house/even, with this change to test/uneven@1.0.0; to check it, run: " in output
    assert f"rulewright check house/even --rules {even} --rules {tmp_path}\n" in output
    assert main(["check", "house/even", "--rules", str(tmp_path)]) == 0
    ruleset = load_ruleset("house/even", rules=[tmp_path])
    assert "compensation_paid" in {step.id for step in ruleset.steps.values()}
    with pytest.raises(SystemExit):
        main(["fair", "test/uneven", *folders, "--edition", str(even)])
    assert "must name a new folder" in capsys.readouterr().err
    other = tmp_path / "other"
    assert main(["fair", "test/fair", *folders, "--edition", str(other), "--json"]) == 0
    printed = capsys.readouterr()
    assert "compensation" not in {each["question"] for each in json.loads(printed.out)["answers"]}
    assert f"no change evens out an advantage, so {other} was not written" in printed.err
    assert not other.exists()


@pytest.mark.parametrize("even", [1, 2, 3, 4, 5, 11, 64, 1000])
def test_the_smallest_amount_is_found(even: int) -> None:
    amounts: list[int] = []

    def remains(amount: int) -> float:
        amounts.append(amount)
        return 0.031 * (even - amount) / 1

    amount_found, below = search_amount(remains)
    assert (amount_found, below) == (even, even - 1)
    assert len(amounts) <= 22


def test_amounts_that_are_too_little_and_too_much_are_no_answer() -> None:
    assert search_amount(lambda amount: 0.2 if amount < 6 else -0.2) == (None, 5)
    assert search_amount(lambda amount: 0.2) == (None, 1_024)
    assert search_amount(lambda amount: None) == (None, 0)
