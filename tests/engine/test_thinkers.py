"""Bots that think take the same options inside modules as outside: they are written once in Python, and once in C."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import load_ruleset
from rulewright.ai import bots
from rulewright.analysis.simulation import shard as shards
from rulewright.analysis.simulation.shard import ShardResult
from rulewright.engine.wasm_backend.bot_games import Series, games
from rulewright.engine.wasm_backend.native_bots import Bot
from rulewright.ruleset.overlay import lay_over
from tests.breadth import some, times
from tests.engine.both_ways import played, same_as_python
from tests.engine.random_rules import build_judged_secrets, rulesets
from tests.engine.test_strength import TEMPTING
from tests.language.inline import sound
from tests.secrets.rulesets import cellar
from tests.secrets.test_guesses import (
    ANSWERED,
    GIVEN_TWICE,
    HANDED_ON,
    NO_CARDS,
    OWN,
    PASSED_ON,
    PILES,
    RESULTS,
    ROUNDS,
    SUBSETS,
    TURNS,
    WORKED_OUT,
)
from tests.secrets.test_guesses import rules as names_to_guess

MANIFEST = """
ruleset: test/inline
version: 1.0.0
title: Inline
rounding: truncate
players: 1..4
start: game
evaluate: standing
"""

GAME = """
kinds:
  player: {fields: {score: int, rolled: {type: dice, default: 1d4}}}
state: {turn: int}
formulas:
  standing: {given: {who: player}, is: who.score}
procedures:
  game:
    steps:
      - id: rounds
        repeat:
          at_most: 5
          steps:
            - {id: next, set: {turn: turn + 1}}
            - {id: moves, for_each: one, in: players, steps: [{id: go, do: move, with: {who: one}}]}
      - {id: end, finish: {winners: "list(p for p in players if p.score == max(q.score for q in players))"}}
  move:
    given: {who: player}
    steps:
      - {id: picked, choose: {who: who, one_of: [1, 2, 3]}}
      STEPS
measures:
  best: {is: max(p.score for p in players), title: Best, means: Best.}
  first: {is: turn, per: turn, title: First, means: First.}
"""

DECK_BUILDER = Path(__file__).parents[2] / "benchmarks" / "deck_builder"

STEPS = (
    "{id: NAME, roll: 1d6}",
    "{id: NAME, roll: 2d6}",
    "{id: NAME, roll: 3d6kh2}",
    "{id: NAME, roll: 1d3 * 2}",
    "{id: NAME, roll: who.rolled}",
    "{id: NAME, roll: who.rolled + 1d2}",
    "{id: NAME, roll: 1d1 + 4}",
    "{id: NAME, draw: {one_of: [1, 2, 2, 5]}}",
    "{id: NAME, draw: {one_of: [4]}}",
    "{id: NAME, draw: {one_of: 'list(n for n in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] if n != picked)'}}",
)
"""Chances: few outcomes and many, dice that the rules fix and that a player has, one outcome alone, and cards."""

THEN = (
    "{id: NAME, set: {who.score: who.score + LAST * picked - 4}}",
    "{id: NAME, set: {who.score: who.score - LAST}, when: LAST > 3}",
    "{id: NAME, set: {who.rolled: who.rolled + 1d2}, when: LAST == 2}",
    "{id: NAME, set: {who.score: who.score + picked}, when: picked < 3}",
    "{id: NAME, finish: {winners: [who]}, when: LAST > 4 and turn > 2}",
)


@st.composite
def games_of_chance(draw: st.DrawFn) -> str:
    """Return a game in which chance has its say between one choice and the next."""
    written, last = [], "picked"
    for number in range(draw(st.integers(1, 5))):
        if draw(st.booleans()):
            last = f"chance{number}"
            written.append(draw(st.sampled_from(STEPS)).replace("NAME", last))
        else:
            written.append(draw(st.sampled_from(THEN)).replace("NAME", f"then{number}").replace("LAST", last))
    return GAME.replace("STEPS", "\n      ".join(f"- {each}" for each in written)).replace("      - {id: NAME}", "")


BOTS = ["random", "greedy", "planner:9", "rollout:5", "mcts:7"]


@settings(max_examples=times(10, 400))
@given(games_of_chance(), st.lists(st.sampled_from(BOTS), min_size=1, max_size=3))
def test_bots_take_the_same_options_whatever_chance_does(source: str, policies: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        same_as_python(sound(source, manifest=MANIFEST), monkeypatch, policies=policies, numbers=range(2, 4))


SHIPPED = {
    "pig/classic@1.0": (["mcts:30", "greedy", "planner:12"], 4, {}),
    "classics/tic-tac-toe@1.0": (["rollout:12", "mcts:50"], 6, {}),
    "classics/connect-four@1.0": (["mcts:20", "greedy"], 2, {}),
    "classics/checkers@1.0": (["greedy", "mcts:10"], 1, {}),
    "classics/backgammon@1.0": (["planner:2", "random"], 1, {}),
    "classics/yacht@1.0": (["greedy", "random"], 1, {}),
    "classics/goofspiel@1.0": (["mcts:12", "mcts:30", "random"], 2, {}),
    "classics/kuhn-poker@1.0": (["mcts:20", "mcts:9"], 6, {}),
    "classics/leduc-poker@1.0": (["mcts:20", "mcts:9"], 4, {}),
    "classics/liars-dice@1.0": (["mcts:20", "mcts:9"], 3, {}),
    "fuzzy-knights/normal@1.0": (["greedy", "greedy"], 2, {"max_days": "hundred"}),
    "fuzzy-knights/medium@0.1": (["greedy", "mcts:5", "random"], 1, {"max_days": "hundred"}),
}
"""Rulesets with who plays, how many games, and settings."""

FEW = [
    *("pig/classic@1.0", "classics/tic-tac-toe@1.0", "classics/connect-four@1.0", "fuzzy-knights/normal@1.0"),
    *("classics/goofspiel@1.0", "classics/liars-dice@1.0"),
]
"""Dice, none of them, more options than are looked at, rolls that are put together in play, and what is hidden."""


@pytest.mark.parametrize("reference", some([*SHIPPED], FEW))
def test_bots_play_shipped_games_alike(reference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    policies, count, options = SHIPPED[reference]
    ruleset = load_ruleset(reference)
    settled = sorted(options.items())
    assert all(bots.inside(policy, ruleset) for policy in policies)
    results = same_as_python(ruleset, monkeypatch, policies=policies, options=settled, numbers=range(count))
    assert results == "counts"


def test_bots_are_tempted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playouts end by chance, with prizes that differ, after an evaluation of others."""
    ruleset = sound(TEMPTING, manifest=MANIFEST.replace("1..4", "2"))
    assert same_as_python(ruleset, monkeypatch, policies=["mcts:64", "mcts:200"], numbers=range(2)) == "counts"


