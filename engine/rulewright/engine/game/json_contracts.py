"""The JSON Schemas of the data that a game returns: decisions, logs, snapshots, views, records, saves, people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rulewright.engine.game.people_file import SCHEMA as PEOPLE
from rulewright.engine.game.snapshot import EVERYTHING
from rulewright.engine.narration.events import Weight
from rulewright.ir.analyses.information_flow import find_secrets
from rulewright.language.declarations import GAME_KIND
from rulewright.language.types import Boolean, Choice, Entity, Integer, ListOf, MapOf, Optional, RecordOf, Row, Type
from rulewright.ruleset.boards.board_shape import load_shapes
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.json_schema import DIALECT, Schema

_TEXT: Schema = {"type": "string"}
_SEAT: Schema = {"type": "integer", "minimum": 1, "description": "A seat, counted from 1."}
_ID: Schema = {
    "type": "string",
    "pattern": "^[^ ]+-[0-9]+$",
    "description": "The id of an object: its kind and its number.",
}
_HIDDEN = "Left out for viewers who may not see it."
_ANY: Schema = {"description": "A value of the field's type."}


@dataclass(frozen=True, slots=True)
class Contract:
    """A named data format, its description, and the function that builds its schema for one ruleset or for all."""

    name: str
    means: str
    make: Callable[[Ruleset | None], Schema]


def _object(properties: Mapping[str, Schema], *, says: str = "", optional: frozenset[str] = frozenset()) -> Schema:
    """Return the schema of an object with exactly these properties, all required but those in `optional`."""
    described = {"description": says} if says else {}
    return {
        **described,
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _list(items: Schema, says: str = "") -> Schema:
    return {**({"description": says} if says else {}), "type": "array", "items": items}


def _or_null(schema: Schema, says: str) -> Schema:
    return {"description": says, "anyOf": [schema, {"type": "null"}]}


def _whole(title: str, says: str, schema: Schema) -> Schema:
    return {"$schema": DIALECT, "title": title, **schema, "description": says}


def _decision() -> Schema:
    subject = _object(
        {
            "name": {**_TEXT, "description": "The name in the rule that asks."},
            "kind": {**_TEXT, "description": "The kind of the object, or the table of the row."},
            "id": {**_TEXT, "description": "The id of the object, as in a snapshot, or of the row."},
            "label": {**_TEXT, "description": "The text that players read."},
        }
    )
    option = _object(
        {
            "id": {**_TEXT, "description": "The id for `choose`, which is the same in every run of the same game."},
            "label": {
                **_TEXT,
                "minLength": 1,
                "description": "The text that players read, which differs for every option.",
            },
        }
    )
    number = {"type": "integer", "minimum": 0}
    subset = _object(
        {
            "elements": _list(_TEXT, "The labels of the elements, in order."),
            "at_least": {**number, "description": "The minimum number of elements to choose."},
            "at_most": {**number, "description": "The maximum number of elements to choose."},
            "in_order": {"type": "boolean", "description": "Whether their order matters. Only if it does."},
        },
        optional=frozenset({"in_order"}),
        says=(
            "Only if the options are selections from a list: they are ordered by size, then like combinations, or like "
            "permutations with `in_order`."
        ),
    )
    return _object(
        {
            "player": _SEAT,
            "ask": {**_TEXT, "description": "The question."},
            "rule": {**_TEXT, "description": "The step that asks, as `procedure.step`."},
            "about": _list(subject, "The objects and rows that the question is about."),
            "options": _list(option, "The options, in order."),
            "subset": subset,
        },
        optional=frozenset({"subset"}),
    )


def stop_schemas() -> dict[str, Schema]:
    """Return the schemas of `decision`, `chance` and `result`. Each value may be null."""
    chance = _object({"rule": _TEXT, "roll": {**_TEXT, "description": "The notation of a roll, or `a card`."}})
    result = _object({"winners": _list(_SEAT, "The winners. An empty list is a draw.")})
    return {
        "decision": _or_null(_decision(), "The pending decision, or null."),
        "chance": _or_null(chance, "The pending roll or draw, or null."),
        "result": _or_null(result, "The result, or null while the game is in progress."),
    }


def build_decision_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of `Decision.to_json`."""
    return _whole("Decision", "A decision that a player has to make.", _decision())


