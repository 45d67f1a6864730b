"""Games that invite a false claim: what the program says of them must be true."""

from __future__ import annotations

import re
from math import comb, erfc, inf, sqrt
from textwrap import dedent

import pytest

from rulewright.analysis.fairness.answer import Answer
from rulewright.analysis.fairness.game_cache import GameCache, SeatResults
from rulewright.analysis.fairness.joint_model import compute_seat_chance
from rulewright.analysis.fairness.questions import load_questions
from rulewright.analysis.fairness.questions.advantage import measure_advantages
from rulewright.analysis.fairness.questions.decisions import judge_pairs
from rulewright.analysis.fairness.questions.lead import judge_leads
from rulewright.analysis.fairness.strong_players import RaceResult, find_strong_players
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.roll_leverage import LeverageResult
from rulewright.analysis.simulation.workers import Helpers
from rulewright.base.confidence_intervals import compute_wilson_interval
from rulewright.base.significance import LEVEL
from rulewright.ruleset.ruleset import Ruleset
from tests.analysis import inline_games
from tests.language.inline import sound

MANIFEST = "{ruleset: test/inline, version: 1.0.0, title: Inline, players: 2, start: game}"


def ask(
    question: str,
    ruleset: Ruleset,
    *,
    good: str = "random",
    lesser: str = "random",
    games: int = 100,
    race: RaceResult | None = None,
) -> Answer:
    """Return the answer to one question."""
    (asked,) = (each for each in load_questions() if each.id == question)
    with Helpers(1) as helpers:
        answer = asked.answer(GameCache(ruleset, good, lesser, games, 0, {}, (), helpers, lambda: None, race=race))
    assert answer is not None
    return answer


def join_sentences(answer: Answer) -> str:
    """Return the sentences, with plain spaces."""
    return " ".join(answer.sentences).replace("\N{NO-BREAK SPACE}", " ")


DRAWS = """
procedures:
  game:
    steps:
      - {id: act, choose: {who: first(players), from: [nod, wave]}}
      - {id: luck, roll: 1d100}
      - {id: drawn, finish: {winners: []}, when: luck > DECISIVE}
      - {id: lost, finish: {winners: [last(players)]}, when: luck == 1}
      - {id: won, finish: {winners: [first(players)]}}
"""


def test_the_number_of_decisive_games_is_named_and_few_of_them_show_nothing() -> None:
    """Of 300 games, about 12 or about 120 have a winner, nearly always the first player."""
    few = join_sentences(ask("advantage", sound(DRAWS.replace("DECISIVE", "4"), manifest=MANIFEST), games=300))
    assert re.search(r"Not known: only 1?\d games had winners and losers", few)
    many = join_sentences(ask("advantage", sound(DRAWS.replace("DECISIVE", "40"), manifest=MANIFEST), games=300))
    assert re.search(
        r"Whoever sits in seat 1 and decides first wins \d\S* % \(.*\) of 1[0-4]\d games with winners and", many
    )


@pytest.mark.parametrize("games", [4, 5, 8, 20])
def test_two_equal_seats_are_accused_in_at_most_5_percent(games: int) -> None:
    accused = sum(
        comb(games, wins) / 2**games
        for wins in range(games + 1)
        if compute_seat_chance([(1, 0)] * wins + [(0, 1)] * (games - wins)) <= LEVEL
    )
    assert accused <= LEVEL


def test_a_fair_lottery_with_rare_payoffs_is_accused_in_at_most_5_percent() -> None:
    """Seat 1 wins 1 or, once in 2,000 games, loses 1,999: the exact chance of each number of such games in 1,000."""
    accused = 0.0
    for rare in range(20):
        games = ((-1999, 1999),) * rare + ((1, -1),) * (1_000 - rare)
        first, *_ = measure_advantages((), SeatResults(games, are_payoffs=True))
        low, high = first.interval
        accused += (
            comb(1_000, rare) * 0.9995 ** (1_000 - rare) / 2_000**rare * (first.chance <= LEVEL or not low < 0 < high)
        )
    assert accused <= LEVEL


def test_payoffs_that_are_not_rare_keep_their_intervals() -> None:
    games = ((3, -3),) * 120 + ((-1, 1),) * 280
    first, *_ = measure_advantages((), SeatResults(games, are_payoffs=True))
    assert first.interval == pytest.approx((0.2 - 0.1804, 0.2 + 0.1804), abs=1e-3)
    assert first.chance < LEVEL


LOTTERY = """
formulas: {winnings: {given: {who: player}, is: prize if who == first(players) else 0 - prize}}
state: {prize: int}
procedures:
  game:
    steps:
      - {id: act, choose: {who: first(players), from: [nod, wave]}}
      - {id: luck, roll: 1d2000}
      - {id: some, set: {prize: 1}}
      - {id: loss, set: {prize: -5000}, when: luck == 1}
      - {id: over, finish: {winners: [first(players)]}}
"""


