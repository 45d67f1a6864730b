"""What single rolls decide, beside generated Python that is given the same dice, and games whose answers are known."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import comb

import pytest

from rulewright import RulewrightError, load_ruleset
from rulewright.analysis.fairness.ask_questions import ask
from rulewright.analysis.simulation import roll_leverage
from rulewright.analysis.simulation.roll_leverage import (
    LeverageResult,
    RollLeverage,
    force_rolls,
    may_turn,
    turn_rolls,
)
from rulewright.analysis.simulation.run_simulation import begin_run
from rulewright.analysis.simulation.shard import seat_policies, set_up_game
from rulewright.dice.ast import Roll
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_outcome
from rulewright.engine.python_backend.compiler import compile_ruleset
from rulewright.engine.state.game_state import CHANCE, OVER, list_outcomes
from rulewright.language.declarations import FIRST_PLAYER
from rulewright.ruleset.ruleset import Ruleset
from tests.analysis.inline_games import MANIFEST
from tests.language.inline import sound

COIN = """
kinds: {player: {fields: {points: count}}}
state: {player: player}
formulas: {standing: {given: {who: player}, is: who.points}}
procedures:
  game:
    title: A coin
    steps:
      - {id: idle, roll: 1d6}
      - {id: fixed, roll: 3}
      - {id: say, ask: Well?, choose: {who: 'next(player, players)', from: [heads, tails]}}
      - {id: coin, roll: 1d2}
      - {id: card, draw: {one_of: "list(p for p in players)"}}
      - {id: won, finish: {winners: ["next(player, players)"]}, when: coin == 2}
      - {id: lost, finish: {winners: [player]}}
