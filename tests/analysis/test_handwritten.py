"""Small rulesets whose odds are known on paper, or from walking every way there is."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from rulewright import Ruleset, RulewrightError, load_ruleset
from rulewright.analysis.odds.absorption import UnsolvableError
from rulewright.analysis.odds.procedure_odds import ProcedureOdds, ProcedureSetting, compute_procedure_odds
from rulewright.engine.state.faults import RulesFault
from tests.analysis.enumerator import Enumerator, evenly, given_node
from tests.language.inline import sound


def odds(ruleset: Ruleset, procedure: str, *text: str, given: str = "", **settings: Any) -> ProcedureOdds:
    most = settings.pop("most", 20_000)
    return compute_procedure_odds(
        ruleset, procedure, text, setting=ProcedureSetting(given=given_node(given), **settings), most=most
    )


def chances(ruleset: Ruleset, procedure: str, *text: str, **settings: Any) -> dict[str, Fraction]:
    distribution = odds(ruleset, procedure, *text, **settings)
    assert distribution.exact
    return dict(distribution.answers[0].chances)


# -- loops that may come back to where they were ----------------------------------------------

TURNS = """
procedures:
  race:
    steps:
      - {id: turn, let: "first(players)", type: optional player}
      - id: turns
        repeat:
          until: false
          ends_within: 1000000
          steps:
            - {id: die, roll: 1d6}
            - {id: won, finish: {winners: "list(p for p in players if p == turn)"}, when: die == 6}
            - {id: passed, set: {turn: "next(turn, players) if turn else none"}}
  until_six:
    steps:
      - {id: rolls, let: 0}
      - {id: last, let: 0}
      - id: rolling
        repeat:
          until: last == 6
          at_most: 12
          steps:
            - {id: die, roll: 1d6}
            - {id: noted, set: {last: die, rolls: rolls + 1}}
  how_long:
    steps:
      - {id: rolls, let: 0}
      - {id: last, let: 0}
      - id: rolling
        repeat:
          until: last == 6
          ends_within: 1000000
          steps:
            - {id: die, roll: 1d6}
            - {id: noted, set: {last: die, rolls: rolls + 1}}
  never:
    steps:
      - {id: last, let: 0}
      - id: rolling
        repeat: {until: last == 7, ends_within: 1000000, steps: [{id: die, roll: 1d6}, {id: noted, set: {last: die}}]}
"""


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_who_first_rolls_a_six(players: int) -> None:
    """The turn comes round again and again: the chances are geometric series."""
    probabilities = chances(sound(TURNS), "race", "winners", players=players)
    whole = 1 - Fraction(5, 6) ** players
    assert probabilities == {f"Player {n + 1}": Fraction(5, 6) ** n * Fraction(1, 6) / whole for n in range(players)}


def test_rolling_until_a_six_at_most_so_often() -> None:
    (answer,) = odds(sound(TURNS), "until_six", "rolls").answers
    assert answer.distribution is not None
    for n in range(1, 12):
        assert answer.chances[str(n)] == Fraction(5, 6) ** (n - 1) * Fraction(1, 6)
        assert 1 - answer.distribution.compute_at_least(n + 1) == 1 - Fraction(5, 6) ** n
    assert answer.chances["12"] == Fraction(5, 6) ** 11
    assert answer.mean == sum(Fraction(5, 6) ** n for n in range(12))


def test_what_may_take_any_time_is_sampled_and_says_so() -> None:
    """Rolls are counted, so that no two positions are equal: there is no end of them."""
    distribution = odds(sound(TURNS), "how_long", "rolls", most=500)
    assert not distribution.exact
    assert "still to follow" in distribution.too_large
    (answer,) = distribution.answers
    assert answer.mean is not None
    assert answer.mean_within is not None
    assert abs(answer.mean - 6) < 2 * answer.mean_within
    low, high = answer.get_interval("1") or (0, 0)
    assert low < 1 / 6 < high
    assert answer.width <= 0.02


def test_without_any_end_there_is_a_fault_and_no_guess() -> None:
    with pytest.raises((RulesFault, UnsolvableError)):
        odds(sound(TURNS), "never", "last")


# -- what a position must not forget ----------------------------------------------------------

KEPT = """
kinds:
  coin_row: {plural: coin_rows, fields: {size: int, next_one: optional coin_row}}
