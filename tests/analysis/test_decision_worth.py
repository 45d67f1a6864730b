"""What decisions are worth, in a game in which the worth of each is known exactly."""

from __future__ import annotations

import pytest

from rulewright.analysis.fairness.answer import Answer
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.questions import decisions
from rulewright.analysis.fairness.questions.decisions import judge_pairs
from rulewright.analysis.simulation.game_counts import is_one_option
from rulewright.analysis.simulation.workers import Helpers
from rulewright.ruleset.ruleset import Ruleset
from tests.analysis.inline_games import MANIFEST, WAYS
from tests.language.inline import sound

HEAD = """
kinds: {player: {fields: {points: count, trap: count}}}
formulas: {standing: {given: {who: player}, is: 4 * who.points + who.trap}}
"""

REST = """\
          - {id: lure, ask: Do you bite?, choose: {who: p, from: [bite, spare]}}
          - {id: trapped, gain: {who: p, trap: 1}, when: lure == bite}
          - {id: talk, ask: What do you say?, choose: {who: p, from: [this, that]}}
      - {id: die, roll: 1d10}
      - {id: lot, draw: {one_of: players}}
      - {id: caught, finish: {winners: ["next(lot, players)"]}, when: die <= 4 and lot.trap == 1}
      - {id: free, finish: {winners: [lot]}, when: die <= 4}
      - {id: ahead, finish: {winners: [first(players)]}, when: first(players).points > last(players).points}
      - {id: behind, finish: {winners: [last(players)]}, when: first(players).points < last(players).points}
      - {id: even, finish: {winners: [lot]}}
"""

GAME = HEAD + WAYS + REST


def ask(ruleset: Ruleset, games: int) -> Answer | None:
    with Helpers(1) as helpers:
        return decisions.answer(GameCache(ruleset, "greedy", "random", games, 0, {}, (), helpers, lambda: None))


def test_the_worth_of_each_decision_is_the_one_that_the_rules_give_it() -> None:
    """The bad way loses all games that the die leaves to points: 60 %, of which half would have been won.

    A random answer is bad half of the time, and the game then lost instead of even: 60 % / 2 / 2 = 15 points. Who bites
    loses the games of the die that the lot would have given them, 40 % / 2, and chance saves half of these: 10 points.
    """
    answers = ask(sound(GAME, manifest=MANIFEST), 1_000)
    assert answers is not None
    known = {each.id: each for each in answers.metrics}
    for name, worth in (("worth.game.way.of.2", 0.15), ("worth.game.talk.of.2", 0.0), ("worth.game.lure.of.2", -0.1)):
        low, high = known[name].interval
        assert low <= worth <= high
        assert high - low < 0.1
    sentence = answers.sentences[0]
    assert "A player who answers one of these questions at random wins less often: “Which way?”, 1" in sentence
    assert "At “Which way?”, `greedy` always takes the same option, and the others are worse on average." in sentence
    assert "`greedy`, which misjudges these questions: “Do you bite?”, " in sentence
    assert "The answer changes the result of no game: “What do you say?”." in sentence


def test_the_number_of_games_is_shared_and_too_few_say_so() -> None:
    ruleset = sound(GAME, manifest=MANIFEST)
    answers = ask(ruleset, 60)
    assert answers is not None
    assert answers.missing == 40
    assert "Not known yet" in answers.sentences[0]
    with Helpers(1) as helpers:
        table = GameCache(ruleset, "random", "random", 100, 0, {}, (), helpers, lambda: None)
        assert decisions.answer(table) is None


def test_larger_tables_are_left_out_if_the_games_are_too_few() -> None:
    ruleset = sound(GAME, manifest=MANIFEST.replace("players: 2", "players: 2..3"))
    few, more = ask(ruleset, 100), ask(ruleset, 200)
    assert few is not None
    assert more is not None
    assert {each.id[-1] for each in few.metrics} == {"2"}
    assert {each.id[-1] for each in more.metrics} == {"2", "3"}


def test_pairs_of_payoffs_are_compared_by_their_difference() -> None:
    found = judge_pairs(1, [(3, 1), (2, 2), (5, 1), (0, 0)] * 10, always=False, win=0)
    assert (found.value, found.changed) == (1.5, 20)
    assert found.interval[0] < 1.5 < found.interval[1]
    assert found.chance < 0.001
    assert judge_pairs(1, [(1, 1)] * 9, always=True, win=1).chance == 1
    better = judge_pairs(1, [(1, 0)] * 12 + [(0, 1)] * 2 + [(1, 1)] * 36, always=True, win=1)
    assert better.value == pytest.approx(0.2)
    assert better.interval == pytest.approx((0.0569, 0.3404), abs=5e-5)


@pytest.mark.parametrize(("key", "wanted"), [("left", True), ("any", False), ("any/2", False), ("2 of them", False)])
def test_a_key_of_several_options_is_not_one_option(key: str, wanted: bool) -> None:
    assert is_one_option(key) is wanted
