"""A state taken over by another machine of the same gameplay, at the stop it stands at."""

from __future__ import annotations

from rulewright.dice.generator import Generator
from rulewright.play.machine.machine import Machine
from rulewright.play.machine.state import CHANCE, DECISION, State


def adopt(state: State, machine: Machine, *, generator: Generator | None = None) -> State:
    """A copy of `state` that goes on under `machine`, without a record, with `generator` for machines that sample.

    Every machine of a ruleset lays its frames out alike, so that a copy is all it takes.
    """
    copy = state.clone()
    copy.machine = machine
    copy.events = None
    copy.generator = generator
    if copy.mode in (DECISION, CHANCE):
        machine.present(copy)
    return copy
