"""Games that were invented to mislead, with exact answers: what a draw, a payoff or the same people hide."""

from __future__ import annotations

import json
import re
from collections import Counter
from math import inf
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

from rulewright import Game
from rulewright.analysis.fairness.answer import Answer
from rulewright.analysis.fairness.game_cache import GameCache, SeatResults
from rulewright.analysis.fairness.questions import load_questions
from rulewright.analysis.fairness.questions.advantage import describe_check, measure_advantages
from rulewright.analysis.fairness.questions.decisions import judge_pairs
from rulewright.analysis.fairness.saved_game_cache import SavedGameCache
from rulewright.analysis.fairness.saved_games import read_saved_games
from rulewright.analysis.fairness.setup_differences import SetupDifference
from rulewright.analysis.fairness.strong_players import Challenge, RaceResult
from rulewright.analysis.simulation.workers import Helpers
from rulewright.base.clustered_intervals import ClusterSums, compute_clustered_share_interval
from rulewright.base.confidence_intervals import compute_wilson_interval
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


def join_sentences(answer: Answer) -> str:
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
    assert "kingmaking" not in join_sentences(found)
    assert "A game without a winner counts as half a win." in join_sentences(found)


def test_a_bot_that_draws_where_the_other_loses_plays_better() -> None:
    """The good bot wins 1/2 of the games of the die, and 3/4 of the others with draws as half: 2/3 of all."""
    found = ask("skill", sound(BRINK, manifest=WITH_VALUES), "greedy")
    wins = next(each for each in found.metrics if each.id == "wins.of.2")
    assert wins.interval[0] < 2 / 3 < wins.interval[1]
    assert "of the games against `random`, with a draw or a shared win as half a win." in join_sentences(found)


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
    assert judged.value == pytest.approx(0.5)
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
    assert "Better play gains something: `greedy` gains" in join_sentences(found)


TALK = """
kinds: {player: {fields: {talk: count}}}
measures: {rounds: {is: sum(p.talk for p in players), title: Rounds}}
procedures:
  game:
    steps:
      - id: rounds
        repeat:
          at_most: 20
          steps:
            - id: on
              ask: Go on?
              choose: {who: first(players), from: [on, stop]}
            - {id: spoken, gain: {who: first(players), talk: 1}}
            - {id: enough, stop: rounds, when: on == stop}
      - {id: luck, roll: 1d1000}
      - {id: won, finish: {winners: [first(players)]}, when: luck <= 500}
      - {id: lost, finish: {winners: [last(players)]}}
"""
"""Players go on as long as they like, which makes no difference."""


def save_talks(folder: Path, ruleset: Ruleset, pairs: int, random: Random) -> None:
    """Save five games of each of so many pairs of people, who go on as long, and think as long, as they are used to."""
    for pair in range(pairs):
        rounds, seconds = random.choice([1, 19]), random.choice([1.0, 9.0])
        for number in range(5):
            game = Game(ruleset, players=2, seed=f"{random.random()}")
            for _ in range(rounds - 1):
                game.choose("on")
            game.choose("stop")
            save = folder / f"{pair}-{number}.json"
            game.save(save)
            people = {"version": 1, "seats": [f"a{pair}", f"b{pair}"], "seconds": [seconds] * rounds}
            save.with_name(f"{pair}-{number}.people.json").write_text(json.dumps(people))


def test_intervals_of_games_between_the_same_people_contain_the_mean_of_all_people(tmp_path: Path) -> None:
    """Half of all pairs play one round, and the others 19: 10 on average. Five games of a pair tell no more than one.

    Of 20 samples of 30 pairs, at least 16 intervals contain a mean, with a chance of 99.7 %. Intervals for 150 games
    that do not depend on each other would contain about 12.
    """
    ruleset = sound(TALK, manifest=MANIFEST)
    random, hits = Random(1), Counter[str]()
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        save_talks(folder, ruleset, 30, random)
        saved = read_saved_games(folder, ruleset, options={})
        table = SavedGameCache.open(ruleset, saved, options={}, rules=())
        answers = [each.answer(table) for each in load_questions() if each.id in ("length", "waiting")]
        metrics = {metric.id: metric for found in answers if found for metric in found.metrics}
        for name, mean in (("decisions.of.2", 10), ("measures.rounds.of.2", 10), ("minutes.of.2", 50 / 60)):
            low, high = metrics[name].interval
            hits[name] += low <= mean <= high
    assert min(hits.values()) >= 16


