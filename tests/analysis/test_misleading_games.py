"""Games that were invented to mislead, with exact answers: what a draw, a payoff or the same people hide."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.analysis.fairness.answer import Answer
from rulewright.analysis.fairness.game_cache import GameCache, SeatResults
from rulewright.analysis.fairness.questions import load_questions
from rulewright.analysis.fairness.questions.advantage import describe_check, measure_advantages
from rulewright.analysis.fairness.questions.decisions import judge_pairs
from rulewright.analysis.fairness.setup_differences import SetupDifference
from rulewright.analysis.fairness.strong_players import RaceResult
from rulewright.analysis.simulation.workers import Helpers
from rulewright.ruleset.ruleset import Ruleset
from tests.language.inline import sound

MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Inline, players: 2, start: game}"


def ask(
    question: str, ruleset: Ruleset, good: str, lesser: str = "random", games: int = 400, race: RaceResult | None = None
) -> Answer:
    """Return the answer to one question."""
    (asked,) = (each for each in load_questions() if each.id == question)
    with Helpers(1) as helpers:
        table = GameCache(ruleset, good, lesser, games, 0, {}, (), helpers, lambda: None, race=race)
        found = asked.answer(table)
    assert found is not None
    return found


def said(answer: Answer) -> str:
    """Return the sentences, with plain spaces."""
    return " ".join(answer.sentences).replace("\N{NO-BREAK SPACE}", " ")


BRINK = """
kinds: {player: {fields: {fallen: count}}}
formulas: {standing: {given: {who: player}, is: 0 - who.fallen}}
procedures:
  game:
    steps:
      - id: each
        for_each: one
        in: players
        steps:
          - {id: way, ask: Do you jump?, choose: {who: one, from: [stay, jump]}}
          - {id: fell, gain: {who: one, fallen: 1}, when: way == jump}
      - {id: luck, roll: 1d6}
      - {id: first_wins, finish: {winners: [first(players)]}, when: luck == 5}
      - {id: last_wins, finish: {winners: [last(players)]}, when: luck == 6}
      - {id: both, finish: {winners: []}, when: first(players).fallen == last(players).fallen}
      - {id: one, finish: {winners: list(p for p in players if p.fallen == 0)}}
"""
"""Whoever jumps loses instead of drawing, unless the die decides: in two games of three."""

WITH_VALUES = MANIFEST.replace("}", ", evaluate: standing}")


def test_a_choice_between_a_draw_and_a_loss_is_worth_half_a_win() -> None:
    """A random answer jumps half of the time and then loses half a win in two games of three: 1/6."""
    found = ask("decisions", sound(BRINK, manifest=WITH_VALUES), "greedy")
    (worth,) = found.metrics
    assert worth.interval[0] < 1 / 6 < worth.interval[1]
    assert "kingmaking" not in said(found)
    assert "A game without a winner counts as half a win." in said(found)


def test_a_bot_that_draws_where_the_other_loses_plays_better() -> None:
    """The good bot wins 1/2 of the games of the die, and 3/4 of the others with draws as half: 2/3 of all."""
    found = ask("skill", sound(BRINK, manifest=WITH_VALUES), "greedy")
    wins = next(each for each in found.metrics if each.id == "wins.of.2")
    assert wins.interval[0] < 2 / 3 < wins.interval[1]
    assert "of the games against `random`, with a draw or a shared win as half a win." in said(found)


SHY = """
kinds: {player: {fields: {chips: int}}}
formulas: {winnings: {given: {who: player}, is: who.chips}}
procedures:
  game:
    steps:
      - id: act
        choose: {who: first(players), from: [nod, wave]}
      - {id: luck, roll: 1d10}
      - {id: paid, set: {first(players).chips: 10, last(players).chips: -10}, when: luck == 1}
      - {id: over, finish: {winners: [first(players)]}}
