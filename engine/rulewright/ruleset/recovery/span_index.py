"""Map spans of a file to values in the rules, with one traversal for any number of lookups."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection

from rulewright.ruleset.layers.value_origins import Path
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.span import Span

SpanMatch = tuple[Path, Node]
"""The path of the innermost value that contains a span, and that value; for a key, the value after it."""

_Leaf = tuple[int, int, Span, SpanMatch]


class SpanIndex:
    """The positions of all keys and values in `node`, or only of those in some `files`."""

    def __init__(self, node: Node, files: Collection[str] | None = None) -> None:
        self._files = files
        self._whole: dict[Span, SpanMatch] = {}
        leaves: dict[str, list[_Leaf]] = {}
        self._walk(node, (), None, leaves)
        self._leaves = {file: sorted(result, key=_start) for file, result in leaves.items()}
        self._starts = {file: [_start(leaf) for leaf in result] for file, result in self._leaves.items()}

    def find(self, span: Span) -> SpanMatch | None:
        """Return the path and node of the innermost value that contains `span`, or None if there is none.

        A key belongs to its value. If several values begin at the same position, the first in the tree is returned.
        """
        starts = self._starts.get(span.file)
        if starts is None:
            return None
        leaves = self._leaves[span.file]
        last = bisect_right(starts, (span.line, span.column)) - 1
        span_match = None
        at = last
        while at >= 0 and starts[at] == starts[last]:
            if leaves[at][2].contains(span):
                span_match = leaves[at][3]  # several values may begin there; the first in the tree counts
            at -= 1
        if span_match is None:
            span_match = self._whole.get(span)
        if span_match is None:
            around = [each for stretch, each in self._whole.items() if stretch.contains(span)]
            span_match = max(around, key=lambda each: len(each[0]), default=None)
        return span_match

    def _walk(self, node: Node, path: Path, item: Node | None, leaves: dict[str, list[_Leaf]]) -> None:
        """Add the positions in `node` to `leaves` and `_whole`.

        `item` is the list item whose id `node` is, if any, since the id has the position of the whole item.
        """
        is_wanted = self._files is None or node.span.file in self._files
        if isinstance(node, Scalar):
            if is_wanted:
                _note(leaves, node.span, (path, node if item is None else item))
            return
        if isinstance(node, Mapping):
            for key, entry in node.entries.items():
                inner = (*path, key)
                id_node = node if item is not None and key == "id" and isinstance(entry.value, Scalar) else None
                is_key_wanted = self._files is None or entry.key.span.file in self._files
                if is_key_wanted:
                    _note(leaves, entry.key.span, (inner, id_node or entry.value))
                self._walk(entry.value, inner, id_node, leaves)
                if is_key_wanted and entry.key.span.file == entry.value.span.file:
                    self._whole.setdefault(entry.span, (inner, entry.value))
        else:
            for each in node.items:
                named = each.get("id") if isinstance(each, Mapping) else None
                inner = (*path, named.text) if isinstance(named, Scalar) else path
                self._walk(each, inner, each if isinstance(each, Mapping) else None, leaves)
        if is_wanted:
            self._whole.setdefault(node.span, (path, node))


def _note(leaves: dict[str, list[_Leaf]], span: Span, span_match: SpanMatch) -> None:
    leaves.setdefault(span.file, []).append((span.line, span.column, span, span_match))


def _start(leaf: _Leaf) -> tuple[int, int]:
    return leaf[0], leaf[1]