def test_equal_payoffs_are_not_certain() -> None:
    """Seat 1 loses 1.5 on average, which a hundred games without the rare payoff do not show."""
    answers = ask("advantage", sound(LOTTERY, manifest=MANIFEST.replace("}", ", payoff: winnings}")))
    assert "Not known: 100 games are too few, because rare payoffs may decide the mean." in join_sentences(answers)
    assert all(each.interval == (-inf, inf) for each in answers.metrics)


def test_the_challenges_of_a_race_are_not_lucky_together() -> None:
    """Nothing depends on the choices, so with the same dice, every challenger would win as many games."""
    strong_players = find_strong_players(
        sound(inline_games.IDLE, manifest=inline_games.MANIFEST), games=100, seed=0, options={}, positions=0
    )
    assert strong_players is not None
    assert len(strong_players.challenges) > 2
    assert len({each.mean for each in strong_players.challenges if each.games == 160}) > 1


def test_a_race_is_corrected_for_the_number_of_challenges() -> None:
    ruleset = sound(inline_games.IDLE, manifest=MANIFEST)
    strong_players = find_strong_players(ruleset, games=100, seed=0, options={}, positions=0)
    assert strong_players is not None
    for each in strong_players.challenges:
        lead = round((2 * each.mean - 1) * each.games)
        alone = erfc(abs(lead) / sqrt(2 * each.games))
        assert each.chance == pytest.approx(min(1.0, (len(strong_players.costs) - 1) * alone))


PLOT = """
kinds: {player: {fields: {code: count}}}
procedures:
  game:
    steps:
      - {id: toss, roll: 1d2}
      - id: digits
        repeat:
          at_most: 4
          steps:
            - {id: digit, choose: {who: first(players), from: {a: true, b: true, c: true, d: true}}}
            - {id: dial, set: {first(players).code: first(players).code * 2 + 1}, when: digit == c}
            - {id: reply, choose: {who: last(players), from: {a: true, b: true, c: true, d: true}}}
            - {id: dialled, set: {last(players).code: last(players).code * 2 + 1}, when: reply == c}
      - {id: open, finish: {winners: [first(players)]}, when: first(players).code == 15}
      - {id: opened, finish: {winners: [last(players)]}, when: last(players).code == 15}
      - {id: won, finish: {winners: [first(players)]}, when: toss == 1}
      - {id: lost, finish: {winners: [last(players)]}}
"""


def test_an_open_game_that_is_solved_is_played_by_its_solution() -> None:
    """Whoever dials the code first wins. Random players do so once in 256 games."""
    strong_players = find_strong_players(
        sound(PLOT, manifest=MANIFEST), games=100, seed=0, options={}, positions=10_000
    )
    assert strong_players is not None
    assert "solved" in {strong_players.best, *strong_players.others}
    assert "solved" in strong_players.costs


HERALD = """
kinds: {player: {fields: {fame: count}}}
state: {begins: player, heir: player}
formulas: {standing: {given: {who: player}, is: who.fame}}
procedures:
  game:
    steps:
      - {id: lot, draw: {one_of: players}}
      - {id: begin, set: {begins: lot, heir: "next(lot, players)"}}
      - {id: pick, choose: {who: begins, from: [near, far]}}
      - {id: bow, gain: {who: begins, fame: 1}, when: pick == near}
      - {id: other, set: {heir: "next(heir, players)"}, when: pick == far}
      - {id: two, choose: {who: heir, from: [nod, wave]}}
      - {id: three, choose: {who: first(p for p in players if p != begins and p != heir) or heir, from: [nod, wave]}}
      - {id: over, finish: {winners: [heir]}}
"""


def test_the_order_of_decisions_is_that_of_the_games_in_the_answer() -> None:
    """The first player chooses who decides second, who wins. Random choices name another one in half of the games."""
    manifest = MANIFEST.replace("players: 2", "players: 3").replace("}", ", evaluate: standing}")
    answers = ask("advantage", sound(HERALD, manifest=manifest), good="greedy")
    shares = {each.id: each.value for each in answers.metrics}
    assert (shares["order.1.of.3"], shares["order.2.of.3"], shares["order.3.of.3"]) == (0, 1, 0)


def test_a_worth_is_ruled_out_for_all_decisions_together() -> None:
    pairs = [(1, 0)] * 20 + [(0, 1)] * 20 + [(1, 1)] * 60
    one, many = (judge_pairs(1, pairs, always=False, win=1, tests=tests) for tests in (1, 12))
    assert one.around == one.interval == many.interval
    assert many.around[1] > 1.3 * many.interval[1]


