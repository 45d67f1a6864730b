"""Games from stop to stop on one machine, and what is to be seen at each: the same on every other machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.game.script import draw_outcome
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.engine.state.machine import Machine


def stops(machine: Machine, players: int, options: Mapping[str, str], *, seed: str = "") -> Iterator[State]:
    """Yield every stop of one recorded game; the same options and seed make the same choices and rolls."""
    generator = Generator(f"{seed}{options}")
    state = machine.empty(players, options=options)
    state.events = []
    assert machine.ruleset.start is not None
    machine.begin(state, machine.ruleset.start, ())
    while True:
        yield state
        if state.mode == OVER:
            return
        if state.mode == DECISION:
            state.apply(generator.draw_below(len(state.options)))
        else:
            state.apply_outcome(draw_outcome(state.roll, generator).value)


def at_stop(state: State) -> tuple[Any, ...]:
    """Return what a state shows at a stop; what happened since the last one is forgotten, so that games stay cheap."""
    assert state.events is not None
    events = tuple(state.events)
    state.events.clear()
    asked = (state.who, state.options) if state.mode == DECISION else state.roll if state.mode == CHANCE else None
    return state.mode, asked, events, state.objects, state.live, state.stack, state.winners
