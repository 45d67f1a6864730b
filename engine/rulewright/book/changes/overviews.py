"""Changes of the words around overviews. What an overview works out changes with the rules, which tell of it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, said
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.texts import text_lines
from rulewright.ruleset.queries.difference import Difference

LABELS = {"title": "The title", "about": "What it says", "without": "The heading of the case without a row"}


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """The words around it."""
    yield from text_lines(pair, group, LABELS)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """What it shows."""
    sentence = side.words(side.node("overviews", identity).get("title"))
    yield said(difference.what, sentence, covers=[difference.path], words=True)
