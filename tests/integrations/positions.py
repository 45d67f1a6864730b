"""Positions at random: objects of every kind, with fields of whatever their types allow, and some that have gone."""

from __future__ import annotations

from random import Random
from typing import Any

from rulewright.dice.parser.notation import parse
from rulewright.engine.state.game_state import State
from rulewright.engine.state.machine import Machine
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.types import (
    Boolean,
    Choice,
    Dice,
    Entity,
    Integer,
    ListOf,
    MapOf,
    Optional,
    RecordOf,
    Row,
    Text,
    Type,
)


def position(machine: Machine, players: int, random: Random) -> State:
    """Return a position; fields may hold objects that have left the game."""
    declared = machine.ruleset.declarations
    state = machine.empty(players)
    assert machine.ruleset.start is not None
    state.root = machine.ruleset.start
    layout = machine.layout
    others = [name for name in layout.names if name not in (GAME_KIND, PLAYER_KIND)]
    for name in others:
        for _ in range(random.randint(1, 5)):
            state.create(layout.kinds[name], list(layout.defaults[name]))
    for entity in state.objects:
        kind = layout.names[entity[0]]
        for field in declared.kinds[kind].fields.values():
            entity[layout.places[kind, field.name]] = _value(state, field.type, random)
    for name in others:
        if random.random() < 0.5:
            state.remove(random.choice(state.live[layout.kinds[name]]))
    return state


def _value(state: State, kind: Type, random: Random) -> Any:
    declared = state.machine.ruleset.declarations
    match kind:
        case Integer():
            return random.choice((0, 1, 2, -3, 5, 8, 20, 10**12 + 1, 2**53 + 3))
        case Boolean():
            return random.random() < 0.5
        case Text():
            return ""
        case Dice():
            return random.choice([parse(text) for text in ("1d6", "3d6", "2d6 + 1", "1d6 - 1d4", "2 * 3d8", "7")])
        case Choice(ids=ids):
            return random.choice(ids)
        case Row(table=table):
            return random.choice(list(declared.tables[table].rows))
        case Entity(kind=name):
            return random.choice(state.live[state.machine.layout.kinds[name]])
        case Optional(inner=inner):
            return None if random.random() < 0.4 else _value(state, inner, random)
        case ListOf(inner=inner):
            return tuple(_value(state, inner, random) for _ in range(random.randint(0, 6)))
        case MapOf(table=table, inner=inner):
            return tuple(_value(state, inner, random) for _ in declared.tables[table].rows)
        case RecordOf(parts=parts):
            return tuple(_value(state, part, random) for _, part in parts)
    raise AssertionError(kind)
