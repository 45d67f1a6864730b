"""Input fields for the starting position of a trial, made from the types of the values that it reads, and for rolls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from rulewright.base.errors import RulewrightError
from rulewright.engine.narration.plain_names import Names, capitalize
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.declarations import FIRST_PLAYER, GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.lowering import list_operations
from rulewright.language.operations import Chance
from rulewright.language.types import PLAYER, Boolean, Choice, Entity, Integer, ListOf, Optional, Row, Type, present
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.yaml.yaml_reader import read_text
from rulewright.studio.panels.watched_run import WatchingInterpreter
from rulewright.testing.expected_values import write_value

MOST_FIELDS = 32
"""The maximum number of fields for values of objects. Larger positions are written as YAML."""

MOST_OBJECTS = 50
"""The maximum number of objects of a kind, and of players, that fields can set."""

COUNT = "#"
"""The last part of the path of a field that has a number of objects."""

SETTING = "options."
"""The beginning of the name of a value of the game that is a setting."""

PLAYERS = "players"
"""The first part of the path of a player's field."""


def choose_missing(ruleset: Ruleset, procedure: Procedure, given: Mapping[str, str]) -> dict[str, str]:
    """Return the given values, with a choice for each other parameter without a default whose type has few values.

    It is the first choice, and for a boolean no.
    """
    results = dict(given)
    for name, kind in procedure.parameters.items():
        if name not in given and not isinstance(kind, Optional) and kind != PLAYER:
            choices = _list_choices(ruleset, kind, 1)
            if choices:
                results[name] = choices[-1]["value"] if isinstance(kind, Boolean) else choices[0]["value"]
    return results


def build_parameter_field(ruleset: Ruleset, kind: Type, players: int) -> dict[str, Any]:
    """Return the input field for a value: a number, one of some choices, or text."""
    if isinstance(kind, Integer):
        return {"input": "number", "least": None}
    choices = _list_choices(ruleset, present(kind), players)
    if not choices:
        return {"input": "text"}
    none = [{"value": "none", "text": "none"}] if isinstance(kind, Optional) else []
    return {"input": "choice", "choices": [*none, *choices]}


def _list_choices(ruleset: Ruleset, kind: Type, players: int) -> list[dict[str, str]]:
    """Return the values of a type that has few, each with its text, or nothing for other types."""
    names = Names(ruleset)
    match kind:
        case Boolean():
            return [{"value": "true", "text": "yes"}, {"value": "false", "text": "no"}]
        case Row(table=table):
            rows = ruleset.declarations.tables[table].rows
            return [{"value": row, "text": capitalize(names.name_row(table, row))} for row in rows]
        case Choice(ids=ids):
            return [{"value": each, "text": capitalize(names.name_choice(each))} for each in ids]
        case Entity(kind="player"):
            return [{"value": str(seat), "text": f"Player {seat}"} for seat in range(1, players + 1)]
    return []


def list_position_fields(procedure: Procedure, watched: WatchingInterpreter) -> list[dict[str, Any]]:
    """Return the input fields for the values of the starting position that a run has read.

    They are fields of players, of parameters, of the game and of other objects, and the numbers of these. Each has its
    `path` for `set_values`. Numbers of objects come first, then the game, the players, the parameters, and the other
    objects. The result is empty if the run never began, and has `MOST_FIELDS` fields at most.
    """
    state = watched.beginning
    if state is None:
        return []
    ruleset = watched.ruleset
    players = len(state.live[1])
    arguments = dict(zip(watched.arguments, procedure.parameters, strict=True))
    names = Names.for_state(state)
    results: list[tuple[tuple[int, int], dict[str, Any]]] = []
    numbers: dict[int, int] = {}
    for kind in watched.kinds:
        declared = ruleset.declarations.kinds[kind]
        if kind not in (PLAYER_KIND, GAME_KIND) and declared.plural not in procedure.parameters:
            listed = [entity for entity in state.live[watched.layout.kinds[kind]] if entity not in arguments]
            numbers |= {entity: number for number, entity in enumerate(listed, start=1)}
            more = {"input": "number", "least": 0, "value": str(len(listed))}
            results.append(((0, 0), {"path": f"{declared.plural}.{COUNT}", "text": _label_number(names, kind), **more}))
    for entity, kind, name in watched.fields:
        declared = ruleset.declarations.kinds[kind]
        if kind == PLAYER_KIND:
            place, owner, order = f"{PLAYERS}.{entity - FIRST_PLAYER + 1}.", names.name_player(entity), (2, entity)
        elif kind == GAME_KIND:
            place, owner, order = "", "", (1, 0)
        elif isinstance(named := arguments.get(entity), str) and isinstance(procedure.parameters[named], Entity):
            owner = names.format_words(procedure.called.get(named, "")) or named.replace("_", " ")
            place, order = f"{named}.", (3, entity)
        elif entity in numbers:
            place, owner = f"{declared.plural}.{numbers[entity]}.", f"{names.name_kind(kind)} {numbers[entity]}"
            order = (4, entity)
        else:
            continue
        if name not in declared.fields:  # a value that only the engine uses
            continue
        field = declared.fields[name]
        view = build_parameter_field(ruleset, field.type, players)
        if view["input"] == "text":
            continue
        if view["input"] == "number":
            view["least"] = field.minimum
        value = write_value(state.objects[entity][watched.layout.places[kind, name]], field.type)
        setting = ruleset.declarations.options.get(name.removeprefix(SETTING)) if name.startswith(SETTING) else None
        if setting is None:
            what = names.name_field(kind, name)
        else:
            what = names.format_words(setting.title) or setting.id.replace("_", " ")
            words = [{"value": each, "text": names.format_words(text)} for each, text in setting.choices.items()]
            view = {"input": "choice", "choices": words}
        text = f"{owner}: {what}" if owner else what
        results.append((order, {"path": f"{place}{name}", "text": capitalize(text), "value": value, **view}))
    return [each for _, each in sorted(results, key=lambda each: each[0])[:MOST_FIELDS]]