def test_an_advantage_is_ruled_out_for_all_numbers_of_players_together() -> None:
    """An undecided lottery for 2, 3 and 4 players has eight seats, of which two mirror each other."""
    lot = """
    procedures:
      game:
        steps:
          - {id: lot, draw: {one_of: players}}
          - {id: won, finish: {winners: [lot]}}
    """
    answers = ask("advantage", sound(dedent(lot), manifest=MANIFEST.replace("players: 2", "players: 2..4")))
    text = answers.sentences[0].replace("\N{NO-BREAK SPACE}", " ")
    wins = next(round(100 * each.value) for each in answers.metrics if each.id == "seat.1.of.2")
    low, high = compute_wilson_interval(wins, 100, tests=8)
    assert f"more than {100 * max(high - 0.5, 0.5 - low):.1f} percentage points is ruled out" in text


MIDDLE = """
procedures:
  game:
    steps:
      - {id: act, choose: {who: first(players), from: [nod, wave]}}
      - {id: luck, roll: 1d5}
      - {id: won, finish: {winners: [first(players)]}, when: luck >= 2 and luck <= 4}
      - {id: lost, finish: {winners: [last(players)]}}
"""


def test_a_roll_decides_even_if_its_extremes_have_the_same_winner() -> None:
    texts = join_sentences(ask("rolls", sound(MIDDLE, manifest=MANIFEST)))
    assert "game.luck decides by results between its minimum and its maximum. The acting player wins 100 % of" in texts
    assert "and 0 % of the same games" in texts


def test_results_between_the_extremes_are_seldom_blamed_by_chance() -> None:
    """With a fair coin for each game, the exact chance of the rarer test is at most the level."""
    most = 0.0
    for games in (20, 60):
        rejected = 0.0
        for gained in range(games + 1):
            leverage = LeverageResult(games=games)
            leverage.ends["r", True, True, False] = games
            leverage.inner["r", False, False, True] = gained
            leverage.inner["r", True, True, False] = games - gained
            (rule,) = leverage.list_deciding()
            rejected += comb(games, gained) / 2**games * rule.bends
        most = max(most, rejected)
    assert 0 < most <= 0.01


def test_of_two_rolls_the_one_that_decides_more_games_comes_first() -> None:
    """A tie-break decides every game in which it is rolled, which are 9 of 1,000."""
    leverage = LeverageResult(games=1_000)
    leverage.ends["tie", False, True, True] = 9
    leverage.ends["leap", False, True, True] = 979
    leverage.ends["leap", True, False, True] = 12
    leverage.rolls.update({"tie": 9, "leap": 1_000})
    first, second = leverage.list_deciding()
    assert (first.rule, second.rule) == ("leap", "tie")
    assert second.swing > first.swing


def test_an_effect_is_ruled_out_for_all_rules_together() -> None:
    leverage = LeverageResult(games=100)
    for rule in range(8):
        leverage.ends[str(rule), True, False, True] = 20
        leverage.ends[str(rule), False, True, True] = 20
    for rule in leverage.list_deciding(samples=3):
        assert rule.swings_around[1] > 1.3 * rule.swings_between[1]


@pytest.mark.parametrize(
    ("won", "lost", "begins"),
    [
        (248, 752, "A lead halfway through is a disadvantage"),
        (480, 520, "A lead halfway through means little"),
        (500, 500, "A lead halfway through means little"),
        (440, 560, "A lead halfway through means little"),
        (12, 18, ""),
        (700, 300, ""),
    ],
)
def test_a_lead_that_loses_games_does_not_mean_little(won: int, lost: int, begins: str) -> None:
    halfway = Metric("lead.halfway", "", won / (won + lost), compute_wilson_interval(won, won + lost), share=True)
    (sentence, *_) = (*judge_leads([], halfway, 2), "")
    assert sentence.startswith(begins)
    assert bool(sentence) == bool(begins)


def test_an_early_lead_that_never_grows_is_not_said_to_grow() -> None:
    early = Metric("lead.1", "", 0.99, (0.98, 0.995), share=True)
    (sentence,) = judge_leads([early], None, 2)
    assert sentence.startswith("An early lead is decisive")


CODE = """
kinds: {player: {fields: {code: count}}}
procedures:
  game:
    steps:
      - id: digits
        repeat:
          at_most: 8
          steps:
            - id: each
              for_each: one
              in: players
              steps:
                - {id: digit, choose: {who: one, one_of: "[0, 1, 2]"}}
                - {id: dial, set: {one.code: one.code * 3 + digit}}
      - id: open
        when: any(p.code == 4711 for p in players)
        finish: {winners: "list(p for p in players if p.code == 4711)"}
      - {id: toss, roll: 1d2}
      - {id: won, finish: {winners: [first(players)]}, when: toss == 1}
      - {id: lost, finish: {winners: [last(players)]}}
"""


def test_what_two_bots_leave_to_the_dice_bounds_no_other_player() -> None:
    """Bots hardly ever dial the code, so the toss decides between them. Who dials it wins every game."""
    answers = ask("skill", sound(CODE, manifest=MANIFEST), good="mcts:2", games=100)
    seat = next(each for each in answers.metrics if each.id == "deals.seat.of.2")
    assert seat.value > 0.9
    assert "no player could win more" not in join_sentences(answers)
    assert not [each for each in answers.metrics if each.id == "deals.most.of.2"]
