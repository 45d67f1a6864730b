"""Games carried through without a stop, as WebAssembly, come to what they come to step by step in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings

from rulewright.analysis.simulation.shard import ShardResult
from rulewright.engine.wasm_backend.codegen.memory_layout import AT, STATE
from rulewright.engine.wasm_backend.initial_state import InitialLayout
from rulewright.engine.wasm_backend.module_assembly import ModuleInfo, assemble_module
from rulewright.engine.wasm_backend.wasmtime_host import Host
from tests.breadth import times
from tests.engine.both_ways import played, same_as_python
from tests.engine.random_rules import MANIFEST, a_game_of, rulesets
from tests.language.inline import checked, sound
from tests.secrets.rulesets import hands


@settings(max_examples=times(12, 400))
@given(rulesets(depth=3, most=6))
def test_random_games_come_to_the_same(source: str) -> None:
    ruleset, diagnostics = checked(a_game_of(source), manifest=MANIFEST, shapes=False)
    assume(ruleset is not None and not diagnostics.errors)
    assert ruleset is not None
    with pytest.MonkeyPatch.context() as monkeypatch:
        same_as_python(ruleset, monkeypatch)


LISTS = """
kinds:
  player: {fields: {score: {type: count, default: 3}}}
  man: {plural: men, fields: {owner: player, at: int}}
state: {turn: int}
formulas:
  men_of: {given: {who: player}, is: list(m for m in men if m.owner == who)}
  ahead: {given: {who: player, of: int}, is: count(m for m in men_of(who) if m.at > of)}
  twice: {given: {n: int}, is: n + n}
procedures:
  game:
    steps:
      - id: all
        for_each: one
        in: players
        steps:
          - {id: men, repeat: {at_most: 3, steps: [{id: man, create: man, with: {owner: one}}]}}
      - id: rounds
        repeat:
          at_most: 40
          steps:
            - {id: next, set: {turn: turn + 1}}
            - id: moves
              for_each: one
              in: players
              steps:
                - {id: go, do: move, with: {who: one, there: list(m for m in men)}}
      - {id: end, finish: {winners: "list(p for p in players if ahead(p, 30) > 1)"}}
  move:
    given: {who: player, there: list of man}
    gives: {best: max(m.at for m in men_of(who))}
    steps:
      - {id: face, roll: 1d6}
      - {id: man, choose: {who: who, one_of: "list(m for m in men_of(who) if ahead(who, m.at) < 3)"}}
      - {id: ran, set: {man.at: man.at + twice(face)}}
      - {id: met, let: first(m for m in men if m.owner != who and m.at == man.at)}
      - {id: gone, remove: met, when: met}
      - {id: new, create: man, with: {owner: who, at: count(there)}, when: count(men_of(who)) < 2}
measures:
  men: {is: count(men), per: turn, title: Men, means: Men.}
  best: {is: max(m.at for m in men), title: Best, means: Best.}
"""
"""Lists that outlive what is carried out meanwhile, formulas that are asked again and again, and objects that leave."""


def test_what_is_asked_again_and_again_is_never_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    assert same_as_python(sound(LISTS, manifest=MANIFEST), monkeypatch) == "counts"


def test_a_single_option_that_is_always_asked_is_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    assert same_as_python(hands(), monkeypatch) == "counts"


def test_the_same_game_with_other_measures_is_another_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures change no game, so that the gameplay digest is the same; what is kept of one is not the other's."""
    before = sound(LISTS, manifest=MANIFEST)
    after = sound(
        LISTS.replace("{is: max(m.at for m in men), title", "{is: min(m.at for m in men), title"), manifest=MANIFEST
    )
    assert before.digest == after.digest
    game_run = played(before, rows=False)
    assert same_as_python(after, monkeypatch) == "counts"
    other = played(after, rows=False)
    assert isinstance(game_run, ShardResult)
    assert isinstance(other, ShardResult)
    assert game_run.counts.to_plain() != other.counts.to_plain()


def test_a_fault_names_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = LISTS.replace(
        "{id: end, finish", "{id: late, draw: {one_of: list(m for m in men if m.at > 5000)}}\n      - {id: end, finish"
    )
    ruleset = sound(broken, manifest=MANIFEST)
    assert same_as_python(ruleset, monkeypatch) == "fault"
    game_run = played(ruleset, rows=False)
    assert isinstance(game_run, str)
    assert "game.late" in game_run


def test_much_garbage_is_cleaned_up_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long game makes more blocks than a heap has room for before it is cleaned up, and a short one does not."""
    hosts: list[Host] = []

    class Watched(Host):
        def __init__(self, module: Any, made: Callable[[], ModuleInfo]) -> None:
            super().__init__(module, made)
            hosts.append(self)

    monkeypatch.setattr("rulewright.engine.wasm_backend.bot_games.Host", Watched)
    moved = []
    for rounds in (1, 900):
        ruleset = sound(LISTS.replace("at_most: 40", f"at_most: {rounds}"), manifest=MANIFEST)
        assert same_as_python(ruleset, monkeypatch) == "counts"
        beginning = InitialLayout.for_module(assemble_module(ruleset)).build_words(2)
        moved.append(hosts[-1].get("clean") - beginning[(AT["clean"] - STATE) // 8])
    short, long = moved
    assert short == 0, "what was there at the beginning is all that was ever looked through"
    assert long > 0


@pytest.mark.parametrize("over", ["", "per: turn, "])
def test_a_measure_that_is_too_large_is_a_fault(over: str, monkeypatch: pytest.MonkeyPatch) -> None:
    big = LISTS.replace("is: max(m.at for m in men),", f"is: (turn + 10) * 900000000000000000, {over}")
    assert big != LISTS
    ruleset = sound(big, manifest=MANIFEST)
    assert same_as_python(ruleset, monkeypatch) == "fault"
    assert "more than 18 digits" in str(played(ruleset, rows=False))