"""


def test_games_with_equal_payoffs_count_in_the_mean() -> None:
    """Seat 1 wins ten chips in one game of ten and none in the others: 1 on average."""
    ruleset = sound(SHY, manifest=MANIFEST.replace("}", ", payoff: winnings}"))
    first, _ = ask("advantage", ruleset, "random", games=1_000).metrics
    assert first.interval[0] < 1 < first.interval[1]
    assert first.interval[1] - first.interval[0] < 0.5


def test_rare_payoffs_leave_the_worth_of_a_decision_open() -> None:
    """The risk gains 1, but once in 1,000 games it costs 2,000. One such loss shows that the mean is not known."""
    found = judge_pairs(1, [(0, 1)] * 999 + [(0, -2_000)], always=False, win=0)
    assert found.chance == 1
    assert not found.interval[0] > -100
    judged = judge_pairs(1, [(0, 1)] * 500 + [(0, -2)] * 500, always=False, win=0)
    assert judged.worth == pytest.approx(0.5)
    assert judged.chance < 0.001


STAKES = """
kinds: {player: {fields: {chips: int, bold: count}}}
formulas:
  winnings: {given: {who: player}, is: who.chips}
  standing: {given: {who: player}, is: who.bold}
procedures:
  game:
    steps:
      - id: each
        for_each: one
        in: players
        steps:
          - {id: stake, choose: {who: one, from: [low, high]}}
          - {id: brave, set: {one.bold: 1}, when: stake == high}
      - {id: bow, choose: {who: last(players), from: [nod, wave]}}
      - id: lots
        for_each: two
        in: players
        steps:
          - {id: luck, roll: 1d10, by: two}
          - {id: gained, set: {two.chips: 30}, when: two.bold == 1 and luck == 1}
          - {id: earned, set: {two.chips: 1}, when: two.bold == 0}
      - {id: over, finish: {winners: list(p for p in players if p.chips == max(q.chips for q in players))}}
"""


def test_better_play_is_what_gains_payoffs() -> None:
    """A high stake gains 3 on average and a low one 1, but the low one wins 9 games of 10 against the high one.

    A random bot stakes high half of the time. It gains 2, and loses half of the difference to the good bot.
    """
    ruleset = sound(STAKES, manifest=MANIFEST.replace("}", ", payoff: winnings, evaluate: standing}"))
    found = ask("skill", ruleset, "greedy", games=1_000)
    payoff = next(each for each in found.metrics if each.id == "payoff.of.2")
    assert payoff.interval[0] < 0.5 < payoff.interval[1]
    assert "Better play gains something: `greedy` gains" in said(found)


def test_a_fair_game_seldom_changes_with_the_players() -> None:
    """The advantage that looks largest of 20 looks smaller in other games, although all players are alike."""
    random, changed = Random(0), 0
    for _ in range(200):
        wins = [random.randrange(2) for _ in range(800)]
        results = SeatResults(tuple((win, 1 - win) for win in wins), are_payoffs=False)
        lots = [tuple(random.randrange(2) for _ in wins) for _ in range(20)]
        own, other = (
            measure_advantages(
                [SetupDifference(f"values.{place}", "", lot[part]) for place, lot in enumerate(lots)],
                SeatResults(results.games[part], are_payoffs=False),
            )
            for part in (slice(0, 500), slice(500, 800))
        )
        changed += "it changes with the players" in describe_check(own, "other", other)
    # The exact chance of more than 20 in 200, at 5 % each, is less than 1 in 1,000.
    assert changed <= 20


def test_another_advantage_than_the_strongest_may_change_with_the_players() -> None:
    """Seat 3 looks strongest here, and is the same elsewhere; the others change places."""
    even = SeatResults(((1, 0, 0),) * 330 + ((0, 1, 0),) * 330 + ((0, 0, 1),) * 340, are_payoffs=False)
    uneven = SeatResults(((1, 0, 0),) * 60 + ((0, 1, 0),) * 6 + ((0, 0, 1),) * 34, are_payoffs=False)
    own, other = (measure_advantages([], each) for each in (even, uneven))
    told = describe_check(own, "other", other).replace("\N{NO-BREAK SPACE}", " ")
    assert told.startswith(" Among `other`, whoever sits in seat ")
    assert told.endswith(" of 100, and not 33 %: it changes with the players.")
