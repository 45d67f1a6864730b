"""The schema of rules laid over one edition: what editors propose includes the ids that are inherited."""

from __future__ import annotations

from typing import Any

from rulewright.ruleset.elaborate.read import entries, text
from rulewright.ruleset.layers.step_tree import identities
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.json_schema import Schema, fragment_schema
from rulewright.source.nodes import Mapping, Node, Sequence

_INNER = ("rows", "fields", "derived", "choices", "sections")
"""What an entry holds that has ids of its own."""

_NAMES_A_STEP = ("id", "before", "after", "replace", "delete")


def inherited_schema(ruleset: Ruleset) -> Schema:
    """The schema of a rules file laid over `ruleset`. It allows what that of any rules file allows, and no more."""
    schema: Schema = fragment_schema()
    sections: dict[str, Any] = {}
    for section, written in schema["properties"].items():
        inherited = {
            name: {**written["additionalProperties"], **_known(ruleset, entry.value)}
            for name, entry in entries(ruleset.resolved.rules.get(section))
            if isinstance(written.get("additionalProperties"), dict)
        }
        sections[section] = {**written, "properties": inherited} if inherited else written
    return {**schema, "title": f"{schema['title']}, over {ruleset.reference}", "properties": sections}


def _known(ruleset: Ruleset, node: Node) -> Schema:
    """What an editor may say of an inherited entry, and the ids inside it."""
    layer = ruleset.resolved.layer_of(node.span)
    if not isinstance(node, Mapping):
        return {"description": f"Inherited from {layer}."}
    words = text(node.get("title")) or text(node.get("name")) or text(node.get("means"))
    found: dict[str, Any] = {}
    for key in _INNER:
        names = [name for name, _ in entries(node.get(key))]
        if names:
            found[key] = {"properties": {name: {} for name in names}}
    steps = node.get("steps")
    if isinstance(steps, Sequence) and (ids := list(identities(steps))):
        # A new step has an id that no list can know: what is listed is proposed, and anything else allowed.
        known = {"anyOf": [{"enum": ids}, {}]}
        found["steps"] = {"items": {"properties": dict.fromkeys(_NAMES_A_STEP, known)}}
    said = f"{words} (inherited from {layer})" if words else f"Inherited from {layer}."
    return {"description": said, **({"properties": found} if found else {})}