state: {pile: list of coin_row}
tables:
  cards: {columns: {worth: int}, rows: {low: {worth: 1}, mid: {worth: 2}, high: {worth: 5}}}
decks:
  cards: {of: cards}
procedures:
  asked_of_the_round_before:
    steps:
      - id: rounds
        repeat:
          at_most: 3
          steps:
            - {id: flip, roll: 1d2}
            - {id: away, stop: true, when: flip == 1}
            - {id: deal, roll: 1d6}
  compared_in_a_later_round:
    steps:
      - {id: wins, let: 0}
      - {id: limit, roll: 1d4}
      - id: rounds
        repeat:
          at_most: 2
          steps:
            - {id: own, roll: 1d4}
            - {id: other, roll: 1d4}
            - {id: better, set: {wins: wins + 1}, when: own > other and own <= limit}
  one_or_none:
    steps:
      - {id: wins, let: 0}
      - id: rounds
        repeat:
          at_most: 2
          steps:
            - {id: flip, roll: 1d2}
            - {id: die, roll: 1d6, when: flip == 2}
            - {id: high, set: {wins: wins + 1}, when: die and die > 4}
  made_and_gone:
    steps:
      - id: making
        for_each: n
        in: "[1, 2, 3]"
        steps:
          - {id: size, roll: 1d3}
          - {id: made, create: coin_row, with: {size: size, next_one: "last(coin_rows)"}}
          - {id: kept, set: {pile: "pile + [made]"}, when: size == 3}
          - {id: lost, remove: made, when: size == 1}
      - {id: draw, draw: {one_of: "coin_rows"}, when: any(coin_rows)}
      - {id: drawn_size, let: 0}
      - {id: told, set: {drawn_size: draw.size}, when: draw}
      - {id: total, let: "sum(c.size for c in coin_rows) + 10 * count(pile)"}
  two_cards:
    steps:
      - {id: one, draw: cards}
      - {id: two, draw: cards}
      - {id: three, draw: cards}
      - {id: four, draw: cards}
      - {id: worth, let: "one.worth + two.worth + three.worth + 10 * four.worth"}
  half:
    given: {bonus: int}
    gives: {number: die + bonus}
    steps:
      - {id: die, roll: 1d4}
  calls:
    steps:
      - {id: one, do: half, with: {bonus: 1}}
      - {id: two, do: half, with: {bonus: one.number}}
      - {id: both, let: one.number * two.number}
  ends_inside:
    given: {p: player}
    steps:
      - {id: shots, let: 0}
      - id: shooting
        for_each: n
        in: "[4, 5, 6]"
        steps:
          - {id: die, roll: 1d6}
          - {id: hit, finish: {winners: "[p]"}, when: die >= n}
          - {id: missed, set: {shots: shots + 1}}
exceptions:
  doubled:
    to: made_and_gone.kept
    when: n == 2
    instead: [{id: twice, set: {pile: "pile + [made, made]"}}]
    means: Twice.
"""

LOCALS = [
    ("asked_of_the_round_before", ["deal", "flip"]),
    ("compared_in_a_later_round", ["wins", "limit", "other"]),
    ("one_or_none", ["wins", "die"]),
    ("made_and_gone", ["total", "drawn_size", "size"]),
    ("two_cards", ["worth"]),
    ("calls", ["both"]),
    ("ends_inside", ["shots", "die"]),
]


@pytest.mark.parametrize(("procedure", "asked"), LOCALS)
def test_every_name_agrees_with_walking_every_way(procedure: str, asked: list[str]) -> None:
    """Asked together and one by one: what is not asked may be forgotten, and must not change what is."""
    ruleset = sound(KEPT)
    enumerator = Enumerator(ruleset, procedure, most=50_000)
    expected = enumerator.odds({name: enumerator.local(name) for name in asked}, evenly)
    words = {
        name: {"none" if value is None else str(value): chance for value, chance in found.items()}
        for name, found in expected.items()
    }
    together = odds(ruleset, procedure, *asked)
    assert together.exact
    for name, answer in zip(asked, together.answers, strict=True):
        assert dict(answer.chances) == words[name]
        assert chances(ruleset, procedure, name) == words[name]


def test_a_game_that_ends_inside() -> None:
    probabilities = chances(sound(KEPT), "ends_inside", "winners")
    missed = Fraction(3, 6) * Fraction(4, 6) * Fraction(5, 6)
    assert probabilities == {"Player 1": 1 - missed, "nobody": missed}


# -- rolls that are only compared ---------------------------------------------------------------

CONTESTS = """
kinds: {soldier: {fields: {}}}
procedures:
  contest:
    steps:
      - {id: attack, roll: 5d6 +15}
      - {id: defence, roll: 7d6 +21}
      - {id: won, let: attack > defence}
  contests:
    steps:
      - {id: wins, let: 0}
      - id: rounds
        for_each: n
        in: "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
        steps:
          - {id: attack, roll: 2d6}
          - {id: defence, roll: 2d6}
          - {id: counted, set: {wins: wins + 1}, when: attack > defence}