def test_answers_of_one_game_count_together() -> None:
    """In one game of 100, all of its 80 answers are `swim`. Wilson's interval for 8,000 answers would end at 1.2 %."""
    sums = ClusterSums.sum_values([1] * 80 + [0] * 7_920, [number // 80 for number in range(8_000)])
    low, high = compute_clustered_share_interval(sums)
    assert (low, high) == pytest.approx(compute_wilson_interval(1, 100), rel=0.1)


def test_the_same_answer_in_all_games_counts_once_in_each() -> None:
    sums = ClusterSums.sum_values([0] * 8_000, [number // 80 for number in range(8_000)])
    assert compute_clustered_share_interval(sums) == pytest.approx(compute_wilson_interval(0, 100))


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


def test_an_amount_that_depends_on_the_seat_is_no_advantage() -> None:
    """Seat 1 always has more, and wins three games of four, however much more it is."""
    random = Random(3)
    scores = tuple((1, 0) if random.random() < 0.75 else (0, 1) for _ in range(400))
    more = SetupDifference("more", "has more", (), tuple((random.randint(1, 6), 0) for _ in scores), 3)
    found = {each.id: each for each in measure_advantages([more], SeatResults(scores, are_payoffs=False))}
    low, high = found["more"].interval
    assert low < 0.5 < high
    assert found["more"].chance > 0.01
    assert found["seat.1"].chance < 1e-9


def test_without_a_better_bot_the_worth_of_decisions_is_not_known() -> None:
    race = RaceResult("random", "random", ("greedy",), (), (), 0.0, 1.0, {"greedy": 1.0})
    found = ask("decisions", sound(BRINK, manifest=WITH_VALUES), "random", race=race)
    assert join_sentences(found) == "Not known, because no bot is known to play better than at random."


def test_a_mean_that_rare_games_decide_has_no_interval() -> None:
    """One game in 200 takes 500 more decisions, 3.5 on average. A sample of 400 may have none of them."""
    rare = """
    procedures:
      game:
        steps:
          - {id: luck, roll: 1d200}
          - {id: act, choose: {who: first(players), from: [nod, wave]}}
          - id: more
            repeat:
              at_most: 500
              steps:
                - {id: over, stop: more, when: luck > 1}
                - {id: again, choose: {who: first(players), from: [nod, wave]}}
          - {id: won, finish: {winners: [first(players)]}}
    """
    found = ask("length", sound(dedent(rare), manifest=MANIFEST), "random")
    decisions = next(each for each in found.metrics if each.id == "decisions.of.2")
    assert decisions.value == 1 or decisions.interval == (-inf, inf)
    assert "at most 1 % take more or fewer" in join_sentences(
        found
    ) or "Rare games may decide these means" in join_sentences(found)


LANTERN = """
kinds: {player: {fields: {lantern: bool}}}
state: {holder: player}
procedures:
  game:
    steps:
      - {id: lot, draw: {one_of: players}}
      - {id: given, set: {holder: lot}}
      - {id: lit, set: {holder.lantern: true}}
      - {id: say, choose: {who: holder, from: [nod, wave]}}
      - {id: luck, roll: 1d100}
      - {id: won, finish: {winners: [holder]}, when: luck <= 70}
      - {id: lost, finish: {winners: ["next(holder, players)"]}}
"""


def test_what_always_goes_together_is_named_together() -> None:
    """The lantern decides, and its holder also decides first."""
    told = join_sentences(ask("advantage", sound(LANTERN, manifest=MANIFEST), "random"))
    assert "Whoever decides first and begins with “lantern” wins " in told


def test_another_advantage_than_the_strongest_may_change_with_the_players() -> None:
    """Seat 3 looks strongest here, and is the same elsewhere; the others change places."""
    even = SeatResults(((1, 0, 0),) * 330 + ((0, 1, 0),) * 330 + ((0, 0, 1),) * 340, are_payoffs=False)
    uneven = SeatResults(((1, 0, 0),) * 60 + ((0, 1, 0),) * 6 + ((0, 0, 1),) * 34, are_payoffs=False)
    own, other = (measure_advantages([], each) for each in (even, uneven))
    told = describe_check(own, "other", other).replace("\N{NO-BREAK SPACE}", " ")
    assert told.startswith(" Among `other`, whoever sits in seat ")
    assert told.endswith(" of 100, and not 33 %: it changes with the players.")


FOG = """
procedures:
  game:
    steps:
      - {id: each, for_each: p, in: players, steps: [{id: say, choose: {who: p, from: [nod, wave]}}]}
      - {id: luck, roll: 1d100}
      - {id: fog, finish: {winners: []}, when: luck <= 20}
      - {id: storm, finish: {winners: []}, when: luck <= 56}
      - {id: prize, finish: {winners: "[first(players) if luck <= 78 else last(players)]"}}
"""
"""The step that ends the most games always has a winner."""


@pytest.mark.parametrize("bot", ["solved", "random"])
def test_a_step_that_ends_games_with_a_winner_is_no_cause_of_draws(bot: str) -> None:
    told = join_sentences(ask("ends", sound(FOG, manifest=MANIFEST), bot))
    assert "game.prize" not in told
    if bot == "solved":
        assert re.search(r"The main cause is the rule game\.storm\. It ends 3\d(\.\d)? % of all games, without", told)
    else:
        assert re.search(r"The rule that ends the most of these is game\.storm: 3\d(\.\d)? % of all games\.", told)


SECRET = """
kinds: {player: {fields: {right: count}}}
procedures:
  game:
    steps:
      - id: tries
        repeat:
          at_most: 8
          steps:
            - {id: door, choose: {who: first(players), from: [red, green, blue, grey]}}
            - {id: on, gain: {who: first(players), right: 1}, when: door == blue}
            - {id: nod, choose: {who: last(players), from: [nod, wave]}}
      - {id: won, finish: {winners: [first(players)]}, when: first(players).right == 8}
      - {id: night, finish: {winners: []}}
"""
"""Eight right doors win, which random players never find."""


def test_drawn_games_show_no_advantage_but_do_not_rule_one_out() -> None:
    """Seat 1 wins every game if it finds the doors, but `random` never does."""
    told = join_sentences(ask("advantage", sound(SECRET, manifest=MANIFEST), "random"))
    assert told.endswith("These games show no advantage, because all players have the same result in each of them.")


def test_the_games_without_a_winner_do_not_count_in_what_is_ruled_out() -> None:
    told = join_sentences(ask("advantage", sound(FOG, manifest=MANIFEST), "random"))
    assert "No significant advantage" in told
    assert re.search(r"Only the 1\d\d games with winners and losers count\.$", told)


def test_a_game_without_decisions_has_no_positions_to_count() -> None:
    coin = "procedures: {game: {steps: [{id: lot, draw: {one_of: players}}, {id: won, finish: {winners: [lot]}}]}}"
    with Helpers(1) as helpers:
        table = GameCache(
            sound(coin, manifest=MANIFEST), "random", "random", 20, 0, {}, (), helpers, lambda: None, positions=100
        )
        (asked,) = (each for each in load_questions() if each.id == "perfect")
        found = asked.answer(table)
    assert found is not None
    assert join_sentences(found).endswith("This is computed, not simulated: nobody makes a decision.")


@pytest.mark.parametrize(("larger", "others"), [(None, "3 and 4"), (4, "3")])
def test_the_best_bot_is_known_only_for_the_tables_of_the_race(larger: int | None, others: str) -> None:
    tie = Challenge("greedy", "random", 160, 0.5, (0.4, 0.6), 1.0, share=True)
    again = None if larger is None else (larger, tie)
    race = RaceResult("random", "random", ("greedy",), (), (tie,), 1.0, 1.0, {}, larger=again)
    many = MANIFEST.replace("players: 2", "players: 2..4")
    told = join_sentences(ask("players", sound(FOG, manifest=many), "random", race=race))
    assert told.endswith(f"The bots did not compete with {others} players, where another one may be stronger.")
    assert "did not compete" not in join_sentences(ask("players", sound(FOG, manifest=MANIFEST), "random", race=race))


def test_weak_players_do_not_prove_that_the_rules_lead_to_no_winner() -> None:
    told = join_sentences(ask("ends", sound(SECRET, manifest=MANIFEST), "random"))
    assert "cause" not in told
    assert told.endswith("Whether better players would win is not known.")


HANDS = """
procedures:
  game:
    steps:
      - {id: hands, choose: {who: players, as: p, from: [rock, paper]}}
      - {id: luck, roll: 1d10}
      - {id: won, finish: {winners: [first(players)]}, when: luck <= 7}
      - id: lost
        when: hands[first(players)] == hands[last(players)]
        finish: {winners: [last(players)]}
      - {id: lost_too, finish: {winners: [last(players)]}}
"""
"""Seat 1 wins 70 %, and both players decide at the same time."""


def test_of_players_who_decide_at_the_same_time_nobody_is_first() -> None:
    ruleset = sound(HANDS, manifest=MANIFEST)
    assert "Whoever sits in seat 1 wins " in join_sentences(ask("advantage", ruleset, "random"))
    found = ask("compensation", ruleset, "random")
    assert "both players make the first decision at the same time" in join_sentences(found)
    assert "even.pie" not in {each.id for each in found.metrics}


def test_a_rare_roll_that_decides_everything_is_named_with_its_games() -> None:
    """The coin decides each of the few games in which it is tossed, so its effect is larger than that of the luck."""
    rules = """
    procedures:
      game:
        steps:
          - {id: each, for_each: p, in: players, steps: [{id: say, choose: {who: p, from: [nod, wave]}}]}
          - {id: rare, roll: 1d5}
          - {id: luck, roll: 1d100}
          - {id: most, finish: {winners: "[first(players) if luck <= 60 else last(players)]"}, when: rare > 1}
          - {id: coin, roll: 1d2}
          - {id: few, finish: {winners: "[first(players) if coin == 1 else last(players)]"}}
    """
    told = join_sentences(ask("rolls", sound(dedent(rules), manifest=MANIFEST), "random"))
    assert "The roll that decides most is Game, game.luck." in told
    assert re.search(r"Next: Game, game\.coin \(100 percentage points in (6|7|8|9)\d games\)", told)
