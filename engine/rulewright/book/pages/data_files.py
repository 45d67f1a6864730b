"""The resolved rules as JSON for other programs, and the JSON Schema of this file."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from rulewright.book.style.assets import find_asset_path
from rulewright.language.expressions.expression_error import ExpressionError
from rulewright.language.expressions.expression_parser import parse_expression
from rulewright.language.expressions.untyped_ast import Syntax
from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, MapOf, Record, Shape, Steps
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.canonical_form import choose_form
from rulewright.ruleset.schema.json_schema import DIALECT, Schema, build_resolved_schema
from rulewright.ruleset.schema.model import build_rules_shape, step_shape
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

DATA = "rules.json"
"""Name of the file with the resolved rules."""

SCHEMA = "rules.schema.json"
"""Name of the schema file. It is next to the data, or with the shared assets of a site."""


def build_schema_path(*, shared: bool) -> str:
    """Return the relative path from a book to the schema."""
    return find_asset_path(shared=True) + SCHEMA if shared else SCHEMA


def build_rules_data(ruleset: Ruleset, *, shared: bool = False) -> str:
    """Return the resolved rules and the identity of an edition, as the text of a JSON file.

    The file refers to its schema, which is with the shared assets of the site if `shared` is true.
    """
    return _text(
        {
            "$schema": build_schema_path(shared=shared),
            "ruleset": ruleset.name,
            "version": ruleset.version,
            "title": ruleset.title,
            "status": ruleset.status,
            "digest": ruleset.digest,
            "players": list(ruleset.players),
            **{name: _setting(ruleset, name) for name in ("rounding", "start", "payoff", "evaluate")},
            "rules": ruleset.resolved.rules.to_plain(),
            "expressions": build_expression_trees(ruleset.resolved.rules),
        }
    )


_TREE: Schema = {
    "description": "A node of an expression tree: its type, and its fields by name.",
    "type": "object",
    "properties": {"node": {"type": "string"}},
    "required": ["node"],
}


def _setting(ruleset: Ruleset, name: str) -> str | None:
    """Return the text of a manifest key that affects gameplay, or None if it is absent."""
    node = ruleset.resolved.manifest.get(name)
    return node.text if isinstance(node, Scalar) else None


def build_data_schema() -> str:
    """Return the schema of the resolved rules, as the text of a JSON file."""
    rules = dict(build_resolved_schema())
    rules.pop("$schema")
    defined = rules.pop("$defs", {})
    schema: Schema = {
        "$schema": DIALECT,
        "title": "An edition of a game",
        "description": "The rules of an edition with all its layers merged, and the identity of the edition.",
        "type": "object",
        "properties": {
            "$schema": {"description": "The location of this schema.", "type": "string"},
            "ruleset": {"description": "The game and the edition.", "type": "string"},
            "version": {"description": "The full version.", "type": "string"},
            "title": {"description": "The title of the edition.", "type": "string"},
            "status": {"description": "Whether the rules may still change.", "enum": ["draft", "released"]},
            "digest": {
                "description": "The digest of the gameplay: two editions with the same digest play alike.",
                "type": "string",
            },
            "players": {
                "description": "The minimum and maximum number of players (in a manifest `2..4`, or just `2`).",
                "type": "array",
                "prefixItems": [{"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 1}],
                "items": False,
                "minItems": 2,
            },
            "rounding": {
                "description": "How divisions are rounded to whole numbers. Null if the rules never divide.",
                "type": ["string", "null"],
            },
            "start": {
                "description": "The procedure that plays a whole game. Null if there is none.",
                "type": ["string", "null"],
            },
            "payoff": {
                "description": "The formula for a player's payoff at the end of a game. Null if there is none.",
                "type": ["string", "null"],
            },
            "evaluate": {
                "description": "The formula with which bots evaluate a position. Null if there is none.",
                "type": ["string", "null"],
            },
            "rules": rules,
            "expressions": {
                "description": "The expressions in `rules` as trees, each under its text.",
                "type": "object",
                "additionalProperties": {"$ref": "#/$defs/tree"},
            },
        },
        "required": [
            *("ruleset", "version", "title", "status", "digest", "players"),
            *("rounding", "start", "payoff", "evaluate", "rules", "expressions"),
        ],
        "additionalProperties": False,
        "$defs": {**defined, "tree": _TREE},
    }
    return _text(schema)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


_PLACES = frozenset({"start", "end", "name_start"})
"""Fields with the position of a node in its text, which readers of the tree do not need."""


def build_expression_trees(rules: Node) -> dict[str, Any]:
    """Return the tree of every expression in resolved rules, by its text.

    A tree is a dictionary with the type of its node under `node`, and the fields of the node.
    """
    results: dict[str, Any] = {}
    _walk(rules, build_rules_shape(), results)
    return dict(sorted(results.items()))


def _walk(node: Node, shape: Shape | None, results: dict[str, Any]) -> None:
    """Collect the trees of all expressions below a node into `results`, guided by its shape.

    Texts that are not valid expressions are skipped.
    """
    if isinstance(shape, ByForm):
        shape = choose_form(shape, node)
    match shape, node:
        case Leaf(format="expression"), Scalar():
            if node.text not in results:
                try:
                    results[node.text] = _tree(parse_expression(node.text))
                except ExpressionError:
                    return  # the value may not be an expression
        case ListOf(inner=inner), Sequence():
            for item in node.items:
                _walk(item, inner, results)
        case Steps(), Sequence():
            for item in node.items:
                _walk(item, step_shape(item), results)
        case MapOf(inner=inner), Mapping():
            for entry in node.entries.values():
                _walk(entry.value, inner, results)
        case Record(members=members, short=short), _:
            if isinstance(node, Mapping):
                for key, entry in node.entries.items():
                    member = members.get(key) or members.get("*")
                    if member is not None:
                        _walk(entry.value, member.shape, results)
            elif short is not None:
                _walk(node, members[short].shape, results)


def _tree(node: Syntax) -> dict[str, Any]:
    """Return a syntax tree as JSON data, without its positions in the source."""
    tree: dict[str, Any] = {"node": _name(type(node).__name__)}
    for part in fields(node):
        if part.name not in _PLACES:
            tree[part.name] = _part(getattr(node, part.name))
    return tree


def _part(value: Any) -> Any:
    if isinstance(value, Syntax):
        return _tree(value)
    return [_part(item) for item in value] if isinstance(value, tuple) else value


def _name(kind: str) -> str:
    """Return the name of a node class in snake case: `DiceLiteral` → `dice_literal`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind).lstrip("_")
