"""Changes of questions and answers."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, said
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.texts import text_lines
from rulewright.ruleset.queries.difference import Difference

LABELS = {"question": "The question", "answer": "The answer"}


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """The question and the answer."""
    yield from text_lines(pair, group, LABELS)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """The answer."""
    sentence = side.words(side.node("faq", identity).get("answer"))
    yield said(difference.what, sentence, covers=[difference.path], words=True)