def log_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of a list of `Event.to_json`."""
    return _whole("Log", "The events of a game, in order.", _list(_event()))


def _event() -> Schema:
    return _object(
        {
            "rule": {**_TEXT, "description": "The step that caused the event, as `procedure.step`."},
            "verb": {**_TEXT, "description": "The type of that step."},
            "weight": {"enum": [each.name.lower() for each in Weight], "description": "The importance of the event."},
            "set_up": {"type": "boolean", "description": "Whether the event came before the first decision."},
            "text": {**_TEXT, "description": "The event as a sentence; empty if there is nothing to report."},
            "data": {"type": "object", "description": "The values of the event by name, as in the class `Event`."},
        }
    )


def record_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of `Game.record_for`. It is the same for any ruleset."""
    line = {
        "type": "array",
        "description": "`choose` with an option, or `chance` with a result and its faces, or null.",
    }
    record = _object(
        {
            "format": {"const": 1},
            "ruleset": _TEXT,
            "digest": {**_TEXT, "description": "The gameplay digest."},
            "players": {"type": "integer", "minimum": 1},
            "options": {"type": "object", "additionalProperties": _TEXT},
            "seat": {
                "type": "integer",
                "minimum": 0,
                "description": "The seat that may read the record, or 0 for a spectator.",
            },
            "record": _list(line, "All choices and results, with null for those hidden from the seat."),
            "log": _list(_event(), "The events, in order, without what is hidden from the seat."),
        }
    )
    return _whole("Record", "A game as a player in one seat may know it, without its seed.", record)


def build_snapshot_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of `Game.snapshot`. With a ruleset, it includes the type of each field."""
    values: Schema = {"type": "object", "additionalProperties": _ANY}
    objects: Schema = {"type": "object", "additionalProperties": _list(_build_entity({"type": "object"}))}
    options: Schema = {"type": "object", "additionalProperties": _TEXT}
    if ruleset is not None:
        declared = ruleset.declarations
        values = _fields(ruleset, GAME_KIND)
        objects = _object(
            {name: _list(_build_entity(_fields(ruleset, name))) for name in declared.kinds if name != GAME_KIND}
        )
        options = _object({option.id: {"enum": list(option.choices)} for option in declared.options.values()})
    under_way = _object(
        {"procedure": _TEXT, "step": {"type": ["string", "null"]}, "names": {"type": "object"}},
        says="A running procedure, its current step and the values of its names.",
    )
    schema = _object(
        {
            "format": {"const": 1},
            "ruleset": {**_TEXT, "description": "The reference of the ruleset, with its version."},
            "digest": {**_TEXT, "description": "The gameplay digest."},
            "players": {"type": "integer", "minimum": 1},
            "options": {**options, "description": "The choice of each setting."},
            **stop_schemas(),
            "values": {**values, "description": "The values of the game."},
            "objects": {**objects, "description": "All objects in the game, by kind, in the order of creation."},
            "under_way": _list(under_way, "The running procedures, outermost first."),
        }
    )
    return _whole("Snapshot", "The whole state of a game at a pause point, by name.", schema)


def view_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of `Game.view`. It is the same for any ruleset."""
    named = _list(_object({"name": _TEXT, "value": _TEXT}), "The values, in words.")
    described = _object({"id": _ID, "kind": _TEXT, "label": _TEXT, "values": named})
    piece = _object(
        {
            "tile": {**_TEXT, "description": "The id of the object's tile, as in `tiles`."},
            "id": _ID,
            "label": _TEXT,
            "icon": _TEXT,
            "name": {**_TEXT, "description": "The name of the object's kind."},
            "seat": {"type": ["integer", "null"], "description": "The owner's seat, or null."},
        }
    )
    board = _object(
        {
            "table": _TEXT,
            "shape": {
                "enum": list(load_shapes()),
                "description": "The shape of the board. Every second row of hexagons is shifted to the right by half "
                "a tile. On a slanted board, every row is shifted that much further. A lettered board is a grid.",
            },
            "tiles": _list(_list(_TEXT), "The ids of the tiles, row by row."),
            "pieces": _list(piece, "The objects on the board."),
        }
    )
    schema = _object(
        {
            "format": {"const": 1},
            "ruleset": _TEXT,
            "title": _TEXT,
            "seat": {
                "anyOf": [{"type": ["integer", "null"]}, {"const": EVERYTHING}],
                "description": "The viewing seat, null for a spectator, or `everything` if nothing is hidden.",
            },
            "your_turn": {"type": "boolean"},
            **stop_schemas(),
            "values": named,
            "players": _list(_object({"seat": _SEAT, "name": _TEXT, "values": named})),
            "boards": _list(board),
            "yours": _list(described, "The objects that the seat owns."),
            "objects": _list(
                described, "The other objects that are on no board, and of which the seat sees at least one value."
            ),
        }
    )
    return _whole("View", "The view of a game from one seat.", schema)


