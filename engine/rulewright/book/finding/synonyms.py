"""Other words readers may look for: what a term is also called, what other editions call it, its icon and its name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rulewright.language.declarations import Term
from rulewright.ruleset.ruleset import Ruleset


def names(term: Term, others: Iterable[Ruleset] = ()) -> tuple[str, ...]:
    """The words for a term besides its name and plural, without repetition; `others` are other editions of the game."""
    words = [*term.also]
    for other in others:
        there = other.declarations.terms.get(term.id)
        if there is not None:
            words += [there.name, *there.also]
    return _without_own(term, words)


def synonyms(term: Term, others: Iterable[Ruleset] = ()) -> tuple[str, ...]:
    """Whatever a term may be searched for by: its other names, its icon, and what Unicode calls that."""
    return _without_own(term, [*names(term, others), *_icon_words(term.icon)])


def _without_own(term: Term, words: Iterable[str]) -> tuple[str, ...]:
    own = {term.name.casefold(), term.plural.casefold()}
    found: dict[str, str] = {}
    for word in words:
        if word and word.casefold() not in own:
            found.setdefault(word.casefold(), word)
    return tuple(found.values())


def _icon_words(icon: str) -> list[str]:
    """An emoji, and what Unicode calls it: whoever has seen only the picture can look for either."""
    return [icon, *_names(icon)] if icon else []


def icon_name(icon: str) -> str:
    """What Unicode calls an emoji; empty for what is none."""
    return ", ".join(_names(icon))


def _names(icon: str) -> list[str]:
    named = (unicodedata.name(sign, "").lower() for sign in icon if unicodedata.category(sign) == "So")
    return [name for name in named if name]
