"""The encoding of observations inside WebAssembly memory: tables for the runtime that match `ObservationEncoder`.

The runtime (`engine/runtime/batch.c`) knows no ruleset. Its tables come from `observation` and `action_numbering`:
the fields of every kind, the viewers and the encoding of every field, and the action numbers of every decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulewright.engine.wasm_backend.game_batch import lay_out_means
from rulewright.engine.wasm_backend.module_assembly import list_hidden_fields
from rulewright.engine.wasm_backend.wasm_machine import WasmMachine
from rulewright.integrations.action_numbering import OptionSet, list_questions
from rulewright.integrations.numeric_game import GameSetting
from rulewright.integrations.observation import ObservationEncoder
from rulewright.integrations.option_features import find_described_kind
from rulewright.ir.analyses import option_ranges as r
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
    present,
)
from rulewright.language.visibility import SHOWN

_NUMBER, _PLACE, _WORD, _SEAT, _THING, _MEAN, _NOTHING, _ROWS, _LIST, _MAP, _PARTS = range(11)
_EVERYBODY, _NOBODY = -1, -2
_BY_NUMBER, _BY_TABLE, _OR_NONE, _BY_PARTS, _BY_ELEMENTS = range(5)
_Put = Callable[[Sequence[int]], int]


def build_tables(machine: WasmMachine, put: _Put, *, setting: GameSetting) -> Mapping[str, int]:
    """Write a ruleset's tables into memory with `put`, and return their addresses and sizes by runtime names.

    If objects have dice, the means of all rolls of the rules are also written.
    """
    if any(
        _holds_dice(each.type) for kind in machine.ruleset.declarations.kinds.values() for each in kind.fields.values()
    ):
        lay_out_means(machine)
    tables = _ObservationTables(machine, put, setting.eyes)
    return {
        "width": setting.eyes.size,
        "actions": setting.actions.count,
        "shared": setting.actions.shared,
        "feature_width": setting.features.width if setting.features is not None else 0,
        "kinds": tables.kinds(),
        "questions": _list_requests(tables, setting),
    }


def _holds_dice(kind: Type) -> bool:
    """Return whether values of a type are rolls or may contain rolls."""
    match kind:
        case Optional(inner=inner) | ListOf(inner=inner) | MapOf(inner=inner):
            return _holds_dice(inner)
        case RecordOf(parts=parts):
            return any(_holds_dice(part) for _, part in parts)
    return isinstance(kind, Dice)


class _ObservationTables:
    """The tables of the observation encoding."""

    def __init__(self, machine: WasmMachine, put: _Put, eyes: ObservationEncoder) -> None:
        self.machine = machine
        self.put = put
        self.eyes = eyes
        self._readers: dict[tuple[Type, bool], tuple[int, int]] = {}
        self._seers = {field: place for place, field in enumerate(list_hidden_fields(machine.ruleset))}

    def kinds(self) -> int:
        """Write the table of all kinds, and those of their fields, into memory, and return its address."""
        words: list[int] = []
        for name in self.eyes.layout.names:
            fields, wide = self._fields(name)
            room = {GAME_KIND: 1, PLAYER_KIND: self.eyes.players}.get(name, self.eyes.most_objects)
            words += [room, wide, len(self.eyes.layout.fields[name]), fields]
        return self.put(words)

    def _fields(self, kind: str) -> tuple[int, int]:
        """Write the table of a kind's fields into memory, and return its address and the width of the encoding.

        The width is how many numbers encode one object.
        """
        words: list[int] = []
        wide = 0
        places = self.eyes.layout.places
        for name, field in self.machine.ruleset.declarations.kinds[kind].fields.items():
            reader, width = self.reader(field.type)
            wide += width
            seers, place = _EVERYBODY, 0
            if name in self.eyes.sight.secrets.fields[kind]:
                seers = _NOBODY
                if field.seen_by is not None:
                    seers, place = self._seers[kind, name], places[kind, f"{SHOWN}{name}"]
            words += [places[kind, name], reader, seers, place]
        return self.put(words), wide

    def reader(self, kind: Type, *, single: bool = False) -> tuple[int, int]:
        """Return the address of the encoder of a type, and how many numbers it writes, which is one if `single`.

        The first call for a type adds the encoder to the tables.
        """
        key = (kind, single)
        if key not in self._readers:
            words = self._single(kind) if single else self._any(kind)
            self._readers[key] = self.put(words), words[1]
        return self._readers[key]

    def _any(self, kind: Type) -> list[int]:
        """Return the table entry for a value of a type. The encoders of the types inside it are written into memory."""
        rows = self.machine.ruleset.declarations.tables
        match kind:
            case Optional(inner=inner):
                return self._any(inner)
            case ListOf(inner=Row(table=table)):
                return [_ROWS, len(rows[table].rows), 0, 0]
            case ListOf(inner=inner):
                most = self.eyes.most_objects
                each, wide = self.reader(inner, single=not isinstance(inner, RecordOf))
                return [_LIST, 1 + most * wide, most, each]
            case MapOf(table=table, inner=inner):
                each, wide = self.reader(inner)
                return [_MAP, wide * len(rows[table].rows), 0, each]
            case RecordOf(parts=parts):
                readers = [self.reader(part) for _, part in parts]
                return [_PARTS, sum(wide for _, wide in readers), len(parts), 0, *(each for each, _ in readers)]
            case Text():
                return [_NOTHING, 0, 0, 0]
        return self._single(kind)

    def _single(self, kind: Type) -> list[int]:
        """Return the table entry for a value that is encoded as one number.

        For a choice, the positions of its ids are written into memory.
        """
        match kind:
            case Row():
                return [_PLACE, 1, 0, 0]
            case Choice(ids=ids):
                return [_WORD, 1, self.words(ids, first=1), 0]
            case Entity(kind=name) if name == PLAYER_KIND:
                return [_SEAT, 1, 0, 0]
            case Entity(kind=name):
                return [_THING, 1, self.eyes.layout.kinds[name], 0]
        match present(kind):
            case Integer() | Boolean() | Entity():
                return [_NUMBER, 1, 0, 0]
            case Dice():
                return [_MEAN, 1, 0, 0]
        return [_NOTHING, 1, 0, 0]

    def words(self, ids: Sequence[str], *, first: int) -> int:
        """Return the position of each of the ruleset's words among `ids`."""
        return self.put(_places(self.machine, ids, first=first))


