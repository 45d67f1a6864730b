"""Changes of settings and decks."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, line, said
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.texts import text_lines
from rulewright.ruleset.queries.difference import Difference


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """Choices, and the one that holds if nobody chooses."""
    if not identity:
        return
    before, after = (side.declared.options[identity] for side in (pair.before, pair.after))
    yield from text_lines(pair, group)
    for difference in group:
        match difference.path[2:]:
            case ("choices", choice):
                old = pair.before.words(before.choices.get(choice, ""))
                new = pair.after.words(after.choices.get(choice, ""))
                # The words of a choice are looks; that there is one more is not.
                words = difference.what == "changed"
                yield line(difference.what, "A choice", old, new, covers=[difference.path], words=words)
            case ("choices",):
                old, new = (
                    ", ".join(side.words(words) for words in option.choices.values())
                    for side, option in ((pair.before, before), (pair.after, after))
                )
                yield line("changed", "Order of the choices", old, new, covers=[difference.path], words=True)
            case ("default",):
                old, new = (
                    pair.before.words(before.choices[before.default]),
                    pair.after.words(after.choices[after.default]),
                )
                yield line("changed", "Unless agreed otherwise", old, new, covers=[difference.path])
            case ("may_change",):
                old, new = (_vote(option.may_change) for option in (before, after))
                yield line("changed", "During a game", old, new, covers=[difference.path])


def _vote(may_change: str | None) -> str:
    return "a vote may change it" if may_change == "vote" else "nothing changes it"


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """What it settles, and the choices."""
    option = side.declared.options[identity]
    choices = "; ".join(
        side.words(words) + (" (unless agreed otherwise)" if choice == option.default else "")
        for choice, words in option.choices.items()
    )
    means = side.words(side.node("options", identity).get("means"))
    sentence = f"{means} {choices}.".strip()
    yield said(difference.what, sentence, covers=[difference.path])


def deck_lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """Which cards it has."""
    if not identity:
        return
    yield from text_lines(pair, group)
    rest = [d.path for d in group if d.path[-1] != "title"]
    if rest:
        yield line("changed", "", _cards(pair.before, identity), _cards(pair.after, identity), covers=rest)


def whole_deck(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """Which cards it has."""
    yield said(difference.what, f"{_cards(side, identity)}.", covers=[difference.path])


def _cards(side: Side, identity: str) -> str:
    deck = side.declared.decks[identity]
    return f"{len(deck.cards)} cards from {side.naming.table(deck.table)}"
