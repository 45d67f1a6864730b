"""States as JSON: written at any stop, read back by any machine of the same gameplay."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.dice.limits import DiceLimits
from rulewright.dice.parser.notation import parse
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER, State
from rulewright.engine.state.machine import Machine
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions.expression_cost import MOST_OBJECTS
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
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.yaml.core_schema import parse_whole_number

FORMAT = 1

_AS_WRITTEN = DiceLimits(length=200_000, nesting=10**4, dice=10**9, constant=10**100)
"""The limits for rolls in states, which may be larger than rolls in rules."""


def to_json(state: State) -> dict[str, Any]:
    """Return a state at a pause point as JSON data.

    The pending decision or roll is left out, because the frames imply it.
    """
    ruleset = state.machine.ruleset
    names = state.machine.layout.names
    frames = []
    for frame in state.stack:
        step = ruleset.steps.get(frame[0])
        where = [step.procedure, step.id] if step is not None else None
        frames.append({"at": where, "values": [_plain(value) for value in frame[1:]]})
    objects = {
        str(number): [names[item[0]], *(_plain(value) for value in item[1:])]
        for number, item in enumerate(state.objects)
        if item is not None
    }
    return {
        "format": FORMAT,
        "digest": ruleset.digest,
        "root": state.root,
        "next": len(state.objects),
        "objects": objects,
        "frames": frames,
        "mode": state.mode,
        "winners": None if state.winners is None else list(state.winners),
        "given": [_plain(value) for value in state.given],
    }


def compute_fingerprint(state: State) -> str:
    """Return a digest of a state: equal states have equal ones, on every platform."""
    written = json.dumps(to_json(state), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()


def from_json(machine: Machine, data: dict[str, Any]) -> State:
    """Return the state that `to_json` wrote, ready to continue.

    Raises `RulewrightError` for a state of other rules or with invalid parts. Forged data may raise any exception.
    """
    ruleset = machine.ruleset
    if data.get("format") != FORMAT or data.get("digest") != ruleset.digest:
        raise RulewrightError(
            f"this state was saved with other rules: its gameplay digest is {data.get('digest')}, but "
            f"that of {ruleset.reference} is {ruleset.digest}"
        )
    dice = ruleset.declarations.dice

    def value(written: Any) -> Any:
        if isinstance(written, dict):
            return parse(written["dice"], dice=dice, limits=_AS_WRITTEN)
        return tuple(value(item) for item in written) if isinstance(written, list) else written

    if data["mode"] not in (DECISION, CHANCE, OVER) or data["root"] not in ruleset.procedures:
        raise RulewrightError("this state's position does not exist in the rules")
    result = data["next"]
    if type(result) is not int or not len(data["objects"]) <= result <= MOST_OBJECTS:
        raise RulewrightError("this state's objects do not match its counts")
    state = machine.empty(0)
    state.objects = [None] * result
    live: list[list[int]] = [[] for _ in machine.layout.names]
    for number, (kind, *fields) in data["objects"].items():
        place = machine.layout.kinds[kind]
        if parse_whole_number(number) is None or not int(number) < result:
            raise RulewrightError("this state has an object without a unique number")
        declared = ruleset.declarations.kinds[kind].fields
        held = [value(field) for field in fields]
        named = machine.layout.fields[kind]
        if len(held) != len(named) or not all(
            _is_a(declared[name].type, each, ruleset, result) for name, each in zip(named, held, strict=True)
        ):
            raise RulewrightError(f"a {kind} of this state does not have the fields of its kind")
        state.objects[int(number)] = [place, *held]
        if int(number):
            live[place].append(int(number))
    state.hold(max(map(len, live)))
    state.live = tuple(tuple(sorted(numbers)) for numbers in live)
    state.root = data["root"]
    places = {(step.procedure, step.id): number for number, step in ruleset.steps.items()}
    for frame in data["frames"]:
        at = 0 if frame["at"] is None else places[tuple(frame["at"])]
        state.stack.append([at, *(value(item) for item in frame["values"])])
    state.winners = None if data["winners"] is None else tuple(data["winners"])
    if not set(state.winners or ()) <= set(live[machine.layout.kinds[PLAYER_KIND]]):
        raise RulewrightError("this state names a winner who is not a player")
    state.given = tuple(value(item) for item in data["given"])
    if state.stack:
        state.frame = state.stack[-1]
    state.mode = data["mode"]
    if state.mode in (DECISION, CHANCE):
        machine.present(state)
    else:
        state.mode = OVER
    return state


def _is_a(kind: Type, value: Any, ruleset: Ruleset, result: int) -> bool:
    """Return whether a value fits the type of a field, in a game that has created `result` objects."""
    match kind, value:
        case Optional(inner=inner), _:
            return value is None or _is_a(inner, value, ruleset, result)
        case ListOf(inner=inner), tuple():
            return all(_is_a(inner, each, ruleset, result) for each in value)
        case MapOf(table=table, inner=inner), tuple():
            return len(value) == len(ruleset.declarations.tables[table].rows) and all(
                _is_a(inner, each, ruleset, result) for each in value
            )
        case RecordOf(parts=parts), tuple():
            return len(value) == len(parts) and all(
                _is_a(part, each, ruleset, result) for (_, part), each in zip(parts, value, strict=True)
            )
        case Boolean(), _:
            return isinstance(value, bool)
        case Integer(), _:
            return type(value) is int
        case Entity(), _:
            return type(value) is int and 0 < value < result
        case Choice(ids=ids), str():
            return value in ids
        case Row(table=table), str():
            return value in ruleset.declarations.tables[table].rows
        case Text(), _:
            return isinstance(value, str)
        case Dice(), _:
            return isinstance(value, Roll) or type(value) is int
    return False


def _plain(value: Any) -> Any:
    if isinstance(value, Roll):
        return {"dice": format_roll(value)}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
