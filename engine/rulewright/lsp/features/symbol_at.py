"""The symbol at a position of a file: the value or key, its shape, and the rule it refers to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.language.schema_shapes import ByForm, Leaf, ListOf, Record, Shape, Steps
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.features.line_map import LineMap
from rulewright.lsp.features.mentions.mention import Mention
from rulewright.lsp.features.typing_context import ITEM
from rulewright.lsp.features.workspace import Workspace
from rulewright.ruleset.editions.edition import MANIFEST as MANIFEST_FILE
from rulewright.ruleset.editions.edition import WORDS
from rulewright.ruleset.schema.canonical_form import choose_form
from rulewright.ruleset.schema.model import MANIFEST, build_rules_shape, step_shape
from rulewright.ruleset.schema.schema_path import describe_key, find_member
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.span import Span
from rulewright.source.yaml.error_recovery import recover_document


@dataclass(frozen=True, slots=True, eq=False)
class SymbolAt:
    """A scalar in a file with its path of keys, its shape, and whether it is a key. `doc` says what the key means.

    A scalar in a list whose items have no ids has the path of that list, which is `listed`. `in_step` is the length of
    the path to the innermost step that the scalar is in, or 0 if it is in none.
    """

    scalar: Scalar
    way: tuple[str, ...]
    shape: Shape
    is_key: bool
    doc: str = ""
    listed: Sequence | None = None
    in_step: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """The entry that a position refers to: the mention, the edition, and the current range."""

    good: Good
    mention: Mention
    span: Span


def get_document(workspace: Workspace, path: Path) -> Node | None:
    """Return the readable parts of a file in its current state, or None if nothing is readable."""
    with workspace.read_unsaved():
        return recover_document(path).node


def find_shape(path: Path) -> Shape:
    """Return the shape of a whole file. Translation files have an empty shape."""
    if path.parent.name == WORDS:
        return Shape()
    return MANIFEST if path.name == MANIFEST_FILE else build_rules_shape()


def follow_shape(shape: Shape, way: tuple[str, ...], *, is_key: bool = True) -> Shape:
    """Return the shape of the value at a path of keys below a shape. A plain `Shape` if a key is unknown.

    `is_key` says whether the value is a mapping, so that an item of a list is a step rather than a plain value.
    """
    for place, key in enumerate(way, start=1):
        if key == ITEM:
            if isinstance(shape, ByForm):
                shape = (shape.steps if is_key or place < len(way) else None) or shape.sequence or Shape()
            if isinstance(shape, Record) and shape.short is not None:
                shape = shape.members[shape.short].shape
            shape = shape.inner if isinstance(shape, ListOf) else step_shape() if isinstance(shape, Steps) else shape
        else:
            shape = find_member(shape, key)
    return shape


def find_symbol(workspace: Workspace, path: Path, line: int, column: int) -> SymbolAt | None:
    """Return the scalar at a position, or None."""
    node = get_document(workspace, path)
    return None if node is None else _find(node, find_shape(path), (), (line, column))


def _find(node: Node, shape: Shape | None, way: tuple[str, ...], place: tuple[int, int]) -> SymbolAt | None:
    """Return the key or scalar at a position inside a node, or None.

    A list item with an id adds it to `way`, the path of `node`. `listed` of the result is the outermost list that has
    the key or scalar inside an item without an id, or None.
    """
    if isinstance(shape, ByForm):
        shape = choose_form(shape, node)
    shape = shape or Shape()
    if isinstance(shape, Record) and shape.short is not None and not isinstance(node, Mapping):
        shape = shape.members[shape.short].shape
        if isinstance(shape, ByForm):
            shape = choose_form(shape, node) or Shape()
    match node:
        case Scalar():
            return SymbolAt(node, way, shape, is_key=False) if _holds(node.span, place) else None
        case Mapping():
            for name, entry in node.entries.items():
                inner = find_member(shape, name)
                if _holds(entry.key.span, place):
                    doc = describe_key(shape, name, node.entries)
                    return SymbolAt(entry.key, (*way, name), inner, is_key=True, doc=doc)
                if _holds(entry.value.span, place):
                    return _find(entry.value, inner, (*way, name), place)
        case Sequence():
            for item in node.items:
                of = (
                    shape.inner
                    if isinstance(shape, ListOf)
                    else step_shape(item)
                    if isinstance(shape, Steps)
                    else shape
                )
                if _holds(item.span, place):
                    named = item.get("id") if isinstance(item, Mapping) else None
                    if isinstance(named, Scalar):
                        result = _find(item, of, (*way, named.text), place)
                        is_outer = result is not None and not result.in_step and isinstance(shape, Steps)
                        return replace(result, in_step=len(way) + 1) if result is not None and is_outer else result
                    result = _find(item, of, way, place)
                    return replace(result, listed=node) if result is not None else None
    return None


def _holds(span: Span, place: tuple[int, int]) -> bool:
    return (span.line, span.column) <= place <= (span.end_line, span.end_column)


def find_meaning(workspace: Workspace, path: Path, line: int, column: int) -> Meaning | None:
    """Return the entry that a position refers to, in the nearest edition that reads the file.

    None if there is none.
    """
    key = build_file_key(path)
    for good in workspace.list_good(path):
        named = good.files.get(key)
        if named is None:
            continue
        moved = map_lines(workspace, good, key)
        then = moved.map_back(line)
        mention = good.mentions.find_at(named, then, column) if then is not None else None
        if mention is not None and (span := moved.map_forward(mention.span)) is not None:
            return Meaning(good, mention, span)
    return None


def map_lines(workspace: Workspace, good: Good, key: str) -> LineMap:
    """Return how a file changed since an edition was checked."""
    then = good.texts.get(key, "")
    return LineMap(then, workspace.texts.typed.get(key, then))


def map_span(workspace: Workspace, good: Good, span: Span) -> Span | None:
    """Return the current range of a range in a checked edition, or None if its lines have changed."""
    return map_lines(workspace, good, build_file_key(span.file)).map_forward(span)


def is_words(shape: Shape) -> bool:
    """Return whether a scalar of this shape is text for readers."""
    return isinstance(shape, Leaf) and shape.format in ("words", "label")