def test_what_happens_among_bots_is_watched_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """What bots try and take back never happened."""
    ruleset = load_ruleset("pig/classic@1.0")
    runs = []
    for there in (True, False):
        monkeypatch.setattr(shards, "is_available", lambda there=there: there)
        game_run = played(ruleset, rows=True, coverage=True, policies=["greedy", "mcts:9"], numbers=range(5))
        assert isinstance(game_run, ShardResult)
        runs.append((game_run.counts.to_plain(), game_run.rows))
    assert runs[0] == runs[1]


def test_a_fault_that_a_bot_runs_into_names_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = "{id: late, draw: {one_of: 'list(n for n in [1, 2] if n > picked + turn)'}}"
    ruleset = sound(GAME.replace("STEPS", f"- {broken}"), manifest=MANIFEST)
    for policies in (["greedy", "greedy"], ["mcts:5", "random"]):
        assert same_as_python(ruleset, monkeypatch, policies=policies) == "fault"
        assert "move.late" in str(played(ruleset, rows=False, policies=policies))


def test_a_rule_that_nobody_judges_by_is_played_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `evaluate`, a search plays on at random."""
    source = GAME.replace("STEPS", "- {id: face, roll: 1d6}\n      - {id: more, set: {who.score: who.score + face}}")
    ruleset = sound(source, manifest=MANIFEST.replace("evaluate: standing\n", ""))
    assert same_as_python(ruleset, monkeypatch, policies=["mcts:6", "random"], numbers=range(2)) == "counts"


@settings(max_examples=times(8, 400))
@given(rulesets(depth=2, most=6), st.integers(0, 2**16))
def test_bots_guess_alike_in_random_rules(source: str, seed: int) -> None:
    ruleset = build_judged_secrets(source)
    policies = ["greedy", "rollout:4"] if seed % 2 else ["planner:9", "mcts:20"]
    with pytest.MonkeyPatch.context() as monkeypatch:
        same_as_python(ruleset, monkeypatch, policies=policies, numbers=range(seed, seed + 2))


@pytest.mark.parametrize(
    "procedures", [OWN, TURNS, ROUNDS, HANDED_ON, PASSED_ON, WORKED_OUT, GIVEN_TWICE, ANSWERED, RESULTS]
)
def test_bots_guess_names_alike(procedures: str, monkeypatch: pytest.MonkeyPatch) -> None:
    policies = ["greedy", "mcts:12", "planner:8"]
    results = same_as_python(names_to_guess(procedures), monkeypatch, policies=policies[:2], numbers=range(6))
    assert results == same_as_python(names_to_guess(procedures), monkeypatch, policies=policies[1:], numbers=range(6))
    assert results == "counts"


def test_bots_guess_subsets_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = names_to_guess(SUBSETS, begun=NO_CARDS)
    assert same_as_python(ruleset, monkeypatch, policies=["greedy", "mcts:12"], numbers=range(6)) == "counts"


def test_bots_guess_cards_of_several_decks_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = names_to_guess(PILES, begun="")
    assert same_as_python(ruleset, monkeypatch, policies=["greedy", "mcts:12"], numbers=range(6)) == "counts"


def test_bots_guess_secrets_of_each_kind_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sees a seal follows from a chest, which may have left the game."""
    assert same_as_python(cellar(), monkeypatch, policies=["greedy", "mcts:9"], numbers=range(3)) == "counts"