"""


def games_of(ruleset: Ruleset, policies: list[str], games: int, **more: int) -> LeverageResult:
    leverage = LeverageResult()
    for each in turn_rolls(ruleset, policies, games=games, replays=10**9, **more):
        leverage.take(each)
    return leverage


def one(ruleset: Ruleset, policies: list[str], number: int) -> LeverageResult:
    run = begin_run(ruleset, policies=policies, seed=0)
    return force_rolls(ruleset, replace(run.shard, first=number, last=number + 1))


def in_python(ruleset: Ruleset, policies: list[str], number: int) -> LeverageResult:
    """Return the same by the Python machine: every game from its beginning, with dice of its own for each roll."""
    plain = [*_played(ruleset, policies, number)]
    leverage = LeverageResult(games=1, rolls=Counter(), draws=Counter())
    for place, (rule, what, who, came) in enumerate(plain[:-1]):
        ends = (
            [what[0], what[-1]]
            if not isinstance(what, Roll)
            else [list_outcomes(what)[0][0], list_outcomes(what)[-1][0]]
        )
        if isinstance(what, Roll) and ends[0] == ends[1]:
            continue
        leverage.rolls[rule] += 1
        leverage.draws[rule] += not isinstance(what, Roll)
        if leverage.rolls[rule] == 1:
            least, most = (frozenset([*_played(ruleset, policies, number, place, end)][-1]) for end in ends)
            leverage.ends[rule, who in least, who in most, least != most] += 1
            if isinstance(what, Roll) and came not in ends:
                leverage.inner[rule, who in least, who in most, who in plain[-1]] += 1
            leverage.replayed += sum(end != came for end in ends) if isinstance(what, Roll) else 2
    return leverage


def _played(ruleset: Ruleset, policies: list[str], number: int, count: int = -1, end: object = None):  # type: ignore[no-untyped-def]
    """Every roll of a game: its rule, what is rolled, who was asked last and what it came to; and who won."""
    machine = compile_ruleset(ruleset)
    run = begin_run(ruleset, policies=policies, seed=0)
    seed = f"0/{number}"
    state, players = set_up_game(machine, seat_policies(policies, number), seed=seed, options=dict(run.shard.options))
    state.generator = None
    dice, place, who = Generator(seed, "dice"), -1, FIRST_PLAYER
    assert ruleset.start is not None
    machine.begin(state, ruleset.start, ())
    while state.mode != OVER:
        if state.mode == CHANCE:
            place += 1
            step = machine.step(state)
            assert step is not None
            what, came = state.roll, draw_outcome(state.roll, dice).value
            yield step.rule, what, who, came
            state.apply_outcome(end if place == count else came)
        else:
            who = state.who
            state.apply(players[who - FIRST_PLAYER](state))
    yield state.winners or ()


@pytest.mark.parametrize(
    ("reference", "policies", "numbers"),
    [
        ("pig/classic", ["greedy", "greedy"], range(4)),
        ("pig/classic", ["random", "random", "random"], range(3)),
        ("pig/classic", ["mcts:5", "greedy"], range(2)),
        ("classics/kuhn-poker", ["random", "random"], range(6)),
        ("classics/liars-dice", ["random", "random"], range(2)),
        ("classics/yacht", ["planner:1", "random"], range(1)),
    ],
)
def test_python_turns_the_same_rolls_to_the_same_ends(reference: str, policies: list[str], numbers: range) -> None:
    ruleset = load_ruleset(reference)
    for number in numbers:
        assert one(ruleset, policies, number) == in_python(ruleset, policies, number)


def test_python_turns_the_same_rolls_of_the_largest_rules() -> None:
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    leverage = one(ruleset, ["greedy", "greedy"], 3)
    assert leverage == in_python(ruleset, ["greedy", "greedy"], 3)
    assert leverage.rolls.total() > 50
    assert len(leverage.ends) > 10


def test_a_coin_decides_all_and_a_die_that_nobody_looks_at_nothing() -> None:
    ruleset = sound(COIN, manifest=MANIFEST)
    for policies in (["greedy", "greedy"], ["random", "random"]):
        coin, *rest = games_of(ruleset, policies, 40).list_deciding()
        assert (coin.rule, coin.games, coin.other, coin.by_most, coin.swing) == ("game.coin", 40, 40, 40, 1.0)
        assert coin.wins == (0.0, 1.0)
        assert coin.decides
        assert coin.often == 1
        assert {each.rule for each in rest} == {"game.idle", "game.card"}
        for each in rest:
            assert (each.games, each.other, each.swing, each.decides) == (40, 0, 0.0, False)
            assert each.drawn == (each.rule == "game.card")


def test_what_is_turned_back_was_the_same_game() -> None:
    """A roll that is turned to what it came to by itself is not played again: two games of a coin are one replay."""
    games = games_of(sound(COIN, manifest=MANIFEST), ["greedy", "greedy"], 30)
    idle = sum(end != came for came in _idle(COIN, 30) for end in (1, 6))
    assert games.replayed == 30 + 2 * 30 + idle


def _idle(rules: str, games: int) -> list[int]:
    ruleset = sound(rules, manifest=MANIFEST)
    step = next(number for number, step in ruleset.steps.items() if step.rule == "game.idle")
    return [1 + Generator(f"0/{number}", f"dice {step} 0").draw_below(6) for number in range(games)]


def test_whoever_plays_counts_the_same() -> None:
    pig = load_ruleset("pig/classic")
    games = games_of(pig, ["greedy", "random"], 14)
    assert games == games_of(pig, ["greedy", "random"], 14, workers=2)
    again = LeverageResult()
    for each in turn_rolls(pig, ["greedy", "random"], games=6, replays=10**9):
        again.take(each)
    for each in turn_rolls(pig, ["greedy", "random"], games=14, replays=10**9, before=again):
        again.take(each)
    assert again == games


def test_enough_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    pig = load_ruleset("pig/classic")
    assert games_of(pig, ["random", "random"], 4).games == 4
    monkeypatch.setattr(roll_leverage, "MOST", 20)
    assert games_of(pig, ["random", "random"], 10**6).games == 20
    leverage = LeverageResult()
    for each in turn_rolls(pig, ["random", "random"], games=100, replays=30):
        assert leverage.games < 10 or leverage.replayed < 30
        leverage.take(each)
    assert leverage.games >= 10
    assert leverage.replayed >= 30


def test_by_chance_alone_no_roll_is_blamed() -> None:
    """McNemar's exact test: so many pairs of games by one end alone, and so many by the other."""

    def chance(*ends: tuple[int, int]) -> list[float]:
        leverage = LeverageResult(games=99)
        for rule, (least, most) in enumerate(ends):
            leverage.ends[str(rule), True, False, True] = least
            leverage.ends[str(rule), False, True, True] = most
            leverage.ends[str(rule), True, True, False] = 1
        return [each.chance for each in sorted(leverage.list_deciding(), key=lambda each: each.rule)]

    assert chance((0, 6)) == [2 / 64]
    assert chance((7, 2)) == [pytest.approx(2 * sum(comb(9, k) for k in (0, 1, 2)) / 2**9)]
    assert chance((4, 4), (0, 0)) == [1, 1]
    assert chance((0, 6), (6, 0), (3, 3)) == [6 / 64, 6 / 64, 1]