def _label_number(names: Names, kind: str) -> str:
    """Return the label of the number of objects of a kind, with the plural of its term, or else its plural."""
    declared = names.ruleset.declarations
    term = declared.terms.get(kind) or declared.terms.get(declared.kinds[kind].term)
    plural = declared.kinds[kind].wording.get("several") or (term.plural if term is not None else "")
    return f"Number of {names.format_words(plural) or declared.kinds[kind].plural.replace('_', ' ')}"


def describe_lack(procedure: Procedure, watched: WatchingInterpreter) -> str:
    """Return what the start lacks if a run stopped because there is nothing to choose from, and what to set.

    The result is "" for any other run, and if the start has fields for nothing that could be chosen.
    """
    step, state = watched.stuck or (None, None)
    source = getattr(step.action, "source", None) if step is not None else None
    chosen = source.type.inner if isinstance(source, Typed) and isinstance(source.type, ListOf) else None
    if state is None or not isinstance(chosen, Entity) or chosen.kind in (PLAYER_KIND, GAME_KIND):
        return ""
    plural = watched.ruleset.declarations.kinds[chosen.kind].plural
    if plural in procedure.parameters:
        return ""
    names = Names.for_state(state)
    name, there = names.name_kind(chosen.kind), len(state.live[watched.layout.kinds[chosen.kind]])
    if not there:
        return f"There is no {name}. Set {_label_number(names, chosen.kind)} to 1 or more"
    return f"No {name} can be chosen at this start: none of the {there} there fits the step"


def set_values(given: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """Return a starting position as YAML by name, with the values of `list_position_fields` set by their paths.

    Raises `RulewrightError` for a path or a value that does not fit the position.
    """
    results = dict(given)
    for path, text in values.items():
        head, *rest = path.split(".")
        match rest:
            case []:
                results[head] = text
            case [last] if last == COUNT:
                results[head] = _write(_resize(_read_list(results, head), _read_number(path, text)))
            case [last]:
                whole = _read(results.get(head, "{}"))
                if not isinstance(whole, dict):
                    raise RulewrightError(f"`{head}` is not written as a mapping: set `{last}` where it is written")
                results[head] = _write({**whole, last: _read(text)})
            case [each, last]:
                place = _read_number(path, each)
                listed = _read_list(results, head)
                listed = _resize(listed, max(len(listed), place))
                if place < 1 or not isinstance(listed[place - 1], dict):
                    raise RulewrightError(f"the starting position has no field `{path}`")
                listed[place - 1] = {**listed[place - 1], last: _read(text)}
                results[head] = _write(listed)
            case _:
                raise RulewrightError(f"a starting position has no field `{path}`")
    return results


def _read_list(given: Mapping[str, str], name: str) -> list[Any]:
    listed = _read(given.get(name, "[]"))
    if not isinstance(listed, list):
        raise RulewrightError(f"`{name}` must be a list")
    return listed


def _resize(listed: list[Any], count: int) -> list[Any]:
    return [*listed[:count], *({} for _ in range(count - len(listed)))]


def _read_number(path: str, text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_OBJECTS:
        raise RulewrightError(f"`{path}` must be a whole number from 0 to {MOST_OBJECTS}")
    return int(text)


def _read(text: str) -> Any:
    """Return a YAML value as plain data. Raises `DiagnosticError` for invalid YAML."""
    node = read_text(f"value: {text.strip()}\n", "given")
    if not isinstance(node, MappingNode) or "value" not in node.entries:
        raise RulewrightError(f"`{text}` is not a value")
    return node.entries["value"].value.to_plain()


def _write(value: Any) -> str:
    """Return plain data as YAML on one line."""
    return str(yaml.safe_dump(value, default_flow_style=True, width=10**6, allow_unicode=True, sort_keys=False)).strip()


def label_faces(names: Names, step: Step, bounds: tuple[int, int]) -> dict[str, str]:
    """Return the titles of the rows that the results of a roll lead to, or {} if the roll is on no table.

    It is also empty if `bounds`, the lowest and the highest sum of the dice, are not those of the table: with a bonus,
    the dice show something else.
    """
    table_id = next((each.table for each in list_operations(step) if isinstance(each, Chance)), None)
    rows = names.ruleset.declarations.tables[table_id].by_face if table_id else {}
    if not table_id or not rows or (min(rows), max(rows)) != bounds:
        return {}
    return {str(face): names.name_row(table_id, row) for face, row in rows.items()}
