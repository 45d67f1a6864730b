"""Words that differ: what was written, and what is written now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.book.changes.change import Line, line
from rulewright.book.changes.side import Pair
from rulewright.ruleset.queries.difference import Difference
from rulewright.source.nodes import Scalar, Sequence


def text_lines(pair: Pair, group: list[Difference], labels: Mapping[str, str]) -> Iterator[Line]:
    """A line for each difference whose last part is one of `labels`, with the label for it."""
    for difference in group:
        label = labels.get(difference.path[-1])
        if label is None or len(difference.path) != 3:
            continue
        before, after = (
            ", ".join(side.words(item) for item in node.items) if isinstance(node, Sequence) else side.words(node)
            for side, node in ((pair.before, difference.before), (pair.after, difference.after))
            if node is None or isinstance(node, (Scalar, Sequence))
        )
        yield line(difference.what, label, before, after, covers=[difference.path], words=difference.words)
