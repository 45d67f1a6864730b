"""Odds of the first moment at which something holds: by hand, sampled against exact, refused where unsound."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulewright import load_ruleset
from rulewright.analysis.odds.procedure_odds import ProcedureOdds, ProcedureSetting, compute_procedure_odds
from rulewright.cli.main import main
from rulewright.source.diagnostics.collector import DiagnosticError
from tests.language.inline import sound

NORMAL = load_ruleset("fuzzy-knights/normal@1.0")
PIG = load_ruleset("pig/classic@1.0")
CASTLE = "any(s.tier == castle for s in settlements)"


def pig(until: str, *, most: int = 100_000, precision: float = 0.02) -> ProcedureOdds:
    """Everybody rolls on and on."""
    setting = ProcedureSetting(policies=["take:roll"], until=until)
    return compute_procedure_odds(PIG, "game", ["pot"], setting=setting, most=most, precision=precision)


def pots(least: int) -> dict[str, Fraction]:
    """Return the pot when it first holds so much, by hand: a 1 empties it, and it begins anew."""
    ends: dict[int, Fraction] = {}
    waiting = {0: Fraction(1)}
    lost = Fraction(0)
    while waiting:
        pot = min(waiting)
        chance = waiting.pop(pot)
        lost += chance / 6
        for face in range(2, 7):
            into = ends if pot + face >= least else waiting
            into[pot + face] = into.get(pot + face, Fraction(0)) + chance / 6
    return {str(pot): chance / (1 - lost) for pot, chance in sorted(ends.items())}


@pytest.mark.parametrize("least", [2, 5, 12])
def test_it_is_asked_where_the_condition_first_holds(least: int) -> None:
    pig_odds = pig(f"pot >= {least}")
    assert pig_odds.exact
    assert pig_odds.answers[0].chances == pots(least)
    assert pig_odds.answers[1].chances == {"yes": 1}


def test_samples_agree() -> None:
    pig_odds = pig("pot >= 5", most=1, precision=0.03)
    assert not pig_odds.exact
    for pot, chance in pots(5).items():
        share = pig_odds.answers[0].chances[pot]
        assert abs(share - chance) < 4.5 * float(chance * (1 - chance) / (pig_odds.samples or 1)) ** 0.5


def test_what_never_comes_is_asked_of_the_end() -> None:
    setting = ProcedureSetting(until="day == 99")
    plain = compute_procedure_odds(NORMAL, "roll_for_token", ["find"])
    odds = compute_procedure_odds(NORMAL, "roll_for_token", ["find"], setting=setting)
    assert odds.answers[0].chances == plain.answers[0].chances
    assert odds.answers[1].chances == {"no": 1}


def test_what_holds_at_once_is_over_at_once() -> None:
    odds = compute_procedure_odds(
        NORMAL, "roll_for_token", ["day"], setting=ProcedureSetting(until="day == 0 or day > 0")
    )
    assert odds.branches == 0
    assert odds.answers[1].chances == {"yes": 1}


def saved_up(coins: int = 5) -> int:
    """Return the day on which the highest tier is there if nothing else is paid for, by the table of tiers."""
    tiers = list(NORMAL.declarations.tables["settlement_tiers"].rows)
    assert tiers == ["encampment", "villa", "estate", "castle"]
    day = tier = 0
    while tier < 3:
        day += 1
        coins += (1, 2, 4)[tier]
        if coins >= (10, 15, 25)[tier]:
            coins -= (10, 15, 25)[tier]
            tier += 1
    return day


def test_days_until_the_highest_tier() -> None:
    """Who recruits nobody and builds whenever it can needs as many days as the sums say, in the game itself."""
    policies = ["plan=take:tier", "recruits=least", "first"]
    setting = ProcedureSetting(policies=policies, until=CASTLE)
    odds = compute_procedure_odds(NORMAL, "game", ["day"], setting=setting, most=500, precision=0.1)
    assert odds.answers[0].chances == {str(saved_up()): 1}
    assert odds.answers[1].chances == {"yes": 1}


@pytest.mark.parametrize(("until", "code"), [("day + 1", "wrong-type"), ("dya == 1", "unknown-name"), ("day ==", "")])
def test_no_condition(until: str, code: str) -> None:
    with pytest.raises(DiagnosticError) as raised:
        compute_procedure_odds(NORMAL, "daybreak", setting=ProcedureSetting(until=until))
    assert code in str(raised.value)


def test_a_roll_waits_for_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["odds", "1d6", "--until", "true"])
    assert left.value.code == 2
    assert "--until is for the odds of a procedure" in capsys.readouterr().err


def test_it_can_be_asked_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "pig/classic@1.0", "game", "pot", "--until", "pot >= 5", "--policy", "take:roll"]) == 0
    printed = capsys.readouterr().out
    assert "exact" in printed
    assert "pot >= 5" in printed


TRIES = """
kinds: {player: {fields: {coin: int}}}
procedures:
  ends:
    title: Ends
    given: {player: player}
    steps:
      - {id: first, roll: 1d6}
      - id: more
        repeat:
          at_most: 2
          steps:
            - {id: die, roll: 1d6}
            - {id: over, finish: {winners: "[player]"}, when: die == first}
      - {id: end, finish: {winners: "[player]"}}
  never:
    title: Never
    given: {player: player}
    steps:
      - {id: first, roll: 1d4}
      - {id: more, if: first > 4, then: [{id: die, roll: 1d6}, {id: use, gain: {who: player, coin: die}}]}
      - {id: maybe, draw: {one_of: "list(p for p in players if p.coin > 100)"}, when: first > 4}
"""


@pytest.mark.parametrize(
    ("procedure", "asked", "note"),
    [
        ("ends", "die", "`die` is set inside a loop and out of reach wherever `ends` ends"),
        ("ends", "die == first", "`die`, `first` are out of reach wherever `ends` ends"),
        ("never", "die", "`die` is out of reach wherever `never` ends"),
        ("never", "maybe", ""),
        ("never", "first", ""),
        ("ends", "player", ""),
    ],
)
def test_a_name_that_is_never_there_is_out_of_reach(procedure: str, asked: str, note: str) -> None:
    [answer] = compute_procedure_odds(sound(TRIES), procedure, [asked]).answers
    assert answer.note.partition(":")[0] == note
    assert "--" not in answer.note, "the studio shows it, too"
    assert set(answer.chances) == {"none"} or not note


def test_a_name_in_a_loop_is_within_reach_where_the_loop_is() -> None:
    odds = compute_procedure_odds(sound(TRIES), "ends", ["die"], setting=ProcedureSetting(until="die >= 3")).answers[0]
    assert not odds.note
    assert set(odds.chances) == {"none", "3", "4", "5", "6"}