def save_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of a save. Its state and its record are private, and the schema is the same for any ruleset."""
    save = _object(
        {
            "ruleset": _TEXT,
            "digest": {
                **_TEXT,
                "description": "The gameplay digest. The save can be loaded only with the same gameplay.",
            },
            "players": {"type": "integer", "minimum": 1},
            "options": {"type": "object", "additionalProperties": _TEXT},
            "seed": {"type": ["integer", "string"]},
            "stop_at_chance": {"type": "boolean"},
            "rolled": {
                "type": "integer",
                "minimum": 0,
                "description": "The number of random words that the generator has used.",
            },
            "state": {"type": "object"},
            "record": _list({"type": "array"}, "All choices and chance results."),
        }
    )
    check = {"type": "string", "description": "The SHA-256 digest of the text of `save`."}
    whole = _object({"rulewright": {"const": 2}, "check": check, "save": save})
    return _whole("Save", "A saved game.", whole)


def build_people_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of a file about the people of a save. It is the same for any ruleset."""
    return _whole("People", "The people of a saved game.", PEOPLE)


def _build_entity(fields: Schema) -> Schema:
    return _object({"id": _ID, "label": _TEXT, "fields": fields})


def _fields(ruleset: Ruleset, kind: str) -> Schema:
    """Return the schema of the fields of a kind, without settings. Hidden fields are not required."""
    fields = ruleset.declarations.kinds[kind].fields.values()
    hidden = find_secrets(ruleset).fields[kind]
    schema = _object(
        {
            f.name: {**_value(ruleset, f.type), **({"description": _HIDDEN} if f.name in hidden else {})}
            for f in fields
            if not f.name.startswith("options.")
        }
    )
    schema["required"] = [name for name in schema["required"] if name not in hidden]
    return schema


def _value(ruleset: Ruleset, kind: Type) -> Schema:
    """Return the schema of a value of a type as JSON data. Rolls and texts are strings."""
    match kind:
        case Optional(inner=inner):
            return {"anyOf": [_value(ruleset, inner), {"type": "null"}]}
        case ListOf(inner=inner):
            return _list(_value(ruleset, inner))
        case MapOf(table=table, inner=inner):
            return _object({row: _value(ruleset, inner) for row in ruleset.declarations.tables[table].rows})
        case RecordOf(parts=parts):
            return _object({name: _value(ruleset, part) for name, part in parts})
        case Boolean():
            return {"type": "boolean"}
        case Integer():
            return {"type": "integer"}
        case Choice(ids=ids):
            return {"enum": list(ids)}
        case Row(table=table):
            return {"enum": list(ruleset.declarations.tables[table].rows)}
        case Entity(kind=name):
            return {"type": "string", "pattern": f"^{name}-[0-9]+$"}
    return {"type": "string"}


CONTRACTS: Mapping[str, Contract] = {
    contract.name: contract
    for contract in (
        Contract("decision", "a player's decision, as `Decision.to_json` returns it", build_decision_schema),
        Contract("log", "the events of a game, as `replay --json` prints them", log_schema),
        Contract("snapshot", "the state of a game by name, as `Game.snapshot` returns it", build_snapshot_schema),
        Contract("view", "a player's view of a game, as `Game.view` returns it", view_schema),
        Contract("record", "a game as one seat may know it, as `Game.record_for` returns it", record_schema),
        Contract("save", "a saved game", save_schema),
        Contract("people", "the people of a saved game, in NAME.people.json beside NAME.json", build_people_schema),
    )
}
"""All schemas by name."""
