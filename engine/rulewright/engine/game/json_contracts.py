"""The JSON Schemas of the data that a game returns: decisions, logs, snapshots, views, records, saves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
_ID: Schema = {"type": "string", "pattern": "^[^ ]+-[0-9]+$", "description": "An object: its kind and its number."}
_HIDDEN = "Left out for seats that may not see it."
_ANY: Schema = {"description": "A value as its field's type has it."}


@dataclass(frozen=True, slots=True)
class Contract:
    """A named data format, its description, and the function that builds its schema for one ruleset or for all."""

    name: str
    means: str
    make: Callable[[Ruleset | None], Schema]


def _object(properties: Mapping[str, Schema], *, says: str = "") -> Schema:
    described = {"description": says} if says else {}
    return {
        **described,
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
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
            "name": {**_TEXT, "description": "Its name in the rule that asks."},
            "kind": {**_TEXT, "description": "A kind of object, or a table."},
            "id": {**_TEXT, "description": "The object, as in a snapshot, or the row."},
            "label": {**_TEXT, "description": "What players call it."},
        }
    )
    option = _object(
        {
            "id": {**_TEXT, "description": "What `choose` takes; the same in every run of the same game."},
            "label": {**_TEXT, "minLength": 1, "description": "What players read; no two options have the same."},
        }
    )
    return _object(
        {
            "player": _SEAT,
            "ask": {**_TEXT, "description": "The question."},
            "rule": {**_TEXT, "description": "The step that asks, `procedure.step`."},
            "about": _list(subject, "What the question is about."),
            "options": _list(option, "What can be chosen, in order."),
        }
    )


def stop_schemas() -> dict[str, Schema]:
    """Return the schemas of `decision`, `chance` and `result`, each of which may be null."""
    chance = _object({"rule": _TEXT, "roll": {**_TEXT, "description": "The notation of a roll, or that it is a card."}})
    result = _object({"winners": _list(_SEAT, "Nobody in it is a draw.")})
    return {
        "decision": _or_null(_decision(), "The pending decision, if there is one."),
        "chance": _or_null(chance, "The pending roll or draw, if there is one."),
        "result": _or_null(result, "How the game ended, if it has."),
    }


def build_decision_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of `Decision.to_json`."""
    return _whole("Decision", "A question to a player.", _decision())


def log_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of a list of `Event.to_json`."""
    return _whole("Log", "What happened, in order.", _list(_event()))


def _event() -> Schema:
    return _object(
        {
            "rule": {**_TEXT, "description": "The step that made it happen, `procedure.step`."},
            "verb": {**_TEXT, "description": "What kind of step that is."},
            "weight": {"enum": [each.name.lower() for each in Weight], "description": "How important the event is."},
            "set_up": {"type": "boolean", "description": "Whether it came before anybody chose anything."},
            "text": {**_TEXT, "description": "The event as a sentence; empty if there is nothing to report."},
            "data": {"type": "object", "description": "Its values by name, as `Event` lists them."},
        }
    )


def record_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of `Game.record_for`. It is the same for any ruleset."""
    line = {"type": "array", "description": "`choose` and an option, or `chance`, a result and its faces; or null."}
    record = _object(
        {
            "format": {"const": 1},
            "ruleset": _TEXT,
            "digest": {**_TEXT, "description": "The digest of the gameplay."},
            "players": {"type": "integer", "minimum": 1},
            "options": {"type": "object", "additionalProperties": _TEXT},
            "seat": {"type": "integer", "minimum": 0, "description": "Who may read it; 0 is a spectator."},
            "record": _list(line, "Each choice and result, with null if it is hidden from the seat."),
            "log": _list(_event(), "What happened, in order, without what is hidden from the seat."),
        }
    )
    return _whole("Record", "A game as a player in a seat may know it, without its seed.", record)


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
            "ruleset": {**_TEXT, "description": "The reference, with its version."},
            "digest": {**_TEXT, "description": "The digest of the gameplay."},
            "players": {"type": "integer", "minimum": 1},
            "options": {**options, "description": "What each setting is set to."},
            **stop_schemas(),
            "values": {**values, "description": "What the game as a whole holds."},
            "objects": {**objects, "description": "Every object in the game, by kind, in the order of their making."},
            "under_way": _list(under_way, "The procedures under way, the outermost first."),
        }
    )
    return _whole("Snapshot", "A whole game at a stop, by name.", schema)


