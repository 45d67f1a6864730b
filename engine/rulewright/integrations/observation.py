"""The observations of players, as text and as numbers.

If nothing is hidden, observations differ only in the order of seats, which starts with the observer. If information
is hidden (`seen_by` in the rules), only `ObservationEncoder` removes it: hidden values are 0 as numbers and missing
in the text. Names of procedures derived from hidden values are removed for all players.

As numbers, a state consists of: the seat to move and the current decision (each from 1, or 0 for none); the values of
the game; and for each kind the number of its objects and the fields of the first of them. A row or an id is its index
from 1, a player the seat from 1, an object its index from 1, a missing value 0, a roll its mean. A list of rows has a
1 for each row in it. Any other list has its length and its first elements. A map has its value for each row. Local
names of running procedures are only in the text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.bounds import compute_mean
from rulewright.dice.format_notation import format_roll as dice_text
from rulewright.engine.narration.redaction import HIDDEN, analyze_sight, redact_value
from rulewright.engine.state.game_state import DECISION, OVER, State
from rulewright.engine.state.state_json import to_json
from rulewright.engine.state.state_keys import StateKeys, list_unordered_fields
from rulewright.integrations.action_numbering import list_questions
from rulewright.ir.analyses.liveness import Liveness
from rulewright.ir.program import StateLayout
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.types import Choice, Entity, ListOf, MapOf, Optional, RecordOf, Row, Text, Type
from rulewright.ruleset.ruleset import Ruleset

FieldReader = Callable[[State, Any, int], list[float]]
"""Encodes a value of a state for a player, from 0."""


class ObservationEncoder:
    """The encoder of the states of one ruleset, for a number of players.

    It encodes `most_objects` objects of each kind.
    """

    def __init__(self, ruleset: Ruleset, *, players: int, most_objects: int) -> None:
        self.ruleset = ruleset
        self.players = players
        self.most_objects = most_objects
        self.layout = StateLayout(ruleset.declarations)
        self.sight = analyze_sight(ruleset)
        self.hides = not self.sight.everything
        self._questions = {step.number: place for place, step in enumerate(list_questions(ruleset), start=1)}
        self._tidy = StateKeys(ruleset, Liveness(ruleset), first_new=FIRST_PLAYER + players)
        layout = self.layout
        self._unordered = [
            (layout.kinds[kind], layout.places[kind, name]) for kind, name in sorted(list_unordered_fields(ruleset))
        ]
        self.readers = {
            name: [
                (self.layout.places[name, field.name], *self.make_reader(field.type)) for field in kind.fields.values()
            ]
            for name, kind in ruleset.declarations.kinds.items()
        }
        self._widths = {name: sum(width for _, width, _ in readers) for name, readers in self.readers.items()}
        self.size = 2 + sum(
            self._room(name) * self._widths[name] + (name not in (GAME_KIND, PLAYER_KIND)) for name in self.layout.names
        )

    def format_state(self, state: State) -> str:
        """Return a state as JSON text. States with the same possible continuations have the same text."""
        tidied = state.clone()
        self._tidy.compute_key(tidied, named=True)
        for kind, place in self._unordered:
            for item in tidied.live[kind] if kind else (0,):
                values = tidied.objects[item]
                values[place] = tuple(sorted(values[place] or (), key=repr))
        if state.mode == OVER:
            tidied.stack = []  # the copy is never played on
        written = to_json(tidied)
        for same in ("format", "digest", "root", "next", "given"):
            del written[same]
        return json.dumps(written, separators=(",", ":"), ensure_ascii=False)

    def format_view(self, state: State, player: int | None) -> str:
        """Return what a player (from 0) or a spectator (None) sees of a state with hidden information, as JSON."""
        state = redact_value(state, None if player is None else player + FIRST_PLAYER)
        layout, secrets = self.layout, self.sight.secrets
        is_asked = state.mode == DECISION and state.who == (player or 0) + FIRST_PLAYER and player is not None
        frames = []
        for procedure, frame, step in state.machine.iterate_frames(state):
            hidden = secrets.find_hidden_slots(procedure, frame)
            frames.append([step and step.rule, *(to_plain(v) for at, v in enumerate(frame[1:], 1) if at not in hidden)])
        results = {
            "asked": state.who if state.mode == DECISION else 0,
            "options": [to_plain(option) for option in state.options] if is_asked else [],
            "winners": to_plain(state.winners),
            "objects": {
                f"{layout.names[item[0]]} {number}": [to_plain(value) for value in item[1:]]
                for number, item in enumerate(state.objects)
                if item is not None
            },
            "under_way": [] if state.mode == OVER else frames,
        }
        return json.dumps(results, separators=(",", ":"), ensure_ascii=False)

    def encode(self, state: State, player: int) -> list[float]:
        """Return a state as `size` numbers, as `player` (from 0) sees it."""
        state = redact_value(state, player + FIRST_PLAYER)
        is_decision = state.mode == DECISION
        results = [
            float(self._chair(state.who, player)) if is_decision else 0.0,
            float(self._questions.get(state.frame[0], 0)) if is_decision else 0.0,
        ]
        for number, name in enumerate(self.layout.names):
            items = (0,) if name == GAME_KIND else state.live[number]
            if name == PLAYER_KIND:
                items = (*items[player:], *items[:player])
            elif name != GAME_KIND:
                results.append(float(len(items)))
            room = self._room(name)
            readers = self.readers[name]
            lines: list[float] = []
            for item in items[:room]:
                values = state.objects[item]
                for place, width, read in readers:
                    lines += [0.0] * width if values[place] is HIDDEN else read(state, values[place], player)
            results += lines
            results += [0.0] * (room * self._widths[name] - len(lines))
        return results

    def _room(self, kind: str) -> int:
        return {GAME_KIND: 1, PLAYER_KIND: self.players}.get(kind, self.most_objects)

    def make_reader(self, kind: Type) -> tuple[int, FieldReader]:
        """Return the length of the encoding of a type's values, and the encoder."""
        match kind:
            case Optional(inner=inner):
                width, read = self.make_reader(inner)
                return (
                    width,
                    lambda state, value, player: [0.0] * width if value is None else read(state, value, player),
                )
            case ListOf(inner=Row(table=table)):
                rows = list(self.ruleset.declarations.tables[table].rows)
                return len(rows), lambda state, value, player: [float(row in value) for row in rows]
            case ListOf(inner=RecordOf() as record):
                return self._reader_of_records(record)
            case ListOf(inner=inner):
                single, most = self._single(inner), self.most_objects

                def read_list(state: State, value: Any, player: int) -> list[float]:
                    lines = [single(state, each, player) for each in value[:most]]
                    return [float(len(value)), *lines, *([0.0] * (most - len(lines)))]

                return 1 + most, read_list
            case MapOf(table=table, inner=inner):
                wide, read_one = self.make_reader(inner)

                def read_map(state: State, value: Any, player: int) -> list[float]:
                    return [number for each in value for number in read_one(state, each, player)]

                return wide * len(self.ruleset.declarations.tables[table].rows), read_map
            case RecordOf():
                return self._reader_of_parts(kind)
            case Text():
                return 0, lambda state, value, player: []
        only = self._single(kind)
        return 1, lambda state, value, player: [only(state, value, player)]

    def _reader_of_parts(self, kind: RecordOf) -> tuple[int, FieldReader]:
        """Return the length and the encoder for a record, which encodes its parts in order."""
        readers = [self.make_reader(part) for _, part in kind.parts]

        def read_parts(state: State, value: Any, player: int) -> list[float]:
            parts = zip(readers, value, strict=True)
            return [number for (_, read), each in parts for number in read(state, each, player)]

        return sum(width for width, _ in readers), read_parts

    def _reader_of_records(self, kind: RecordOf) -> tuple[int, FieldReader]:
        """Return the length and the encoder for a list of records: their number, and the first of them."""
        wide, read_one = self._reader_of_parts(kind)
        most = self.most_objects

        def read_records(state: State, value: Any, player: int) -> list[float]:
            lines = [number for each in value[:most] for number in read_one(state, each, player)]
            return [float(len(value)), *lines, *([0.0] * (most * wide - len(lines)))]

        return 1 + most * wide, read_records

    def _single(self, kind: Type) -> Callable[[State, Any, int], float]:
        """Return the encoder of a value as a single number."""
        match kind:
            case Row(table=table):
                places = _places(self.ruleset.declarations.tables[table].rows)
                return lambda state, value, player: places[value]
            case Choice(ids=options):
                chosen = _places(options)
                return lambda state, value, player: chosen[value]
            case Entity(kind=name) if name == PLAYER_KIND:
                return lambda state, value, player: 0.0 if value is None else float(self._chair(value, player))
            case Entity(kind=name):
                number = self.layout.kinds[name]

                def place_among(state: State, value: Any, player: int) -> float:
                    live = state.live[number]
                    return float(live.index(value) + 1) if value in live else 0.0

                return place_among
        return lambda state, value, player: _encode(value)

    def _chair(self, seat: int, player: int) -> int:
        """Return a seat relative to the observer, whose own seat is 1."""
        return (seat - FIRST_PLAYER - player) % self.players + 1


def to_plain(value: Any) -> Any:
    """Return a value as JSON data, with `?` for hidden values, and rolls in dice notation."""
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if value is HIDDEN:
        return "?"
    return dice_text(value) if isinstance(value, Roll) else value


def _places(ids: Iterable[str]) -> dict[str | None, float]:
    """Return the position of each id, from 1, with 0 for None."""
    return {None: 0.0, **{each: float(place) for place, each in enumerate(ids, start=1)}}


def _encode(value: Any) -> float:
    """Return a number or boolean unchanged, the mean of a roll, and 0 for a missing value."""
    if isinstance(value, Roll):
        return float(compute_mean(value))
    return float(value) if isinstance(value, int) else 0.0
