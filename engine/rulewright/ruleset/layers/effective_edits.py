"""Edits of the top layer that leave out what it would only repeat from the layers below."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.layers.layer import ResolvedRules
from rulewright.ruleset.layers.source_edits import Tree, build_removal, build_tree_edits, write_flow
from rulewright.ruleset.layers.value_origins import Path
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.nodes import Mapping, Node, is_flow
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

INHERITED = ""
"""A value in a tree that the top layer no longer sets."""


def build_effective_edits(resolved: ResolvedRules, tree: Tree, *, beside: str = "") -> tuple[Edit, ...] | None:
    """Return the edits that merge a tree into the top layer, as `build_tree_edits` does.

    An entry that the layer has in braces on one line is written as a whole, without the values that it would inherit.
    It is removed if nothing is left. So are values that the tree has as `INHERITED`. Repeats inherited values where
    entries cannot be removed. None if something cannot be written.
    """
    top, rest = resolved.layers[-1], {key: dict(each) if isinstance(each, dict) else each for key, each in tree.items()}
    edits: list[Edit | None] = []
    for file in top.files:
        for section, written in file.entries.items():
            entries = rest.get(section)
            if isinstance(entries, dict) and isinstance(written.value, Mapping):
                edits += _rewrite_entries(file, section, written.value, entries, resolved)
                if not entries:
                    del rest[section]
    more = build_tree_edits(top, rest, beside=beside) if rest else ()
    if more is not None and None not in edits and not _has_inherited(rest):
        return (*(each for each in edits if each is not None), *more)
    return None if _has_inherited(tree) else build_tree_edits(top, tree, beside=beside)


def _rewrite_entries(
    file: Mapping, section: str, written: Mapping, entries: Tree, resolved: ResolvedRules
) -> Iterator[Edit | None]:
    """Yield the edits of the entries that a file has on one line, and delete these. None for one that is impossible."""
    emptied: list[Span] = []
    for name, values in list(entries.items()):
        entry = written.entries.get(name)
        own = _read_flow(entry.value) if entry is not None else None
        if entry is not None and isinstance(own, dict) and isinstance(values, dict):
            del entries[name]
            merged = _leave_out(_merge(own, values), (section, name), resolved)
            if merged:
                yield Edit(entry.value.span, write_flow(merged))
            else:
                emptied.append(entry.key.span)
    if len(emptied) == len(written.entries) and len(file.entries) > 1:
        emptied = [file.find_key_span(section)]
    if len(emptied) > 1 and is_flow(written):
        yield None  # their edits would overlap
    else:
        yield from (build_removal(file, span) for span in emptied)


def _read_flow(node: Node) -> Tree | str | None:
    """Return a value on one line as a tree, with mappings only where they are in braces. None if it has more lines."""
    if isinstance(node, Mapping) and is_flow(node) and node.span.line == node.span.end_line:
        inner = {key: _read_flow(entry.value) for key, entry in node.entries.items()}
        return {key: value for key, value in inner.items() if value is not None}
    line = SOURCES.find_line(node.span.file, node.span.line)
    if line is None or node.span.line != node.span.end_line:
        return None
    return line[node.span.column - 1 : node.span.end_column - 1]


def _merge(own: Tree, values: Tree) -> Tree:
    """Return a copy of a tree with the values of another, merged by key at every level."""
    merged = dict(own)
    for key, value in values.items():
        known = merged.get(key)
        merged[key] = _merge(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged


def _leave_out(tree: Tree, path: Path, resolved: ResolvedRules) -> Tree:
    """Return a tree at a path without the values that the layers below have, and without mappings left empty."""
    left: Tree = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            value = _leave_out(value, (*path, key), resolved)
            if value:
                left[key] = value
        elif value != INHERITED and not _is_inherited(value, (*path, key), resolved):
            left[key] = value
    return left


def _is_inherited(value: str, path: Path, resolved: ResolvedRules) -> bool:
    *_, before, last = (None, None, *resolved.history.find_origins(path))
    if last is None or last.layer != resolved.layers[-1].name:
        return False
    return value == (before.value if before is not None else "[]")


def _has_inherited(tree: Tree) -> bool:
    return any(_has_inherited(each) if isinstance(each, dict) else each == INHERITED for each in tree.values())
