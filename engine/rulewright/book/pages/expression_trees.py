"""The expressions of a ruleset as trees, for programs that have no parser of the language."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rulewright.language.expression.error import ExpressionError
from rulewright.language.expression.parse import parse_expression
from rulewright.language.expression.syntax import Syntax
from rulewright.language.shape import ByForm, Leaf, ListOf, MapOf, Record, Shape, Steps
from rulewright.ruleset.schema.canonical import form
from rulewright.ruleset.schema.model import rules_shape, step_shape
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

_PLACES = frozenset({"start", "end", "name_start", "variable_start"})
"""Where a node stands in its text, which the text says by itself."""


def expression_trees(rules: Node) -> dict[str, Any]:
    """The tree of every expression in resolved rules, by its text: `{"node": …}` with what the node is made of."""
    found: dict[str, Any] = {}
    _walk(rules, rules_shape(), found)
    return dict(sorted(found.items()))


def _walk(node: Node, shape: Shape | None, found: dict[str, Any]) -> None:
    if isinstance(shape, ByForm):
        shape = form(shape, node)
    match shape, node:
        case Leaf(format="expression"), Scalar():
            if node.text not in found:
                try:
                    found[node.text] = _tree(parse_expression(node.text))
                except ExpressionError:
                    return  # a place that may hold something else, too
        case ListOf(inner=inner), Sequence():
            for item in node.items:
                _walk(item, inner, found)
        case Steps(), Sequence():
            for item in node.items:
                _walk(item, step_shape(), found)
        case MapOf(inner=inner), Mapping():
            for entry in node.entries.values():
                _walk(entry.value, inner, found)
        case Record(members=members, short=short), _:
            if isinstance(node, Mapping):
                for key, entry in node.entries.items():
                    member = members.get(key) or members.get("*")
                    if member is not None:
                        _walk(entry.value, member.shape, found)
            elif short is not None:
                _walk(node, members[short].shape, found)


def _tree(node: Syntax) -> dict[str, Any]:
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
    """`DiceLiteral` → `dice_literal`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind).lstrip("_")
