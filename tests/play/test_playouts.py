"""Random games of everything shipped, by options of which any two meet: both machines play the same game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from rulewright import load_ruleset
from rulewright.dice.generator import Generator
from rulewright.play.compile.compiler import compiled
from rulewright.play.game.script import chance_outcome
from rulewright.play.machine.interpreter import Interpreter
from rulewright.play.machine.machine import Machine
from rulewright.play.machine.state import CHANCE, DECISION, OVER, State
from rulewright.resources import resource
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.simulate.playouts import Settings, covering
from tests.breadth import some, times

STOPS = times(200, 1_000)
"""Stops of one game: most are the first days of it, and the longest games are played to the end elsewhere."""

_EVERY = [edition.id for edition in Catalogue([resource("rules")]).editions() if edition.status != "abstract"]
SHIPPED = some(
    _EVERY, [each for each in _EVERY if not each.startswith(("fuzzy-knights/normal@0", "classics/backgammon"))]
)
"""The options of the largest game's drafts are those of its newest edition; Backgammon, whose moves take the machines
longest, has none, and is played beside an independent one elsewhere."""


def stops(machine: Machine, players: int, options: Settings) -> Iterator[State]:
    """Every stop of one recorded game; the same options make the same choices and rolls."""
    generator = Generator(str(options))
    state = machine.empty(players, options=options)
    state.events = []
    assert machine.ruleset.start is not None
    machine.begin(state, machine.ruleset.start, ())
    while True:
        yield state
        if state.mode == OVER:
            return
        if state.mode == DECISION:
            state.apply(generator.below(len(state.options)))
        else:
            state.apply_outcome(chance_outcome(state.roll, generator).value)


def at_stop(state: State) -> tuple[Any, ...]:
    """What a state shows at a stop; what happened since the last one is forgotten, so that games stay cheap."""
    assert state.events is not None
    events = tuple(state.events)
    state.events.clear()
    asked = (state.who, state.options) if state.mode == DECISION else state.roll if state.mode == CHANCE else None
    return state.mode, asked, events, state.objects, state.live, state.stack, state.winners


@pytest.mark.parametrize("reference", SHIPPED)
def test_both_machines_play_the_same_game_by_any_two_options(reference: str) -> None:
    ruleset = load_ruleset(reference)
    fewest, most = ruleset.players
    options = {option.id: tuple(option.choices) for option in ruleset.declarations.options.values()}
    fast, plain = compiled(ruleset, recording=True), Interpreter(ruleset)
    for number, settings in enumerate(covering(options)):
        players = fewest + number % (most - fewest + 1)
        games = zip(stops(fast, players, settings), stops(plain, players, settings), strict=True)
        seen = 0
        for one, other in islice(games, STOPS):
            assert at_stop(one) == at_stop(other), (settings, players, seen)
            seen += 1
        assert seen >= 5  # two cards, two answers and the end: no game here is shorter