"""


def test_a_contest_needs_few_branches() -> None:
    """2531347/241864704 is a published figure for 5d6 +15 above 7d6 +21."""
    distribution = odds(sound(CONTESTS), "contest", "won")
    assert distribution.answers[0].chances["yes"] == Fraction(2531347, 241864704)
    assert distribution.branches < 36 + 2 * 36 + 1  # not 26 * 36


def test_contests_are_binomial() -> None:
    better = Fraction(sum(a + b > c + d for a in D6 for b in D6 for c in D6 for d in D6), 6**4)
    expected = {str(n): comb(10, n) * better**n * (1 - better) ** (10 - n) for n in range(11)}
    assert chances(sound(CONTESTS), "contests", "wins") == expected


D6 = range(1, 7)

# -- what is best ---------------------------------------------------------------------------------

DARING = """
state: {pot: int}
procedures:
  reroll:
    means: Roll a die; keep it, or roll once more, up to twice.
    gives: {value: value}
    given: {p: player}
    steps:
      - {id: value, let: 0}
      - {id: again, let: true}
      - id: rolls
        repeat:
          while: again
          at_most: 3
          steps:
            - {id: die, roll: 1d6}
            - {id: shown, set: {value: die}}
            - {id: more, choose: {who: p, from: [keep, more]}}
            - {id: go_on, set: {again: more == more}}
  circle:
    means: Walk in circles of doors; only the last leads out, for what the die shows.
    given: {p: player}
    steps:
      - {id: place, let: 0}
      - {id: out, let: false}
      - {id: prize, let: 0}
      - id: walk
        repeat:
          until: out
          ends_within: 1000000
          steps:
            - {id: way, choose: {who: p, from: {back: true, on: true, leave: {when: place == 2}}}}
            - {id: wind, roll: 1d2}
            - {id: step_back, set: {place: "max(0, place - 1)"}, when: way == back}
            - {id: step_on, set: {place: "min(2, place + wind)"}, when: way == on}
            - id: leaving
              when: way == leave
              steps:
                - {id: gate, roll: 1d6}
                - {id: gone, set: {out: gate > 1, prize: gate, place: 0}}
"""


def test_keeping_the_best_of_three_dice() -> None:
    """By hand: the last roll is worth 7/2, the second 17/4 (keep 4 and more), the first 14/3 (keep 5 and more)."""
    ruleset = sound(DARING.replace("more == more", "more != keep"))
    (best,) = odds(ruleset, "reroll", "value", policies=["best"]).answers
    assert best.mean == Fraction(14, 3)
    (worst,) = odds(ruleset, "reroll", "value", policies=["worst"]).answers
    assert worst.mean == 7 - Fraction(14, 3)


def test_who_seeks_the_best_finds_the_way_out_of_circles() -> None:
    """The first options lead back and forth for ever; whoever leaves gets 2 to 6, all alike."""
    ruleset = sound(DARING.replace("more == more", "more != keep"))
    distribution = odds(ruleset, "circle", "prize", policies=["best"])
    assert distribution.exact
    assert distribution.answers[0].mean == 4


def test_what_is_best_must_be_a_number() -> None:
    ruleset = sound(KEPT)
    with pytest.raises(RulewrightError, match="cannot be maximized"):
        odds(ruleset, "two_cards", "one", policies=["best"])


def test_what_is_best_is_never_sampled() -> None:
    with pytest.raises(RulewrightError, match="allow more branches"):
        odds(sound(TURNS), "how_long", "rolls", most=100, policies=["best"])


SHORT_PIG = """
numbers: {goal: {is: 10}}
examples: {the_last_hold: {delete: true}}
procedures:
  game:
    steps:
      - {id: dare, if: move == roll and player.score + pot < goal}
