"""Changes of triggers. Their steps are described as procedures."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import ChangeLine, build_line, build_sentence_line
from rulewright.book.changes.compared_side import RulesetPair, Side, Teller
from rulewright.book.english.grammar import capitalize
from rulewright.book.parts.trigger_sentences import describe_trigger
from rulewright.ruleset.queries.tree_difference import Difference

_OF_THE_PROCEDURE = ("title", "means", "names", "just_before", "instead", "then")


def lines(pair: RulesetPair, identity: str, group: list[Difference]) -> Iterator[ChangeLine]:
    """Yield one line with the old and the new sentence about a trigger.

    If the sentence is the same and only texts or steps changed, the line refers to the steps instead.
    """
    covers = [difference.path for difference in group]
    before, after = (_sentence(side, identity) for side in (pair.before, pair.after))
    words = all(difference.path[2:3] and difference.path[2] in _OF_THE_PROCEDURE for difference in group)
    if before != after or not words:
        yield build_line("changed", "", before, after, covers=covers)
    else:
        # Other differences are described with the steps.
        yield build_sentence_line("changed", "Its steps are described above.", covers=covers, words=True)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[ChangeLine]:
    """Yield its event, its condition and its timing."""
    yield build_sentence_line(difference.what, _sentence(side, identity), covers=[difference.path])


def _sentence(side: Side, identity: str) -> str:
    trigger = side.ruleset.declarations.triggers.get(identity)
    return capitalize(describe_trigger(trigger, side.english.style)) if trigger is not None else ""


TELLERS = {"whenever": Teller(lines, whole)}
