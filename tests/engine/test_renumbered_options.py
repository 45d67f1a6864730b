"""Objects are renumbered in the key of a position, and in what a player may choose there."""

from __future__ import annotations

import pytest

from rulewright.engine.python_backend.compiler import PythonMachine
from rulewright.engine.state.state_keys import StateKeys
from rulewright.ir.analyses.liveness import Liveness
from tests.engine.machines import of_two
from tests.language.inline import sound

RULES = """
kinds:
  player: {fields: {score: int}}
  token: {fields: {worth: int}}
procedures:
  main:
    given: {who: player}
    steps:
      - {id: first, create: token, with: {worth: 1}}
      - {id: second, create: token, with: {worth: 2}}
      - {id: third, create: token, with: {worth: 3}}
      - {id: gone, remove: first}
      - {id: kept, STOP}
      - {id: won, set: {who.score: sum(t.worth for t in kept)}}
      - {id: over, finish: {winners: []}}
"""
STOPS = ("choose: {who: players, one_of: tokens}", "choose: {who: who, some_of: tokens, at_least: 1, at_most: 1}")


@pytest.mark.parametrize("stop", STOPS)
def test_a_choice_offers_the_objects_that_there_are(stop: str) -> None:
    ruleset = sound(RULES.replace("STOP", stop))
    machine = PythonMachine(ruleset)
    state, procedure, arguments = of_two(machine)
    machine.begin(state, procedure, arguments)
    keys = StateKeys(ruleset, Liveness(ruleset), first_new=len(machine.empty(2).objects))
    keys.compute_key(state)
    offered = [option if isinstance(option, int) else option[0] for option in state.options]
    assert [state.objects[token] is not None for token in offered] == [True, True]
