"""Games played in one go are the games played decision by decision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright import Ruleset, load_ruleset
from rulewright.ai import bots
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_outcome
from rulewright.engine.python_backend.compiler import FusedMachine, compile_fused
from rulewright.engine.python_backend.runtime_support import Picks
from rulewright.engine.state.faults import RulesFault
from rulewright.engine.state.game_state import CHANCE, OVER, State, compute_measures
from rulewright.engine.state.machine import Machine
from rulewright.engine.state.tree_interpreter import Interpreter
from rulewright.language.declarations import FIRST_PLAYER
from tests.breadth import some
from tests.secrets.rulesets import hands

REFERENCES = (
    "pig/classic@1.0",
    "classics/oware@1.0",
    "classics/checkers@1.0",
    "fuzzy-knights/normal@1.0",
    "fuzzy-knights/normal@0.2",
    "fuzzy-knights/normal@0.1",
    "fuzzy-knights/medium@0.1",
)
FEW = some(REFERENCES, [name for name in REFERENCES if not name.startswith("fuzzy-knights/normal@0")])
"""The steps of the largest game's drafts are those of its newest edition, or of the medium one."""
MANIFEST = """\
ruleset: test/odd
version: 1.0.0
title: Odd
status: draft
rounding: truncate
players: 2..3
start: game
"""


def in_one_go(machine: FusedMachine, players: int, seed: str, most: int = 10**6) -> tuple[State, int, int | None]:
    state = machine.empty(players, options=machine.ruleset.simulations)
    state.events = []
    state.generator = Generator(seed, "dice")
    looks: list[int] = []
    picks = Picks(seed, players, most, lambda: looks.append(picks.left))
    state.bots = picks.draws
    machine.begin(state, machine.ruleset.start or "", ())
    watched = any(measure.per is not None for measure in machine.ruleset.measures.values())
    assert looks == (list(range(most - 1, picks.left - 1, -1)) if watched else [])
    return state, most - picks.left, picks.first


def step_by_step(machine: Machine, players: int, seed: str, most: int = 10**6) -> tuple[State, int, int | None]:
    state = machine.empty(players, options=machine.ruleset.simulations)
    state.events = []
    generator, decisions, first = Generator(seed, "dice"), 0, None
    policies = [bots.make("random", machine.ruleset, seed=seed, seat=seat) for seat in range(1, players + 1)]
    machine.begin(state, machine.ruleset.start or "", ())
    while state.mode != OVER:
        if state.mode == CHANCE:
            state.apply_outcome(draw_outcome(state.roll, generator).value)
        elif decisions == most:
            break
        else:
            decisions += 1
            first = first or state.who
            state.apply(policies[state.who - FIRST_PLAYER](state))
    return state, decisions, first


def alike(ruleset: Ruleset, players: int, seeds: Sequence[str], most: int = 10**6) -> None:
    plain, one = Interpreter(ruleset), compile_fused(ruleset, recording=True)
    for seed in seeds:
        state, decisions, first = step_by_step(plain, players, seed, most)
        other, others, begun = in_one_go(one, players, seed, most)
        assert (decisions, state.winners, state.mode == OVER) == (others, other.winners, other.mode == OVER)
        assert state.objects == other.objects
        assert [event[0] for event in state.events or ()] == [event[0] for event in other.events or ()]
        assert state.events == other.events
        measures = compute_measures(state, first)
        assert measures == {name: one.measure(other, name, begun) for name in ruleset.measures}


@pytest.mark.parametrize("reference", FEW)
def test_whole_games_are_those_of_the_plain_interpreter(reference: str) -> None:
    ruleset = load_ruleset(reference)
    # Players at random go on for long where the rules are rich: so far is far enough.
    alike(ruleset, ruleset.players[0], [f"s{number}" for number in range(3)], most=150)


def odd(folder: Path, steps: str) -> Ruleset:
    (folder / "odd").mkdir()
    (folder / "odd" / "ruleset.yaml").write_text(MANIFEST)
    (folder / "odd" / "rules.yaml").write_text(
        "kinds: {player: {fields: {score: count}}}\nstate: {turn: int, player: player}\nprocedures:\n" + steps
    )
    return load_ruleset("test/odd", rules=[folder])


INNER = """\
  inner:
    title: Inner
    given: {who: player}
    gives: {won: score > 3}
    steps:
      - id: score
        choose: {who: who, number: {from: 0, to: 5}}
      - {id: enough, finish: {winners: [who]}, when: score == 5}
      - {id: away, stop: true, when: score == 0}
      - {id: one, choose: {who: who, one_of: list(p for p in players if p != who)}}
      - {id: gained, gain: {who: one, score: score}}
  game:
    title: Outer
    steps:
      - id: turns
        repeat:
          at_most: 5
          steps:
            - id: each
              for_each: who
              in: players
              steps:
                - {id: went, do: inner, with: {who: who}}
                - {id: more, set: {turn: turn + 1}, when: went.won}
"""


@pytest.mark.parametrize("players", [2, 3])
def test_games_end_in_the_midst_of_procedures_and_by_themselves(tmp_path: Path, players: int) -> None:
    ruleset = odd(tmp_path, INNER)
    alike(ruleset, players, [f"s{number}" for number in range(60)])
    ends = {
        in_one_go(compile_fused(ruleset, recording=True), players, f"s{number}")[0].winners is None
        for number in range(60)
    }
    assert ends == {True, False}  # some run out of turns, and nobody has won


def test_a_single_option_that_is_always_asked_is_a_decision() -> None:
    ruleset = hands()
    alike(ruleset, 2, [f"s{number}" for number in range(20)])
    one = compile_fused(ruleset, recording=True)
    assert {in_one_go(one, 2, f"s{number}")[1] for number in range(20)} == {4}


def test_a_game_out_of_decisions_stands_still() -> None:
    ruleset = load_ruleset("pig/classic@1.0")
    state, decisions, _ = in_one_go(compile_fused(ruleset, recording=True), 2, "a", most=7)
    other, others, _ = step_by_step(Interpreter(ruleset), 2, "a", most=7)
    assert decisions == others == 7
    assert state.mode != OVER
    assert state.objects == other.objects


def test_a_fault_names_its_rule(tmp_path: Path) -> None:
    steps = """\
  game:
    title: Game
    steps:
      - {id: here, choose: {who: first(players) or player, from: [left, right]}}
      - {id: gone, choose: {who: first(players) or player, one_of: list(p for p in players if p.score > 0)}}
"""
    with pytest.raises(RulesFault) as fault:
        in_one_go(compile_fused(odd(tmp_path, steps), recording=True), 2, "a")
    assert (fault.value.rule, fault.value.message) == ("game.gone", "there is nothing to choose from")
