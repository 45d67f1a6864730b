"""Follow a path through a file and its schema in parallel, and describe schemas in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulewright.language.schema_shapes import POSITIONS, ByForm, Leaf, ListOf, MapOf, Record, Shape, Steps
from rulewright.language.statement import Statement, find_statements
from rulewright.ruleset.schema.canonical_form import holds_step
from rulewright.ruleset.schema.model import StepShape, step_shape
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node, Scalar, Sequence
from rulewright.source.span import Span

FACE = re.compile(r"[0-9]+(\s*-\s*[0-9]+)?")
"""A face or a range of faces, as in the short form of a row."""

_POSITION = Leaf("The position of the entry, or its deletion.", format="name")

_FORMATS: Mapping[str, str] = {
    "words": "text",
    "label": "text",
    "name": "text",
    "id": "an id",
    "reference": "an id or path in the rules",
    "edition": "an edition such as `game/edition`",
    "type": "a type",
    "version": "a version such as `1.0.0`",
    "dice": "dice such as `2d6 +6`",
    "faces": "a face or a range of faces",
    "expression": "an expression",
    "value": "a single value",
    "integer": "a whole number",
    "flag": "`true` or `false`",
    "loop": "`true` or the id of a loop",
}


@dataclass(frozen=True, slots=True)
class ShapedNode:
    """A node with its schema, and the key that leads to it, or None for the whole file. `parent` has that key."""

    node: Node
    shape: Shape
    key: Scalar | None = None
    in_list: bool = False
    parent: ShapedNode | None = None

    @property
    def statement(self) -> Statement | None:
        """The statement of the step whose key leads here, or None if it is another key."""
        above = self.parent
        if self.key is None or above is None or not isinstance(above.shape, StepShape):
            return None
        chosen = find_statements(above.node.entries) if isinstance(above.node, MappingNode) else []
        return chosen[0] if len(chosen) == 1 and self.key.text in chosen[0].keys else None

    @property
    def is_required(self) -> bool:
        """Whether the mapping around it needs its key."""
        members = self.statement.keys if self.statement else getattr(self.parent and self.parent.shape, "members", {})
        return self.key is not None and self.key.text in members and members[self.key.text].required

    @property
    def name(self) -> str:
        """What messages call the node."""
        if self.key is None:
            return "the file"
        return f"an item of `{self.key.text}`" if self.in_list else f"`{self.key.text}`"

    @property
    def head(self) -> Span:
        """The short span that represents the whole node: that of its id, its key or its first key.

        A list item or file without keys has the span of the node itself.
        """
        own = self.node.get("id") if isinstance(self.node, MappingNode) else None
        if self.in_list and isinstance(own, Scalar):
            return own.span
        if self.in_list or self.key is None:
            first = next(iter(self.node.entries.values()), None) if isinstance(self.node, MappingNode) else None
            return first.key.span if first is not None else self.node.span
        return self.key.span

    def descend(self, step: str | int) -> ShapedNode:
        """Return the child under a key, or the item at an index counted from 0.

        Raises `KeyError` or `IndexError` if there is none, and `AssertionError` if the node has another type.
        """
        if isinstance(step, int):
            assert isinstance(self.node, Sequence)
            item = self.node.items[step]
            return ShapedNode(item, _item(self.shape, item), self.key, in_list=True, parent=self)
        assert isinstance(self.node, MappingNode)
        entry = self.node.entries[step]
        return ShapedNode(entry.value, find_member(self.shape, step), entry.key, parent=self)


def follow(root: ShapedNode, path: Iterable[str | int]) -> ShapedNode:
    """Return the descendant at the end of a path of keys and indexes."""
    for step in path:
        root = root.descend(step)
    return root


def find_member(shape: Shape, key: str) -> Shape:
    """Return the schema of the value after `key`, or a plain `Shape` if the key is unknown.

    A placement key such as `before` has the schema of a position, unless it is one of the mapping's own keys.
    """
    match shape:
        case Record():
            known = shape.members.get(key) or shape.members.get("*")
            if known is not None and not (key in POSITIONS and key not in shape.members):
                return known.shape
            return _POSITION if key in POSITIONS else Shape()
        case MapOf():
            return shape.inner
        case ByForm(mapping=Shape() as inner):
            return find_member(inner, key)
    return _POSITION if key in POSITIONS else Shape()


def find_older_names(shape: Shape) -> dict[str, str]:
    """Return the older names of the keys of a mapping with this schema, each with the new name."""
    match shape:
        case Record():
            return {older: name for name, member in shape.members.items() for older in member.formerly}
        case ByForm(mapping=Shape() as inner):
            return find_older_names(inner)
    return {}


def describe_key(shape: Shape, key: str, beside: Iterable[str]) -> str:
    """Return what a key means, or an empty text. `beside` are the other keys of its mapping.

    For the key that is the statement of a step, it begins with what the statement does.
    """
    doc = find_member(shape, key).doc
    statements = find_statements((key, *beside)) if isinstance(shape, StepShape) else []
    summary = next((f"{verb.summary} " for verb in statements if verb.name == key), "")
    return f"{summary}{doc}"


def _item(shape: Shape, node: Node) -> Shape:
    """Return the schema of an item of a list, or a plain `Shape` if it is unknown."""
    match shape:
        case ListOf():
            return shape.inner
        case Steps():
            return step_shape(node)
        case ByForm(steps=Steps() as inner) if holds_step(node):
            return _item(inner, node)
        case ByForm(sequence=Shape() as inner):
            return _item(inner, node)
        case Record(short=str(short)):
            return _item(shape.members[short].shape, node)
        case Leaf(format="expression"):
            return shape
    return Shape()


def list_known_keys(shape: Shape) -> list[str]:
    """Return the fixed keys of a mapping with this schema. Empty if it has none, or if its keys are ids."""
    match shape:
        case Record():
            return [key for key in shape.members if key != "*"]
        case ByForm(mapping=Shape() as inner):
            return list_known_keys(inner)
    return []


def describe_shape(shape: Shape) -> str:
    """Return a description of values with this schema, such as `a list of steps`, to follow "must be"."""
    match shape:
        case Leaf():
            if len(shape.values) == 1:
                return f"`{shape.values[0]}`"
            return _FORMATS[shape.format]
        case Record(short=str(short)):
            return join_alternatives([describe_shape(shape.members[short].shape), "keys with values"])
        case Record():
            keys = [f"`{key}: …`" for key in list_known_keys(shape)]
            listed = ", ".join(keys[:4]) + (", …" if len(keys) > 4 else "")
            return f"keys with values ({listed})" if keys else "a mapping"
        case MapOf():
            return "entries of the form `name: …`" if shape.ordered else "a mapping"
        case ListOf():
            return "a list"
        case Steps():
            return "a list of steps"
        case ByForm():
            return join_alternatives([describe_shape(form) for form in shape.forms])
    return "a value"


def join_alternatives(words: Iterable[str], *, word: str = "or") -> str:
    """Return words as text: `a`, `a or b`, `a, b or c`. Raises `ValueError` if there are none."""
    *most, last = dict.fromkeys(words)
    return f"{', '.join(most)} {word} {last}" if most else last
