"""Build edits of a layer's files that keep comments and layout."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.layers.layer import Layer
from rulewright.ruleset.layers.value_origins import Path
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence, is_flow
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

_STEP = "  "


def build_value_edit(layer: Layer, path: Path, text: str) -> Edit | None:
    """Return the edit that sets `path` to `text`, in the file that has the longest part of the path. Changes no file.

    None if the layer has no rules file, if the value there is not a scalar, or if the file's text is no longer known.
    Of several such files, the first is used.
    """
    best: tuple[int, Mapping] | None = None
    for file in layer.files:
        depth = _depth(file, path)
        if best is None or depth > best[0]:
            best = (depth, file)
    if best is None:
        return None
    depth, file = best
    node: Node = file
    for key in path[:depth]:
        assert isinstance(node, Mapping)
        node = node.entries[key].value
    if depth == len(path):
        return Edit(node.span, text) if isinstance(node, Scalar) else None
    if not isinstance(node, Mapping):
        return None
    return _make_addition(node, path[depth:], text, top=node is file)


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
    node: Node = file
    for depth, key in enumerate(path):
        if not isinstance(node, Mapping) or key not in node:
            return depth if isinstance(node, Mapping) else depth - 1
        node = node.entries[key].value
    return len(path)


def _make_addition(node: Mapping, path: Path, text: str, *, top: bool) -> Edit | None:
    """Return the edit that appends an entry at `path` below a mapping, in the mapping's style.

    `top` means that the mapping is the whole file. None if the file's text is not known, or if a block mapping within
    it is empty.
    """
    entries = list(node.entries.values())
    opening = SOURCES.find_line(node.span.file, node.span.line)
    if opening is None:
        return None
    if not top and opening[node.span.column - 1 : node.span.column] == "{":
        line, column = node.span.end_line, node.span.end_column - 1
        return Edit(Span(node.span.file, line, column, line, column), (", " if entries else "") + _flow(path, text))
    if not entries:
        # A file with nothing but comments gets its first entry at its end.
        end = Span(node.span.file, *(node.span.end_line, node.span.end_column) * 2)
        return Edit(end, "\n\n" + _block(path, text, "")) if top else None
    indent = " " * (entries[0].key.span.column - 1)
    line = _last_line(entries[-1].value)
    last = SOURCES.find_line(node.span.file, line)
    if last is None:
        return None
    at = Span(node.span.file, line, len(last) + 1, line, len(last) + 1)
    return Edit(at, "\n" + _block(path, text, indent))


def _block(path: Path, text: str, indent: str) -> str:
    lines = [f"{indent}{_STEP * depth}{key}:" for depth, key in enumerate(path)]
    return "\n".join(lines) + f" {text}"


def _flow(path: Path, text: str) -> str:
    head, *rest = path
    return f"{head}: {{{_flow(tuple(rest), text)}}}" if rest else f"{head}: {text}"


def _last_line(node: Node) -> int:
    """Return the last line with content of a node, counted from 1. The span of a block may extend to the next key."""
    if isinstance(node, Mapping) and node.entries and not is_flow(node):
        return _last_line(list(node.entries.values())[-1].value)
    if isinstance(node, Sequence) and node.items and not is_flow(node):
        return _last_line(node.items[-1])
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
    file = entry.key.span.file
    if not is_flow(mapping):
        first, last = entry.key.span.line, _last_line(entry.value)
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
