"""Other words readers may look for: what a term is also called, what other editions call it, its icon and its name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rulewright.language.declarations import Term
from rulewright.ruleset.ruleset import Ruleset


def synonyms(term: Term, others: Iterable[Ruleset] = ()) -> tuple[str, ...]:
    """The words for a term besides its name and plural, without repetition; `others` are other editions of the game."""
    own = {term.name.casefold(), term.plural.casefold()}
    words = [*term.also]
    for other in others:
        there = other.declarations.terms.get(term.id)
        if there is not None:
            words += [there.name, *there.also]
    words += _icon_words(term.icon)
    found: dict[str, str] = {}
    for word in words:
        if word and word.casefold() not in own:
            found.setdefault(word.casefold(), word)
    return tuple(found.values())


def _icon_words(icon: str) -> list[str]:
    """An emoji, and what Unicode calls it: whoever has seen only the picture can look for either."""
    named = [unicodedata.name(sign, "").lower() for sign in icon if unicodedata.category(sign) == "So"]
    return [icon, *(name for name in named if name)] if icon else []
