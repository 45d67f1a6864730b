"""Changes of words: a thing that goes by another name is the same thing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.changes.change import Line, line, said, stopped
from rulewright.book.changes.side import Pair, Side
from rulewright.book.changes.texts import text_lines
from rulewright.book.finding.synonyms import icon_name
from rulewright.language.declarations import Term
from rulewright.ruleset.queries.difference import Difference


def lines(pair: Pair, identity: str, group: list[Difference]) -> Iterator[Line]:
    """Another name, another plural, another picture, another meaning."""
    before, after = (side.declared.terms[identity] for side in (pair.before, pair.after))
    covers = {difference.path[2]: difference.path for difference in group if len(difference.path) > 2}
    naming = [covers[key] for key in ("name", "plural") if key in covers]
    if before.name != after.name:
        yield _renamed(before.name, after.name, f"{before.name} is now called {after.name}", naming)
    elif before.plural != after.plural:
        sentence = f"Several of them are now called {after.plural}, and no longer {before.plural}"
        yield _renamed(before.plural, after.plural, sentence, naming)
    elif naming:
        yield line("changed", "Name", before.plural, after.plural, covers=naming, words=True)
    if "icon" in covers:
        yield line("changed", "Picture", _pictured(before), _pictured(after), covers=[covers["icon"]], words=True)
    yield from text_lines(pair, group)


def whole(side: Side, identity: str, difference: Difference) -> Iterator[Line]:
    """What the word means."""
    term = side.declared.terms[identity]
    means = side.words(term.means)
    sentence = stopped(means) if means else f"The word {term.name}."
    yield said(difference.what, sentence, covers=[difference.path], words=True)


def _pictured(term: Term) -> str:
    """What is to be seen, in words: not every device has a font with the sign itself."""
    return icon_name(term.icon) or term.icon or "none"


def _renamed(before: str, after: str, sentence: str, covers: list[tuple[str, ...]]) -> Line:
    return Line("renamed", "Name", before, after, f"{sentence}.", True, tuple(covers))
