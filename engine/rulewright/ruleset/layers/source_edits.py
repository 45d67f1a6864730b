"""Build edits of a layer's files that keep comments and layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as ReadOnlyMapping
from collections.abc import Sequence as ReadOnlySequence
from pathlib import Path as FilePath
from typing import Union

from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.value_origins import Path
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence, follow_keys, is_flow
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span
from rulewright.source.yaml.flow_style import write_scalar

_STEP = "  "

RULES_FILE = "rules.yaml"
"""The file of a layer that gets new sections, if the layer has it."""

Tree = dict[str, Union["Tree", str]]
"""Entries by key, as deep as needed, with the values as YAML on one line."""


def grow_tree(values: ReadOnlyMapping[Path, str]) -> Tree:
    """Return a tree of values that are given by path. No path may lead through another one."""
    tree: Tree = {}
    for path, text in values.items():
        node = tree
        for key in path[:-1]:
            inner = node.setdefault(key, {})
            assert isinstance(inner, dict)
            node = inner
        node[path[-1]] = text
    return tree


Layout = Callable[[str, str], str]
"""A function that returns a key with its value from the text up to the value, and the value on one line."""


def format_tree(tree: Tree, *, levels: int = 1, layout: Layout = str.__add__) -> str:
    """Return the sections of a tree as YAML, with one line for each entry that is `levels` levels down.

    `layout` writes entries that are not in braces. It may write them on several lines.
    """
    return "\n".join(_list_lines(tree, "", levels, layout))


def build_tree_edits(
    layer: Layer, tree: Tree, *, beside: str = "", levels: int = 1, layout: Layout = str.__add__
) -> tuple[Edit, ...] | None:
    """Return the edits that merge a tree of sections into a layer's files, in place of values there. Changes no file.

    A new entry goes to the first file that has its section, and a new section to the file named `beside`, or else to
    the first one. The entries of new mappings have lines of their own down to `levels` levels, and are in braces below.
    `layout` writes new entries as in `format_tree`.

    None if there is no such file, if a mapping is in the way, or if the text of a file is no longer known.
    """
    files = sorted(layer.files, key=lambda file: file.span.file != beside)
    try:
        return tuple(_merge_tree(files, tree, levels, layout, top=True)) if files else None
    except _CannotWriteError:
        return None


class _CannotWriteError(Exception):
    """An exception for a value that cannot be written into a file."""


def _merge_tree(
    nodes: ReadOnlySequence[Mapping], tree: Tree, levels: int, layout: Layout, *, top: bool
) -> Iterator[Edit]:
    """Yield the edits that merge a tree into one of the mappings, which are the same part of several files.

    Raises `_CannotWriteError` for a value that cannot be written, perhaps after some of the edits.
    """
    missing: Tree = {}
    for key, inner in tree.items():
        inside = [value for node in nodes if (value := node.get(key)) is not None]
        mappings = [value for value in inside if isinstance(value, Mapping)]
        if isinstance(inner, dict) and mappings:
            yield from _merge_tree(mappings, inner, levels - 1, layout, top=False)
        elif not inside:
            missing[key] = inner
        elif isinstance(inside[0], Mapping) and not is_flow(inside[0]):
            raise _CannotWriteError
        else:
            yield Edit(find_extent(inside[0]), write_flow(inner))
    if missing:
        edit = _add_entries(nodes[0], missing, levels, layout, top=top)
        if edit is None:
            raise _CannotWriteError
        yield edit


def find_extent(node: Node) -> Span:
    """Return the span of a value without the comments and empty lines below it."""
    last: Node = node
    while not isinstance(last, Scalar) and not is_flow(last):
        last = list(last.entries.values())[-1].value if isinstance(last, Mapping) else last.items[-1]
    end_line, end_column = last.span.end_line, last.span.end_column
    if isinstance(last, Scalar) and last.style in ("literal", "folded"):
        # The span of a block scalar ends at the start of the next line.
        end_line = find_last_line(last)
        end_column = len(SOURCES.find_line(last.span.file, end_line) or "") + 1
    return Span(node.span.file, node.span.line, node.span.column, end_line, end_column)


def write_flow(value: Tree | str) -> str:
    """Return a value of a tree as YAML on one line."""
    if isinstance(value, str):
        return value
    return "{" + ", ".join(f"{write_scalar(key)}: {write_flow(inner)}" for key, inner in value.items()) + "}"


def _list_lines(tree: Tree, indent: str, levels: int, layout: Layout) -> Iterator[str]:
    """Yield the lines of entries. Those of the mappings in the first `levels` levels have lines of their own."""
    for key, value in tree.items():
        if levels > 0 and isinstance(value, dict):
            yield f"{indent}{key}:"
            yield from _list_lines(value, indent + _STEP, levels - 1, layout)
        else:
            yield layout(f"{indent}{write_scalar(key)}: ", write_flow(value))


def build_value_edit(layer: Layer, path: Path, text: str, *, block: str = "") -> Edit | None:
    """Return the edit that sets `path` to `text`, in the file that has the longest part of the path. Changes no file.

    `block` is the same value as a block scalar, with lines that are not indented yet. It is written in place of `text`
    where it can be, which is not in braces or before a comment.

    None if the layer has no rules file, if the value there is not a scalar, or if the file's text is no longer known.
    Of several such files, `RULES_FILE` is used, or else the first.
    """
    files = sorted(layer.files, key=lambda file: (-_depth(file, path), FilePath(file.span.file).name != RULES_FILE))
    return _write_value(files[0], path, text, block, top=True) if files else None


def build_item_edit(layer: Layer, path: Path, identity: str, rest: Path, text: str) -> Edit | None:
    """Return the edit that changes a part of an item of an inherited list, in the layer. Changes no file.

    The list is at `path`, and the part is at `rest` in the item with that id. The layer may have a list of changes
    there already, which may have the item. None as for `build_value_edit`, and if the layer deletes the item.
    """
    for item in find_items(layer, path, identity):
        return _write_value(item, rest, text, "", top=False)
    if next(find_items(layer, path, identity, key="delete"), None) is not None:
        return None
    return build_new_item_edit(layer, path, f"{{id: {identity}, {_flow(rest, text)}}}")


def find_items(layer: Layer, path: Path, identity: str, *, key: str = "id") -> Iterator[Mapping]:
    """Yield the items with an id, or with that value of another key, of the lists of changes at a path of a layer."""
    for file in layer.files:
        node = follow_keys(file, *path)
        for item in node.items if isinstance(node, Sequence) else ():
            value = item.get(key) if isinstance(item, Mapping) else None
            if isinstance(item, Mapping) and isinstance(value, Scalar) and value.text == identity:
                yield item


def build_new_item_edit(layer: Layer, path: Path, item: str) -> Edit | None:
    """Return the edit that adds an item, written on one line, to the list of changes at a path of a layer.

    None as for `build_value_edit`.
    """
    for file in layer.files:
        node = follow_keys(file, *path)
        if isinstance(node, Sequence):
            return _append_item(node, item)
    return build_value_edit(layer, path, f"[{item}]", block=f"\n- {item}")


def _append_item(node: Sequence, item: str) -> Edit | None:
    file, line, column = node.span.file, node.span.end_line, node.span.end_column - 1
    if is_flow(node):
        return Edit(Span(file, line, column, line, column), (", " if node.items else "") + item)
    last = node.items[-1]
    opening, line = SOURCES.find_line(file, last.span.line), find_last_line(last)
    end = SOURCES.find_line(file, line)
    if opening is None or end is None:
        return None
    indent = " " * opening.rfind("-", 0, last.span.column - 1)
    return Edit(Span(file, line, len(end) + 1, line, len(end) + 1), f"\n{indent}- {item}")


def _write_value(root: Mapping, path: Path, text: str, block: str, *, top: bool) -> Edit | None:
    """Return the edit that sets `path` below a mapping, which is a whole file if `top`."""
    depth = _depth(root, path)
    node: Node = root
    indent: str | None = "" if top else None
    for key in path[:depth]:
        assert isinstance(node, Mapping)
        indent = None if is_flow(node) else " " * (node.find_key_span(key).column - 1)
        node = node.entries[key].value
    if depth == len(path):
        follows = (SOURCES.find_line(node.span.file, node.span.end_line) or "")[node.span.end_column - 1 :]
        written = text if not block or indent is None or follows.strip() else _indent(block, indent + _STEP)
        return Edit(node.span, written) if isinstance(node, Scalar) else None
    if not isinstance(node, Mapping):
        return None
    rest = path[depth:]
    top = top and node is root
    return _append(node, lambda indent: _block(rest, block or text, indent), _flow(rest, text), top=top)


def build_entry_removal(layer: Layer, span: Span) -> Edit | None:
    """Return the edit that removes the entry at `span` from a layer, along with mappings left empty.

    None if no file of the layer has such an entry, or in the cases of `build_removal`.
    """
    return next((edit for file in layer.files if (edit := build_removal(file, span)) is not None), None)


def build_removal(file: Mapping, span: Span) -> Edit | None:
    """Return the edit that removes the entry at `span` from a file, along with mappings left empty. Changes no file.

    `span` is that of the entry's key or value. None if no entry is there, if the file would be left empty, if the entry
    shares a line with something else, or if the file's text is no longer known.
    """
    trail = list(_trail(file, span))
    place = len(trail) - 1
    # A mapping that would be left empty is removed too.
    while place > 0 and len(trail[place][0].entries) == 1:
        place -= 1
    return _make_removal(*trail[place]) if trail and len(trail[place][0].entries) > 1 else None


def _depth(file: Mapping, path: Path) -> int:
    """Return how many keys of a path lead to mappings in a file, or all if the path leads to a value."""
    node: Node = file
    for depth, key in enumerate(path):
        if not isinstance(node, Mapping) or key not in node:
            return depth if isinstance(node, Mapping) else depth - 1
        node = node.entries[key].value
    return len(path)


def _add_entries(node: Mapping, tree: Tree, levels: int, layout: Layout, *, top: bool) -> Edit | None:
    """Return the edit that appends several entries to a mapping, or None, as `_append` does."""
    flow = write_flow(tree)[1:-1]
    parts = [{key: value} for key, value in tree.items()]
    gap = "\n\n" if top else "\n"
    return _append(
        node,
        lambda indent: gap.join("\n".join(_list_lines(part, indent, levels, layout)) for part in parts),
        flow,
        top=top,
    )


def _append(node: Mapping, block: Callable[[str], str], flow: str, *, top: bool) -> Edit | None:
    """Return the edit that appends text to a mapping: `flow` in braces, or else what `block` makes of its indentation.

    `top` means that the mapping is the whole file, which may have only comments. None if the file's text is not known,
    or if a block mapping within it is empty.
    """
    entries = list(node.entries.values())
    opening = SOURCES.find_line(node.span.file, node.span.line)
    if opening is None:
        return None
    if not top and opening[node.span.column - 1 : node.span.column] == "{":
        line, column = node.span.end_line, node.span.end_column - 1
        return Edit(Span(node.span.file, line, column, line, column), (", " if entries else "") + flow)
    if not entries:
        # A file with nothing but comments gets its first entry at its end.
        at = Span(node.span.file, *(node.span.end_line, node.span.end_column) * 2)
        return Edit(at, "\n\n" + block("")) if top else None
    indent = " " * (entries[0].key.span.column - 1)
    line = find_last_line(entries[-1].value)
    last = SOURCES.find_line(node.span.file, line)
    if last is None:
        return None
    at = Span(node.span.file, line, len(last) + 1, line, len(last) + 1)
    # An empty line sets off a new section.
    return Edit(at, ("\n\n" if top else "\n") + block(indent))


def _block(path: Path, text: str, indent: str) -> str:
    lines = [f"{indent}{_STEP * depth}{key}:" for depth, key in enumerate(path)]
    gap = "" if text.startswith("\n") else " "
    return "\n".join(lines) + gap + _indent(text, indent + _STEP * len(path))


def _indent(block: str, indent: str) -> str:
    """Return a value with its lines after the first one indented, without spaces at their ends."""
    first, *lines = block.split("\n")
    return "\n".join((first, *(f"{indent}{line}".rstrip() for line in lines)))


def _flow(path: Path, text: str) -> str:
    head, *rest = path
    return f"{head}: {{{_flow(tuple(rest), text)}}}" if rest else f"{head}: {text}"


def find_last_line(node: Node) -> int:
    """Return the last line with content of a node, counted from 1. The span of a block may extend to the next key."""
    if isinstance(node, Mapping) and node.entries and not is_flow(node):
        return find_last_line(list(node.entries.values())[-1].value)
    if isinstance(node, Sequence) and node.items and not is_flow(node):
        return find_last_line(node.items[-1])
    if isinstance(node, Scalar) and node.style in ("literal", "folded"):
        line = node.span.end_line
        while line > node.span.line and not (SOURCES.find_line(node.span.file, line) or "").strip():
            line -= 1
        # The span of a block scalar ends at the start of the next line.
        return line - 1 if node.span.end_column == 1 and line == node.span.end_line else line
    return node.span.end_line


def _trail(node: Node, span: Span) -> Iterator[tuple[Mapping, Entry]]:
    """Yield each mapping on the way to the entry at `span`, with its entry on the way, outermost first.

    `span` is that of the entry's key or value. Yields nothing if no entry has it.
    """
    if isinstance(node, Mapping):
        for entry in node.entries.values():
            if entry.value.span == span or entry.key.span == span:
                yield node, entry
                return
            inner = list(_trail(entry.value, span))
            if inner:
                yield node, entry
                yield from inner
                return


def _make_removal(mapping: Mapping, entry: Entry) -> Edit | None:
    """Return the edit that deletes an entry of a mapping, with its lines or with the comma beside it in braces.

    None if a block entry shares its line with something else, or if the file's text is no longer known.
    """
    file = entry.key.span.file
    if not is_flow(mapping):
        first, last = entry.key.span.line, find_last_line(entry.value)
        line = SOURCES.find_line(file, first)
        if line is None or line[: entry.key.span.column - 1].strip():
            return None  # the line has other content
        if SOURCES.find_line(file, last + 1) is not None:
            return Edit(Span(file, first, 1, last + 1, 1), "")
        return Edit(Span(file, first, 1, last, len(SOURCES.find_line(file, last) or "") + 1), "")
    entries = list(mapping.entries.values())
    place = entries.index(entry)
    if len(entries) == 1:
        return Edit(entry.span, "")
    if place + 1 < len(entries):
        following = entries[place + 1].key.span
        return Edit(Span(file, entry.key.span.line, entry.key.span.column, following.line, following.column), "")
    before, end = entries[place - 1].value.span, entry.value.span
    return Edit(Span(file, before.end_line, before.end_column, end.end_line, end.end_column), "")