def view_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of `Game.view`. It is the same for any ruleset."""
    named = _list(_object({"name": _TEXT, "value": _TEXT}), "What it holds, in words.")
    piece = _object(
        {
            "tile": {**_TEXT, "description": "The tile it is on, as in `tiles`."},
            "id": _ID,
            "label": _TEXT,
            "icon": _TEXT,
            "name": {**_TEXT, "description": "What its kind is called."},
            "seat": {"type": ["integer", "null"], "description": "Its owner, or null."},
        }
    )
    board = _object(
        {
            "table": _TEXT,
            "shape": {
                "enum": list(load_shapes()),
                "description": "What its tiles are. Every other row of hexagons begins half a tile further to the "
                "right; of slanted ones, each row does.",
            },
            "tiles": _list(_list(_TEXT), "The tiles' ids, row by row."),
            "pieces": _list(piece, "The objects on it."),
        }
    )
    schema = _object(
        {
            "format": {"const": 1},
            "ruleset": _TEXT,
            "title": _TEXT,
            "seat": {
                "anyOf": [{"type": ["integer", "null"]}, {"const": EVERYTHING}],
                "description": "Whose view it is; null for a spectator's, `everything` where nothing is left out.",
            },
            "your_turn": {"type": "boolean"},
            **stop_schemas(),
            "values": named,
            "players": _list(_object({"seat": _SEAT, "name": _TEXT, "values": named})),
            "boards": _list(board),
            "yours": _list(_object({"id": _ID, "kind": _TEXT, "label": _TEXT, "values": named}), "What the seat owns."),
        }
    )
    return _whole("View", "A game as one seat sees it.", schema)


def save_schema(ruleset: Ruleset | None = None) -> Schema:
    """Return the schema of a save. Its state and its record are private, and the schema is the same for any ruleset."""
    save = _object(
        {
            "ruleset": _TEXT,
            "digest": {**_TEXT, "description": "The digest of the gameplay; it opens with no other."},
            "players": {"type": "integer", "minimum": 1},
            "options": {"type": "object", "additionalProperties": _TEXT},
            "seed": {"type": ["integer", "string"]},
            "stop_at_chance": {"type": "boolean"},
            "rolled": {"type": "integer", "minimum": 0, "description": "How far the generator has come."},
            "state": {"type": "object"},
            "record": _list({"type": "array"}, "Each choice, and each result that came up."),
        }
    )
    check = {"type": "string", "description": "The SHA-256 digest of the text of `save`."}
    whole = _object({"rulewright": {"const": 2}, "check": check, "save": save})
    return _whole("Save", "A game that was saved.", whole)


def _build_entity(fields: Schema) -> Schema:
    return _object({"id": _ID, "label": _TEXT, "fields": fields})


def _fields(ruleset: Ruleset, kind: str) -> Schema:
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
        Contract("decision", "a question to a player, as `Decision.to_json` gives it", build_decision_schema),
        Contract("log", "what happened in a game, as `replay --json` prints it", log_schema),
        Contract("snapshot", "a whole game by name, as `Game.snapshot` gives it", build_snapshot_schema),
        Contract("view", "a game as a player wants to see it, as `Game.view` gives it", view_schema),
        Contract("record", "a game as a seat may know it, as `Game.record_for` gives it", record_schema),
        Contract("save", "a saved game", save_schema),
    )
}
"""All schemas by name."""
