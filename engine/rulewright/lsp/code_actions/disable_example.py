"""Code action: disable an inherited example that fails.

The house rules delete it, and remove it from the pages that show it and the answers that it proves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.lsp.features.available_actions import ActionRequest, CodeAction, load_texts, overlaps
from rulewright.lsp.features.workspace import Good
from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Mapping as MappingNode
from rulewright.source.nodes import Node
from rulewright.source.nodes import Sequence as SequenceNode
from rulewright.source.span import Span
from rulewright.testing.failure_hints import build_exclusions

PLACE = 15


def offered(asked: ActionRequest) -> Iterator[CodeAction]:
    """Yield an action for each inherited example that fails in the range or because of it.

    Skips editions that are released, or that have changed since they were checked.
    """
    own = build_file_key(asked.path)
    for good in asked.workspace.list_good(asked.path):
        top = good.ruleset.resolved.layers[-1]
        if not asked.workspace.is_current(good) or good.edition.status == "released":
            continue
        told: set[str] = set()
        for each in asked.workspace.list_errors(good):
            spans = (each.span, *(other.span for other in each.related))
            here = any(build_file_key(span.file) == own and overlaps(span, asked.place) for span in spans)
            if here and each.about not in told and _is_inherited(good, each):
                told.add(each.about)
                load_texts(asked.workspace, top)
                edits = tuple(_edits(top, _tree(build_exclusions(good.ruleset, each.about)), ()))
                if edits:
                    title = f"Disable `{each.about}` of the base edition in {top.ruleset}"
                    yield CodeAction(title, edits, each if each in asked.diagnostics else None)


def _is_inherited(good: Good, each: Diagnostic) -> bool:
    example = good.ruleset.examples.get(each.about)
    layers = good.ruleset.resolved.layers
    if example is None or not each.span.file:
        return False
    return good.ruleset.resolved.find_layer(example.span) != layers[-1].name and _meets_example(each, example.node.span)


def _meets_example(each: Diagnostic, span: Span) -> bool:
    """Return whether a diagnostic is about the example itself, and not about something else with its id."""
    return build_file_key(each.span.file) == build_file_key(span.file) and overlaps(each.span, span)


Tree = dict[str, "Tree | str"]
"""A tree of keys, with the values to write as YAML."""


def _tree(said: Mapping[tuple[str, ...], str]) -> Tree:
    tree: Tree = {}
    for path, text in said.items():
        node = tree
        for key in path[:-1]:
            inner = node.setdefault(key, {})
            assert isinstance(inner, dict)
            node = inner
        node[path[-1]] = text
    return tree


def _edits(layer: Layer, tree: Tree, path: tuple[str, ...]) -> Iterator[Edit]:
    """Yield the edits that write a tree of values at `path`, merged into the layer's existing mappings.

    An existing list is replaced. A value that cannot be written is skipped.
    """
    for key, inner in tree.items():
        way = (*path, key)
        there = _node(layer, way)
        if isinstance(inner, dict) and (isinstance(there, MappingNode) or (there is None and len(inner) == 1)):
            yield from _edits(layer, inner, way)
        elif isinstance(there, SequenceNode):
            yield Edit(there.span, _flow(inner))
        elif (edit := build_value_edit(layer, way, _flow(inner))) is not None:
            yield edit


def _node(layer: Layer, path: tuple[str, ...]) -> Node | None:
    for file in layer.files:
        node: Node | None = file
        for key in path:
            node = node.get(key) if isinstance(node, MappingNode) else None
        if node is not None:
            return node
    return None


def _flow(tree: Tree | str) -> str:
    if isinstance(tree, str):
        return tree
    return "{" + ", ".join(f"{key}: {_flow(inner)}" for key, inner in tree.items()) + "}"