"""


@pytest.fixture(scope="module")
def short_pig(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    """Pig to 10 points, in which whoever has enough holds: house rules of the game that is shipped."""
    folder = tmp_path_factory.mktemp("rules") / "short"
    folder.mkdir()
    manifest = "ruleset: house/short\nversion: 1.0.0\ntitle: Short Pig\nstatus: draft\nextends: pig/classic@1.0\n"
    (folder / "ruleset.yaml").write_text(manifest)
    (folder / "rules.yaml").write_text(SHORT_PIG)
    return load_ruleset("house/short", rules=[folder.parent])


def pig_values(goal: int) -> dict[tuple[int, int, int], float]:
    """Return the chance of winning for whoever is to move, by own score, other score and pot: value iteration.

    Source: Neller and Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25 (2004).
    """
    value = {(i, j, k): 0.0 for i in range(goal) for j in range(goal) for k in range(goal - i + 6)}
    for _ in range(2000):
        change = 0.0
        for i, j, k in value:
            lost = 1 - value[j, i, 0]
            grown = (value.get((i, j, k + face), 1.0) if i + k + face < goal else 1.0 for face in range(2, 7))
            roll = (lost + sum(grown)) / 6
            hold = 1.0 if i + k >= goal else 1 - value[j, i + k, 0]
            best = max(roll, hold)
            change = max(change, abs(best - value[i, j, k]))
            value[i, j, k] = best
        if change < 1e-14:
            break
    return value


@pytest.mark.parametrize("scores", [(0, 0), (3, 5), (6, 1)])
def test_the_best_play_of_a_short_pig(short_pig: Ruleset, scores: tuple[int, int]) -> None:
    """One player seeks to win, the other that she does not."""
    mine, theirs = scores
    given = f"players: [{{score: {mine}}}, {{score: {theirs}}}]"
    distribution = odds(short_pig, "game", "winners", given=given, policies=["1=best", "2=worst"])
    assert distribution.exact
    expected = pig_values(10)[mine, theirs, 0]
    assert float(distribution.answers[0].chances["Player 1"]) == pytest.approx(expected, abs=1e-9)


def test_nobody_gains_by_random_play(short_pig: Ruleset) -> None:
    given = "players: [{score: 3}, {score: 5}]"
    distribution = odds(short_pig, "game", "winners", given=given)
    best = odds(short_pig, "game", "winners", given=given, policies=["1=best"])
    assert distribution.answers[0].chances["Player 1"] < best.answers[0].chances["Player 1"]


# -- scripted choices -----------------------------------------------------------------------------


def test_choices_are_taken_in_order_and_then_the_policy_decides() -> None:
    ruleset = sound(DARING.replace("more == more", "more != keep"))
    (answer,) = odds(ruleset, "reroll", "value", choices=["more"], policies=["best"]).answers
    assert answer.mean == Fraction(17, 4)


def test_scripted_choices_do_not_keep_circles_from_closing(short_pig: Ruleset) -> None:
    given = "players: [{score: 3}, {score: 5}]"
    distribution = odds(short_pig, "game", "winners", given=given, choices=["roll", "roll"])
    assert distribution.exact


# -- two results of one roll ------------------------------------------------------------------

GLITCH = """
procedures:
  test:
    given: {player: player}
    steps:
      - {id: both, roll: "{6d6 as x: 100 * count(x >= 5) + count(x == 1)}"}
      - {id: hits, let: both / 100}
      - {id: ones, let: both - 100 * hits}
    gives: {hits: hits, ones: ones}
"""


def test_hits_and_ones_of_one_roll_are_told_apart() -> None:
    """A trinomial: two faces of six hit, one is a 1."""
    for hits, ones in ((2, 1), (0, 0), (6, 0), (3, 3)):
        ways = comb(6, hits) * comb(6 - hits, ones) * 2**hits * 3 ** (6 - hits - ones)
        probabilities = chances(sound(GLITCH), "test", f"hits == {hits} and ones == {ones}")
        assert probabilities["yes"] == Fraction(ways, 6**6)
