"""Change values of a loaded ruleset with an overlay in memory, as house rules would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.pipeline import build_ruleset_from_layers
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import make_argument_node
from rulewright.ruleset.schema.validator import validate
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.diagnostic import Code, Diagnostic
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.yaml.yaml_reader import read_text

Value: TypeAlias = tuple[str, str]
"""A path in the rules and the YAML text of its new value: `("numbers.goal", "50")`."""

UNKNOWN_PATH = Code(
    "unknown-path",
    "A path that does not exist in the rules",
    "Only existing values can be varied; a new path would change nothing.",
    "Name a number by its path in the rules: `numbers.<number>` or `tables.<table>.rows.<row>.<column>`.",
)
IDLE_VALUE = Code(
    "idle-value",
    "A value that does not change the gameplay",
    "With a change of text, or with the same number written differently, all games stay the same.",
    "Vary a number, a die or a formula.",
)
FIRST = "is"
"""The key of the value in a number or measure that is written as a mapping."""


def with_values(ruleset: Ruleset, values: Sequence[Value]) -> Ruleset:
    """Return `ruleset` with other values, or `ruleset` itself if the rules have all these values already.

    Each value is a pair of a path in the merged rules and a YAML text. The whole ruleset is built again.
    Raises `DiagnosticError` if a path does not exist, if the values do not change the gameplay, or for any error that
    house rules with these values would have.
    """
    values = [value for value in values if not is_already_set(ruleset, value)]
    if not values:
        return ruleset
    result = lay_over(ruleset, write_overlay(ruleset, values))
    if result.digest == ruleset.digest:
        path, text = values[0]
        raise DiagnosticError(
            [Diagnostic(IDLE_VALUE, f"`{text}` for `{path}` does not change any game", make_argument_node(path).span)]
        )
    return result


def lay_over(ruleset: Ruleset, text: str) -> Ruleset:
    """Return `ruleset` with the text of a rules file merged over it, as house rules would be.

    Builds and checks the whole ruleset again. Raises `DiagnosticError` for any error that such house rules would have.
    """
    diagnostics = Diagnostics()
    node = read_text(text, "<values>")
    top = ruleset.resolved.layers[-1].manifest
    manifest = replace(top, entries={key: entry for key, entry in top.entries.items() if key != "locked"})
    validate(node, "rules", diagnostics, overlay=True)
    diagnostics.raise_if_errors()
    assert isinstance(node, Mapping)
    name, below = f"{ruleset.reference}+", ruleset.resolved.layers
    # The overlay is written for all layers, so it also overrides conflicting overlays.
    chain = frozenset((name, *(each.name for each in below)))
    layer = Layer(name, Path("<values>"), manifest, (node,), chain=chain)
    stage = build_ruleset_from_layers([*below, layer])
    Diagnostics(stage.diagnostics).raise_if_errors()
    over = stage.value
    assert over is not None
    return over


def is_already_set(ruleset: Ruleset, value: Value) -> bool:
    """Return whether the rules have that value already. Raises `DiagnosticError` if the path does not exist."""
    node = find_node(ruleset, value[0])
    inner = node.get(FIRST) if isinstance(node, Mapping) else node
    return isinstance(inner, Scalar) and inner.text.strip() == value[1].strip()


def find_node(ruleset: Ruleset, path: str) -> Node:
    """Return the node at a path of the merged rules, with its parts separated by dots.

    Steps in a list are found by their `id`, not by position. Raises `DiagnosticError`, with the nearest name as a
    hint, if the path does not exist or is empty.
    """
    node: Node = ruleset.resolved.rules
    offset = 0
    for part in path.split("."):
        inner = dict(_members(node))
        if part not in inner:
            where = f"`{path[: offset - 1]}` has" if offset else "the rules have"
            hint = suggest_name(part, inner) if part else None
            span = make_argument_node(path).position(offset, max(1, len(part)))
            raise DiagnosticError([Diagnostic(UNKNOWN_PATH, f"{where} no `{part}`", span, suggestion=hint)])
        node = inner[part]
        offset += len(part) + 1
    return node


def _members(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield the named children of a node: the entries of a mapping, or the steps of a list by id.

    Steps without an id are skipped. A scalar has no children.
    """
    if isinstance(node, Mapping):
        yield from ((key, entry.value) for key, entry in node.entries.items())
    elif isinstance(node, SequenceNode):
        for item in node.items:
            identity = item.get("id") if isinstance(item, Mapping) else None
            if isinstance(identity, Scalar):
                yield identity.text, item


def write_overlay(ruleset: Ruleset, values: Sequence[Value]) -> str:
    """Return the text of a rules file that sets the values.

    Values are written in flow style, typed as YAML reads them. A later value for the same path wins. Raises
    `DiagnosticError` if a path does not exist, if a value is not valid YAML, or if a path names a whole step and the
    value is not a mapping.
    """
    tree: dict[str, Any] = {}
    for path, text in values:
        inner = tree
        parts = path.split(".")
        if isinstance(find_node(ruleset, path), Mapping) and FIRST in dict(_members(find_node(ruleset, path))):
            parts.append(FIRST)
        for part in parts[:-1]:
            inner = inner.setdefault(part, {})
        inner[parts[-1]] = typed = _parse_scalar(text)
        around = path.rpartition(".")[0]
        if around and isinstance(find_node(ruleset, around), SequenceNode) and not isinstance(typed, dict):
            message = f"`{path}` is not a number but a step that contains numbers"
            raise DiagnosticError([Diagnostic(UNKNOWN_PATH, message, make_argument_node(path).span)])
    overlay = _overlay(tree, ruleset.resolved.rules)
    return yaml.safe_dump(overlay, default_flow_style=None, sort_keys=False, allow_unicode=True, width=1000)


def _overlay(tree: Any, below: Node | None) -> Any:
    """Return a tree of values in the form of an overlay of the node `below`.

    A mapping that belongs to a list of steps becomes a list of items with an `id`. Everything else is kept. None for
    `below` means that the rules have nothing there.
    """
    if not isinstance(tree, dict):
        return tree
    inside = {} if below is None else dict(_members(below))
    result = {name: _overlay(inner, inside.get(name)) for name, inner in tree.items()}
    return [{"id": name, **inner} for name, inner in result.items()] if isinstance(below, SequenceNode) else result


def _parse_scalar(text: str) -> Any:
    """Return the value that YAML reads in a text, so that it means the same when it is written again.

    It may also be a list or a dict. Raises `DiagnosticError` if the text is not valid YAML.
    """
    node = read_text(f"value: {text}\n", "<value>")
    inner = node.get("value") if isinstance(node, Mapping) else None
    return inner.to_plain() if inner is not None else text