def test_bots_guess_many_cards_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deck builder, in which nobody sees a pile and only its owner a hand."""
    ruleset = load_ruleset("benchmarks/deck-builder", rules=(DECK_BUILDER,))
    results = same_as_python(ruleset, monkeypatch, policies=["greedy", "random"], numbers=range(1))
    assert results == same_as_python(ruleset, monkeypatch, policies=["mcts:2", "random"], numbers=range(1)) == "counts"


def test_a_budget_of_time_is_kept_outside() -> None:
    ruleset = load_ruleset("pig/classic@1.0")
    assert bots.inside("mcts:50ms", ruleset) is None
    assert bots.inside("mcts:50", ruleset) is not None


def test_a_search_is_done_in_pieces() -> None:
    """An interrupt is heard in between, however many visits a bot makes."""
    ruleset = load_ruleset("pig/classic@1.0")
    thinks = Series("any", 2, {}, 1, [bots.inside("mcts:100000", ruleset) or Bot(0, 0), Bot(0, 0)])
    pieces = games(ruleset).open_counting(thinks).run(0, 1)
    assert sum(1 for _ in pieces) >= 4


def test_an_interrupt_ends_what_bots_think(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = load_ruleset("pig/classic@1.0")
    counting = games(ruleset).open_counting
    heard = threading.Event()

    def interrupted(series: Series) -> object:
        made = counting(series)

        def run(first: int, last: int) -> object:
            for _ in made.run(first, last):
                heard.set()
                signal.raise_signal(signal.SIGINT)
                yield
                pytest.fail("nobody heard it", pytrace=False)

        return type(made)(run, made.counted)  # type: ignore[arg-type]

    monkeypatch.setattr(games(ruleset), "open_counting", interrupted)
    with pytest.raises(KeyboardInterrupt):
        played(ruleset, rows=False, policies=["mcts:1000000", "random"])
    assert heard.is_set()


def test_what_the_host_has_told_before_changes_nothing() -> None:
    """A module asks what a roll comes to when it first meets it, in the midst of what a bot tries."""
    ruleset = load_ruleset("fuzzy-knights/normal@1.0")
    options = [("max_days", "hundred")]

    def decisions(first: int, last: int) -> int:
        numbers = range(first, last)
        game_run = played(ruleset, rows=False, policies=["greedy", "greedy"], options=options, numbers=numbers)
        assert isinstance(game_run, ShardResult)
        return game_run.counts.decisions

    assert decisions(100, 200) == sum(decisions(first, first + 10) for first in range(100, 200, 10))


WEIGHTS = """
weights:
  trained:
    terms:
      own: {is: who.score, worth: 1.5}
      lead: {is: 'who.score - max(p.score for p in players if p != who)', worth: -0.1}
      odd: {is: 1 if turn == 3 else 0, worth: 2}
  careless:
    terms: {late: {is: turn, worth: 0.001}}
"""


def test_what_was_learned_is_weighed_alike_on_both_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bot by its own way to judge, beside others who judge by another."""
    steps = "- {id: face, roll: 1d6}\n      - {id: more, set: {who.score: who.score + face * picked - 6}}"
    source = GAME.replace("STEPS", steps) + WEIGHTS
    learned = sound(source, manifest=MANIFEST)
    without = sound(source, manifest=MANIFEST.replace("evaluate: standing\n", ""))
    for policies in (
        ["trained", "greedy", "planner:9:careless"],
        ["mcts:7:trained", "mcts:7"],
        ["trained:careless", "mcts:careless", "greedy:trained"],
    ):
        results = [
            same_as_python(ruleset, monkeypatch, policies=policies, numbers=range(4)) for ruleset in (learned, without)
        ]
        assert results == ["counts", "counts"]
    assert bots.inside("greedy", without) == bots.inside("trained", without) != bots.inside("greedy", learned)


def test_a_formula_and_its_parts_judge_alike() -> None:
    """Whatever the rules' own formula adds up can be weighed instead."""
    ruleset = lay_over(
        load_ruleset("pig/classic@1.0"),
        "weights: {trained: {terms: {banked: {is: who.score, worth: 1}, "
        "pot: {is: pot if player == who else 0, worth: 1}}}}",
    )
    rows = [
        played(ruleset, rows=True, policies=[bot, "mcts:9"], numbers=range(20)).rows for bot in ("greedy", "trained")
    ]
    assert [(row.winning_seats, row.decisions) for row in rows[0]] == [
        (row.winning_seats, row.decisions) for row in rows[1]
    ]