def test_a_swing_is_told_whichever_way() -> None:
    each = RollLeverage("r", 100, 40, both=20, by_least=30, by_most=10, chance=0.0, often=1.0, drawn=False)
    assert each.wins == (0.5, 0.3)
    assert each.swing == pytest.approx(0.2)
    low, high = each.swings_between
    assert 0 < low < 0.2 < high
    assert replace(each, by_least=10, by_most=30).swings_between == (low, high)
    assert replace(each, by_least=10, by_most=10).swings_between[0] == 0


def test_bots_who_play_outside_turn_nothing() -> None:
    pig = load_ruleset("classics/tic-tac-toe")
    assert not may_turn(pig, ["solved", "greedy"])
    with pytest.raises(RulewrightError, match="WebAssembly"):
        next(turn_rolls(pig, ["solved", "greedy"], games=2, replays=2))


def describe_rolls(ruleset: Ruleset, **more: object) -> str:
    by_id = {each.question.id: each.answer for each in ask(ruleset, **more)}  # type: ignore[arg-type]
    return " ".join(by_id["rolls"].sentences) if "rolls" in by_id else ""


def test_the_question_names_what_decides() -> None:
    ruleset = sound(COIN, manifest=MANIFEST)
    told = describe_rolls(ruleset, games=100).replace("\N{NO-BREAK SPACE}", " ").partition(": ")[2]
    assert told.startswith(
        "The roll that decides most is A coin, game.coin. If the first one in a game is forced to its minimum"
    )
    assert "wins 0 % of " in told
    assert "100 %. The effect is 100 percentage points (9" in told
    assert "The rolls of 2 other rules have no significant effect on the acting player." in told


def test_where_nothing_is_rolled_or_decided_that_is_said() -> None:
    still = COIN.replace("when: coin == 2", "when: say == heads")
    assert "No effect was found: the same players win whether" in describe_rolls(
        sound(still, manifest=MANIFEST), games=100
    )
    assert describe_rolls(load_ruleset("classics/tic-tac-toe"), games=2) == ""
    assert "games of `greedy`: " in describe_rolls(
        sound(COIN, manifest=MANIFEST), games=100, good="solved", positions=0
    )
    assert "Not known yet: " in describe_rolls(load_ruleset("pig/classic"), games=12)


LOTTERY = """
procedures:
  game:
    steps:
      - {id: begins, draw: {one_of: players}}
      - {id: die, roll: 1d6}
      - {id: won, finish: {winners: [begins]}, when: die >= 4}
      - {id: lost, finish: {winners: ["next(begins, players)"]}}
"""


def test_a_die_that_settles_every_game_is_found_whoever_it_favours() -> None:
    """Nobody is asked, and the winner by the highest face is drawn: seat 1 wins as often by the lowest face."""
    ruleset = sound(LOTTERY, manifest=MANIFEST.replace(", evaluate: standing", ""))
    first, *_ = games_of(ruleset, ["random", "random"], 40).list_deciding()
    assert (first.rule, first.swing, first.decides) == ("game.die", 1.0, True)


def test_several_samples_are_corrected_together() -> None:
    leverage = LeverageResult(games=9)
    leverage.ends["r", False, True, True] = 6
    assert [each.chance for samples in (1, 3) for each in leverage.list_deciding(samples=samples)] == [2 / 64, 6 / 64]
