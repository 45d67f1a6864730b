"""Changes of rules that hold whenever something happens. What their steps say is told of the procedures they are."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, line, said
from rulewright.book.changes.compared_side import Pair, Side, Teller
from rulewright.book.english.grammar import capital
from rulewright.book.parts.trigger_sentences import told
from rulewright.ruleset.queries.tree_difference import Difference

_OF_THE_PROCEDURE = ("title", "means", "names", "first", "instead", "then")


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """Yield what it watches, when it holds, and when its steps are carried out."""
    covers = [difference.path for difference in group]
    before, after = (_sentence(side, identity) for side in (pair.before, pair.after))
    words = all(difference.path[2:3] and difference.path[2] in _OF_THE_PROCEDURE for difference in group)
    if before != after or not words:
        yield line("changed", "", before, after, covers=covers)
    else:
        # Whatever differs is told where the steps are.
        yield said("changed", "What is done is told above.", covers=covers, words=True)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """Yield what it watches, when it holds, and when its steps are carried out."""
    yield said(difference.what, _sentence(side, identity), covers=[difference.path])


def _sentence(side: Side, identity: str) -> str:
    trigger = side.ruleset.declarations.triggers.get(identity)
    return capital(told(trigger, side.english.style)) if trigger is not None else ""


TELLERS = {"whenever": Teller(lines, whole)}
