"""Expand short forms, so that records are always mappings."""

from __future__ import annotations

from rulewright.language.schema_shapes import EDIT_KEYS, ByForm, ListOf, MapOf, Record, Shape, Steps
from rulewright.ruleset.schema.model import step_shape
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence


def expand_short_forms(node: Node, shape: Shape) -> Node:
    """Return a copy of `node` with all short forms of the schema expanded. Spans stay those of the source.

    Unknown keys and values that do not fit the schema are kept as they are.
    """
    match shape, node:
        case Record(short=str() as short), Scalar() | Sequence():
            name = Scalar(short, short, node.span)
            return Mapping({short: Entry(name, expand_short_forms(node, shape.members[short].shape))}, node.span)
        case Record(members=members), Mapping():
            rest = members.get("*")
            entries = {}
            for key, entry in node.entries.items():
                member = members.get(key, rest)
                value = entry.value if member is None else expand_short_forms(entry.value, member.shape)
                entries[key] = Entry(entry.key, value)
            return Mapping(entries, node.span)
        case MapOf(inner=inner), Mapping():
            return Mapping(
                {key: Entry(entry.key, expand_short_forms(entry.value, inner)) for key, entry in node.entries.items()},
                node.span,
            )
        case ListOf(inner=inner), Sequence():
            return Sequence(tuple(expand_short_forms(item, inner) for item in node.items), node.span)
        case Steps(), Sequence():
            return Sequence(tuple(expand_short_forms(item, step_shape(item)) for item in node.items), node.span)
        case ByForm(), _:
            formed = choose_form(shape, node)
            return node if formed is None else expand_short_forms(node, formed)
    return node


def choose_form(shape: ByForm, node: Node, below: Node | None = None) -> Shape | None:
    """Return the alternative of `shape` that fits the form of `node`, or None if that form is not allowed.

    A list that only moves or deletes entries could change a plain list or a list of steps. It has the form of `below`,
    the node that it changes, or else of a plain list.
    """
    match node:
        case Scalar():
            return shape.scalar
        case Sequence(items=items):
            if shape.steps is None or any(map(holds_step, items)):
                return shape.steps or shape.sequence
            if items and below is not None and all(isinstance(item, Mapping) for item in items):
                return choose_form(shape, below)
            return shape.sequence
    return shape.mapping


def holds_step(item: Node) -> bool:
    """Return whether an item of a list is a step, and neither a plain value nor an edit of a plain list."""
    return isinstance(item, Mapping) and not item.entries.keys() <= EDIT_KEYS
