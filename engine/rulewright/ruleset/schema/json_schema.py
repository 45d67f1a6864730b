"""Generate the JSON Schemas of rules files, and of the output of `check --format json`.

Each keyword applies to only one type of value (`properties` to mappings, `items` to lists, `pattern` to text), so that
all forms of a value fit into one schema without alternatives. Editors can then offer exact completions, and an error
has one position and one reason. The keywords mean the same from draft 7 on, for editors that support no later one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from rulewright.base.lazy import compute_once
from rulewright.language.schema_shapes import (
    EDIT_KEYS,
    FORMATS,
    POSITIONS,
    ByForm,
    Leaf,
    ListOf,
    MapOf,
    Record,
    Shape,
    Steps,
)
from rulewright.language.statement import Statement, load_statements
from rulewright.ruleset.schema import model
from rulewright.ruleset.schema.edition_reference import NAME, RANGE, VERSION
from rulewright.ruleset.schema.model import SOURCES
from rulewright.ruleset.schema.translation_schema import build_words_shape
from rulewright.ruleset.section import load_sections
from rulewright.source.yaml.yaml_reader import read_text

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

ID_PATTERN = "^[a-z][a-z0-9_]*$"
VERSION_PATTERN = f"^{VERSION}$"
RULESET_PATTERN = f"^{NAME}/{NAME}$"
EXTENDS_PATTERN = f"^{NAME}/{NAME}(@{RANGE})?$"

_PATTERNS: Mapping[str, str] = {"id": ID_PATTERN, "version": VERSION_PATTERN}


@compute_once
def _name_definitions() -> Mapping[int, str]:
    """Return the names in `$defs` of the schemas of entries, by the id of the schema object."""
    return {id(section.entry): section.one for section in load_sections().values()}


@compute_once
def build_manifest_schema() -> Schema:
    """Return the JSON Schema of `ruleset.yaml`. Computed once. Callers share the result and must not change it."""
    schema = _Writer(partial=False).write_document(model.MANIFEST, "The manifest of an edition")
    schema["properties"]["ruleset"]["pattern"] = RULESET_PATTERN
    schema["properties"]["extends"]["pattern"] = EXTENDS_PATTERN
    for key in ("overlays", "over"):
        schema["properties"][key]["items"]["pattern"] = EXTENDS_PATTERN
    return schema


@compute_once
def build_fragment_schema() -> Schema:
    """Return the schema of a rules file in any layer, in which nothing is required.

    Entries may be placed, replaced and deleted.
    """
    return _Writer(partial=True).write_document(model.build_rules_shape(), "A rules file")


@compute_once
def build_resolved_schema() -> Schema:
    """Return the schema of merged rules, which must be complete and free of placement keys."""
    return _Writer(partial=False).write_document(model.build_rules_shape(), "The resolved rules of an edition")


@compute_once
def build_sources_schema() -> Schema:
    """Return the schema of `sources.yaml`."""
    return _Writer(partial=False).write_document(SOURCES, "The sources of a game")


@compute_once
def build_words_schema() -> Schema:
    """Return the schema of a translation file."""
    return _Writer(partial=False).write_document(build_words_shape(), "Words in another language")


class _Writer:
    """A generator of one schema. `partial` is whether it is for a layer above another."""

    def __init__(self, *, partial: bool) -> None:
        self.partial = partial
        self.defs: dict[str, Schema] = {}

    def write_document(self, shape: Record, title: str) -> Schema:
        """Return the schema of a whole file, with the definitions that it uses.

        `shape` has the sections or keys of the file.
        """
        root = self.record(shape)
        for key, member in shape.members.items():
            if isinstance(member.shape, MapOf):  # sections have no position keys, only their entries do
                root["properties"][key] = self.write_item(member.shape)
        schema = {"$schema": DIALECT, "title": title, "description": shape.doc, **root}
        whole = {**schema, "$defs": dict(sorted(self.defs.items()))} if self.defs else schema
        return cast(Schema, tidy(whole))

    # -- shapes as the values of keys, and as items of lists -----------------------------

    def write_entry(self, shape: Shape, *, ordered: bool = False) -> Schema:
        """Return the schema of a value after a key. In a layer, the value may also delete or place the entry.

        `ordered` means that the entry may be placed. May add definitions to `defs`.
        """
        if not self.partial:
            return self.write_item(shape)
        match shape:
            case Record() if id(shape) in _name_definitions():
                name = _name_definitions()[id(shape)]
                return self.write_reference(shape, name, lambda: self.allow_position(self.record(shape), ordered=True))
            case Record() | ByForm(mapping=Shape()):
                return self.add_description(shape, self.allow_position(self.inline(shape), ordered=ordered))
            case MapOf(ordered=True):
                return self.add_description(shape, self.allow_position(self.inline(shape), ordered=ordered))
            case MapOf():
                return self.write_item(shape)
            case Leaf(values=()) if shape.format not in _PATTERNS:
                return self.write_reference(
                    shape, f"{shape.format}_or_removal", lambda: allow_removal(self.inline(shape))
                )
            case Steps():
                return self.write_reference(shape, "steps_or_removal", lambda: allow_removal(self.inline(shape)))
            case Leaf() | ListOf() | ByForm():
                return self.add_description(shape, allow_removal(self.inline(shape)))
        return self.write_item(shape)

    def write_item(self, shape: Shape) -> Schema:
        """Return the schema of a value that cannot be deleted or placed.

        Such values are the items of lists, and all values in merged rules. May add definitions to `defs`.
        """
        match shape:
            case Record() if id(shape) in _name_definitions():
                return self.write_reference(shape, _name_definitions()[id(shape)], lambda: self.record(shape))
            case Steps():
                return self.write_reference(shape, "steps", lambda: self.inline(shape))
        return self.add_description(shape, self.inline(shape))

    def write_reference(self, shape: Shape, name: str, write: Callable[[], Schema]) -> Schema:
        """Return a reference to a definition, which is generated on first use."""
        if name not in self.defs:
            self.defs[name] = {}  # registered first, because steps contain steps
            self.defs[name].update(write())
        return self.add_description(shape, {"$ref": f"#/$defs/{name}"})

    def add_description(self, shape: Shape, schema: Schema) -> Schema:
        """Return the schema with the description that editors show."""
        return {"description": shape.doc, **schema} if shape.doc else schema

    # -- shapes on their own -------------------------------------------------------------

    def inline(self, shape: Shape) -> Schema:
        """Return the schema of a shape without description or reference.

        Empty, which allows anything, for a plain `Shape`. Parts of it may be references, whose definitions are added
        to `defs`.
        """
        match shape:
            case Leaf():
                return build_leaf(shape)
            case Record():
                return self.record(shape)
            case MapOf():
                return self.map_of(shape)
            case ListOf():
                items = self.write_item(shape.inner)
                return {"type": ["array"], "items": allow_list_changes(items) if self.partial else items}
            case Steps():
                self.define_step()
                return {"type": ["array"], "items": {"$ref": "#/$defs/step"}}
            case ByForm():
                merged = merge_forms(*(self.inline(form) for form in shape.forms if form is not shape.steps))
                return merged if shape.steps is None else self.allow_steps(merged, shape.steps)
        return {}

    def allow_steps(self, schema: Schema, steps: Steps) -> Schema:
        """Return the schema of a plain list extended by a list of steps. `schema` itself is not changed."""
        edit = {"type": "object", "propertyNames": {"enum": sorted(EDIT_KEYS)}}
        step = {"if": {"type": "object", "not": edit}, "then": self.inline(steps)["items"], "else": schema["items"]}
        return {**schema, "items": step}

    def record(self, shape: Record) -> Schema:
        """Return the schema of a mapping with known keys, including its short form.

        In a layer no key is required. In merged rules, keys of the user must not be placement keys.
        """
        members = {key: member for key, member in shape.members.items() if key != "*"}
        rest = shape.members.get("*")
        schema: Schema = {
            "type": ["object"],
            "properties": {key: self.write_entry(member.shape) for key, member in members.items()},
            "additionalProperties": self.write_entry(rest.shape) if rest else False,
        }
        required = [key for key, member in members.items() if member.required]
        if required and not self.partial:
            schema["required"] = required
        if rest and not self.partial:
            schema["propertyNames"] = {"not": {"enum": [*POSITIONS]}}
        if shape.short is not None:
            short = self.inline(shape.members[shape.short].shape)
            schema = merge_forms(schema, {key: short[key] for key in ("type", "items") if key in short})
        return schema

    def map_of(self, shape: MapOf) -> Schema:
        """Return the schema of a mapping with ids as keys.

        Keys of an unordered mapping may be expressions, so they are not checked.
        """
        schema: Schema = {
            "type": ["object"],
            "additionalProperties": self.write_entry(shape.inner, ordered=shape.ordered),
        }
        if shape.ordered:
            schema["propertyNames"] = {"pattern": shape.ids or ID_PATTERN}
        return schema

    def allow_position(self, schema: Schema, *, ordered: bool) -> Schema:
        """Return the schema of a mapping extended by the keys that place, replace or delete an entry."""
        positions = {**(BESIDE if ordered else {}), **INSTEAD}
        return {**schema, "properties": {**schema.get("properties", {}), **positions}}

    # -- steps ---------------------------------------------------------------------------

    def define_step(self) -> None:
        """Add `step` to the definitions in `defs`, unless it is there. Steps may contain steps."""
        if "step" in self.defs:
            return
        self.defs["step"] = {}
        shape = model.step_shape()
        schema = self.add_description(shape, self.record(shape))
        properties: Schema = schema["properties"]
        for verb in load_statements().values():
            properties[verb.name] = _describe_verb(verb, properties[verb.name])
        if cases := [
            self.write_case(verb)
            for verb in load_statements().values()
            if verb.keys.keys() & model.list_ambiguous_keys()
        ]:
            schema["allOf"] = cases
            for key in model.list_ambiguous_keys():
                properties[key] = _describe_meanings(key, properties[key])
        # The id of a step cannot be deleted on its own.
        properties["id"] = self.write_item(shape.members["id"].shape)
        if self.partial:
            for key, schema_of_key in BESIDE_A_STEP.items():
                properties.setdefault(key, schema_of_key)
            schema["anyOf"] = [{"required": [key]} for key in ("id", "replace", "delete")]
        else:
            schema["anyOf"] = [{"required": [name]} for name in load_statements()]
        self.defs["step"].update(schema)

    def write_case(self, verb: Statement) -> Schema:
        """Return the condition for the keys of a statement that mean something else in other statements.

        It is empty except for such keys, so it must only be added for statements that have them.
        """
        own = {key: member for key, member in verb.keys.items() if key in model.list_ambiguous_keys()}
        return {
            "if": {"required": [verb.name]},
            "then": {"properties": {key: self.write_entry(member.shape) for key, member in own.items()}},
        }


def build_leaf(shape: Leaf) -> Schema:
    """Return the schema of a scalar, or of a list of scalars too if its format allows that.

    If the leaf lists its values, they are the only ones allowed.
    """
    types = FORMATS[shape.format]
    if shape.values:
        return {"enum": [value == "true" for value in shape.values] if shape.format == "flag" else [*shape.values]}
    schema: Schema = {"type": [*types]}
    if "array" in types:
        schema["items"] = {"type": [*types]}
    if shape.format in _PATTERNS:
        schema["pattern"] = _PATTERNS[shape.format]
    return schema


def allow_removal(schema: Schema) -> Schema:
    """Return a schema for anything but mappings, extended by `{delete: true}`. `schema` itself is not changed."""
    if "enum" in schema:
        return {"enum": [*schema["enum"], {"delete": True}]}
    removal = {
        "type": ["object"],
        "properties": {"delete": INSTEAD["delete"]},
        "required": ["delete"],
        "additionalProperties": False,
    }
    return merge_forms(schema, removal)


def allow_list_changes(items: Schema) -> Schema:
    """Return the schema of a list item extended by edits of the inherited list.

    A schema without a `type` is returned as it is. Keys of a record have precedence over edits of the same name.
    """
    if "type" not in items:
        return items
    own = {key: items[key] for key in ("type", "pattern") if key in items}
    words = {word: {**own, "description": text} for word, text in CHANGES_OF_A_LIST.items()}
    if "object" in items["type"]:
        # A record's own keys take precedence over the position keys.
        return {**items, "properties": {**words, **items.get("properties", {})}}
    return merge_forms(items, {"type": ["object"], "properties": words, "additionalProperties": False})


def merge_forms(*schemas: Schema) -> Schema:
    """Return one schema for several forms of a value, which must not have a type in common.

    Each must have a list as `type`. Of other keywords that several have, the last one is used.
    """
    merged: Schema = {}
    for schema in schemas:
        merged |= schema
    merged["type"] = list(dict.fromkeys(name for schema in schemas for name in schema["type"]))
    return merged


def tidy(schema: Any) -> Any:
    """Return the schema with each list of a single type replaced by the type."""
    if isinstance(schema, dict):
        single = isinstance(schema.get("type"), list) and len(schema["type"]) == 1
        return {key: value[0] if key == "type" and single else tidy(value) for key, value in schema.items()}
    return [tidy(item) for item in schema] if isinstance(schema, list) else schema


def _describe_verb(verb: Statement, schema: Schema) -> Schema:
    """Return a statement's schema with its summary and example as the description, and its value as an example.

    An example with an ellipsis is only in the description.
    """
    described = {**schema, "description": f"{verb.summary}\n\n`{verb.example}`"}
    step = read_text(verb.example, f"{verb.name}.example").to_plain()
    value = step.get(verb.name) if isinstance(step, dict) else None
    if value is None or _ELLIPSIS in str(value):
        return described
    return {**described, "examples": [value]}


def _describe_meanings(key: str, schema: Schema) -> Schema:
    """Return only the description of a key whose schema depends on the statement. It names each of them.

    A key that is a statement itself keeps its own description and examples.
    """
    if key in load_statements():
        return {word: schema[word] for word in ("description", "examples") if word in schema}
    meanings = ((verb.name, verb.keys[key].shape.doc) for verb in load_statements().values() if key in verb.keys)
    return {"description": "\n".join(f"With `{name}`: {doc}" for name, doc in meanings)}


_ELLIPSIS = "…"


BESIDE: Mapping[str, Schema] = {
    "before": {"type": ["string"], "description": "The entry to place this one before."},
    "after": {"type": ["string"], "description": "The entry to place this one after."},
}
INSTEAD: Mapping[str, Schema] = {
    "replace": {"enum": [True], "description": "Replace the whole inherited entry instead of changing it."},
    "delete": {"enum": [True], "description": "Remove the inherited entry."},
}
CHANGES_OF_A_LIST: Mapping[str, str] = {
    "id": "The entry to add, or to move with `before` or `after`.",
    "before": "The entry to place this one before.",
    "after": "The entry to place this one after.",
    "replace": "The entry that `id` replaces.",
    "delete": "The entry of the inherited list to remove.",
}
BESIDE_A_STEP: Mapping[str, Schema] = {
    "before": {"type": ["string"], "description": "The step to place this one before."},
    "after": {"type": ["string"], "description": "The step to place this one after."},
    "replace": {"type": ["string"], "description": "The step that this one replaces entirely."},
    # Authors often write `delete: true` beside an `id`, so the schema allows it; the merge reports the right form.
    "delete": {"type": ["string", "boolean"], "description": "The inherited step to remove."},
}


def build_diagnostics_schema() -> dict[str, Any]:
    """Return the JSON Schema of the list of diagnostics that `check --format json` prints. Not cached."""
    place = {
        "file": {"type": "string", "description": "The file, as named on the command line."},
        "line": {"type": "integer", "minimum": 1, "description": "The line, counted from 1."},
        "column": {"type": "integer", "minimum": 1, "description": "The column, counted from 1."},
    }
    message = {"type": "string", "description": "The problem, or the note about this position."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Diagnostics",
        "description": "All diagnostics, in order; an empty list if there are none.",
        "type": "array",
        "items": _object(
            {
                "code": {
                    "type": "string",
                    "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
                    "description": "The code of the diagnostic.",
                },
                "severity": {"enum": ["error", "warning"]},
                "message": message,
                **place,
                "related": {
                    "type": "array",
                    "description": "Other positions that explain the problem.",
                    "items": _object({**place, "message": message}),
                },
                "suggestion": {"type": ["string", "null"], "description": "A suggestion for fixing it."},
                "edits": {
                    "type": "array",
                    "description": "Edits that together fix the problem; empty if the fix is not certain.",
                    "items": _object(
                        {
                            **place,
                            "end_line": {"type": "integer", "minimum": 1, "description": "The line where it ends."},
                            "end_column": {
                                "type": "integer",
                                "minimum": 1,
                                "description": "The column after the last character to replace, counted from 1.",
                            },
                            "text": {"type": "string", "description": "The text to replace it with."},
                        }
                    ),
                },
                "examples": {
                    "type": "array",
                    "description": "The ids of the failing examples that it is about.",
                    "items": {"type": "string"},
                },
            }
        ),
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
