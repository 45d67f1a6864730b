"""A state taken over by another program of the same gameplay, at the stop it stands at."""

from __future__ import annotations

from rulewright.dice.generator import Generator
from rulewright.play.machine.machine import Machine
from rulewright.play.machine.state import CHANCE, DECISION, State


def adopt(state: State, program: Machine, *, generator: Generator | None = None) -> State:
    """A copy of `state` that goes on under `program`, without a record, with `generator` for programs that sample.

    Every program of a ruleset lays its frames out alike, so that a copy is all it takes.
    """
    copy = state.clone()
    copy.program = program
    copy.events = None
    copy.generator = generator
    if copy.mode in (DECISION, CHANCE):
        program.present(copy)
    return copy