def _places(machine: WasmMachine, ids: Sequence[str], *, first: int) -> list[int]:
    """Return the position of each word of the rules among `ids`, counted from `first`; for others, `first - 1`."""
    known = machine.module_info.layout.words
    result = [first - 1] * len(known)
    for place, each in enumerate(ids, start=first):
        if each in known:
            result[known[each]] = place
    return result


def _list_requests(tables: _ObservationTables, setting: GameSetting) -> int:
    """Write the table of all questions, by the numbers of their steps, into memory, and return its address."""
    machine, put, features = tables.machine, tables.put, setting.features
    words = [0] * (5 * (max(setting.ruleset.steps, default=0) + 1))
    for place, step in enumerate(list_questions(setting.ruleset), start=1):
        known = setting.actions.fixed.get(step.number)
        numbered = (0, 0) if known is None else (_option_set(machine, put, known.options), known.first)
        described = (0, 0)
        if features is not None and known is None:
            kind = features.types[step.number]
            entity_kind = find_described_kind(kind)
            described = (tables.reader(kind)[0], 0 if entity_kind is None else setting.eyes.layout.kinds[entity_kind])
        words[5 * step.number : 5 * step.number + 5] = [place, *numbered, *described]
    return put(words)


def _option_set(machine: WasmMachine, put: _Put, options: OptionSet) -> int:
    """Write the table of a set of options into memory, and return its address.

    It has the way to number them, their number, two parameters, and the addresses of the sets that they consist of.
    """
    inner = [_option_set(machine, put, each) for each in options.inner]
    match options.range:
        case r.OptionalRange():
            how = [_OR_NONE, 0, 0]
        case r.IdRange(ids=ids):
            places = _places(machine, ids, first=0)
            how = [_BY_TABLE, put(places), len(places)]
        case r.ObjectRange():
            table = [-1] * (max(options.values, default=0) + 1)
            for place, each in enumerate(options.values):
                table[each] = place
            how = [_BY_TABLE, put(table), len(table)]
        case r.NumberRange(low=low):
            how = [_BY_NUMBER, low, 0]
        case r.RecordRange():
            how = [_BY_PARTS, len(inner), 0]
        case r.SubsetRange(low=low, repeats=repeats):
            how = [_BY_ELEMENTS, low, int(repeats)]
        case _:  # rows and truths are stored as their positions
            how = [_BY_NUMBER, 0, 0]
    return put([how[0], len(options.values), *how[1:], *inner])
