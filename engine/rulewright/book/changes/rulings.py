"""Changes of rulings."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, said
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.texts import text_lines
from rulewright.ruleset.queries.difference import Difference

LABELS = {"question": "Open was", "source": "The sources say", "ruling": "What holds", "because": "Because"}


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """The question, what the sources say, what holds and why."""
    yield from text_lines(pair, group, LABELS)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """What holds."""
    sentence = side.words(side.node("rulings", identity).get("ruling"))
    yield said(difference.what, sentence, covers=[difference.path], words=True)
