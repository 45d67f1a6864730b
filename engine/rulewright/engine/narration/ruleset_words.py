"""The texts of a ruleset that do not depend on the state of a game, and the sentences of the log in its language."""

from __future__ import annotations

import re

from rulewright.base.incremental.reads import Memo
from rulewright.engine.narration.rich_text import Phrase
from rulewright.language.declarations import Term
from rulewright.ruleset.prose.book_language import ENGLISH, Language, find_language
from rulewright.ruleset.ruleset import Ruleset

_NAMED = re.compile(r"%\((\w+)\)s")


class RulesetWords:
    """The texts of a ruleset that do not depend on the state.

    They are words with their placeholders filled in (except for texts about objects), the terms that named numbers
    count, and the names of players, terms and rows.
    """

    __slots__ = ("counted", "language", "pieces", "players", "rows", "terms", "words")

    def __init__(self, ruleset: Ruleset) -> None:
        self.language = find_language(ruleset)
        self.pieces: dict[str, tuple[tuple[str, str], ...]] = {}
        self.words = Memo()
        self.players: dict[int, Phrase] = {}
        self.terms = Memo()
        self.rows = Memo()
        self.counted: dict[str, Term] = {}
        for term in ruleset.declarations.terms.values():
            self.counted.setdefault(term.id, term)
            self.counted.setdefault(spell_as_id(term.plural), term)

    def find_pieces(self, message: str) -> tuple[tuple[str, str], ...]:
        """Return a message in the language of the ruleset as pairs of text and the name after it. Cached.

        The last name is empty.
        """
        known = self.pieces.get(message)
        if known is None:
            split = _NAMED.split(self.language.find_message(message))
            known = self.pieces[message] = tuple(zip(split[::2], (*split[1::2], ""), strict=True))
        return known


_GENDER = re.compile(r" \((?:pl|[mfn])(?: [mfn])?\)$")
"""A mark of gender behind a noun, as dictionaries have it."""


def strip_gender(noun: str, language: Language) -> str:
    """Return a noun without the mark of its gender that a translation may have. An English noun stays as it is."""
    return noun if language is ENGLISH else _GENDER.sub("", noun)


def strip_article(noun: str, language: Language) -> str:
    """Return a noun as it is behind a number: without the article and the mark of its gender of a translation."""
    article, _, rest = strip_gender(noun, language).partition(" ")
    return rest if rest and article in language.articles else strip_gender(noun, language)


def spell_as_id(words: str) -> str:
    """Return words as an id would spell them."""
    return words.lower().replace(" ", "_")
