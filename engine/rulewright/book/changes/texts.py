"""Words that differ: what was written, and what is written now. Which words readers are told of, each section says."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, line, said
from rulewright.book.changes.side import Pair, Side
from rulewright.ruleset.queries.difference import Difference
from rulewright.ruleset.section import sections
from rulewright.source.nodes import Scalar, Sequence


def text_lines(pair: Pair, group: list[Difference]) -> Iterator[Line]:
    """A line for each difference in words that the section tells of, with the label it gives them."""
    for difference in group:
        label = sections()[difference.path[0]].told.get(difference.path[-1])
        if label is None or len(difference.path) != 3:
            continue
        before, after = (
            ", ".join(side.words(item) for item in node.items) if isinstance(node, Sequence) else side.words(node)
            for side, node in ((pair.before, difference.before), (pair.after, difference.after))
            if node is None or isinstance(node, (Scalar, Sequence))
        )
        yield line(difference.what, label, before, after, covers=[difference.path], words=difference.words)


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """The words of an entry, where its section has nothing else to tell."""
    yield from text_lines(pair, group)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """What an entry is that only one side has: what it says of itself, or what it shows."""
    section = sections()[difference.path[0]]
    gist = None if section.illustrates else side.node(section.key, identity).get(section.gist)
    sentence = side.words(gist) or side.title(section.key, identity)
    yield said(difference.what, sentence, covers=[difference.path], words=difference.words)
