"""Titles that name each other in a circle, or come to more words than anybody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.ruleset import word_codes as codes
from rulewright.ruleset.words.meaning import ChoiceWords, RowTitle, RuleLink, meaning
from rulewright.ruleset.words.placeholders import Literal, Placeholder, parts
from rulewright.source.diagnostics.collected import Diagnostics

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset
    from rulewright.ruleset.words.walk import Words

LONGEST = 20_000
"""Characters that a text may come to when all titles that it names are filled in."""

DEEPEST = 40
"""Titles that may name one another in a row."""

ENDLESS = LONGEST + 1


class Circles:
    """How long each text comes to, found once; one that names itself has no end."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._lengths: dict[str, int] = {}
        self._open: list[str] = []

    def lint(self, words: Words, diagnostics: Diagnostics) -> None:
        """Check one text."""
        text = words.scalar.text
        for part in parts(text):
            named = self._named(part) if isinstance(part, Placeholder) else None
            if named is None or not isinstance(part, Placeholder):
                continue
            span = words.scalar.position(part.start, len(part.body))
            if self.leads_to(named, text):
                message = f"`{part.body}` leads back to this text, which would never end"
                diagnostics.add(codes.ENDLESS_WORDS, message, span)
            elif self.length(named) > LONGEST:
                message = (
                    f"`{part.body}` comes to more than {LONGEST} characters when its own placeholders are filled in"
                )
                diagnostics.add(codes.ENDLESS_WORDS, message, span)

    def length(self, text: str) -> int:
        """How many characters a text comes to, about; never more than `ENDLESS`."""
        known = self._lengths.get(text)
        if known is not None:
            return known
        if text in self._open or len(self._open) >= DEEPEST:
            return ENDLESS
        self._open.append(text)
        found = 0
        for part in parts(text):
            if isinstance(part, Literal):
                found += len(part.text)
            elif isinstance(part, Placeholder):
                named = self._named(part)
                found += 1 if named is None else self.length(named)
        self._open.pop()
        self._lengths[text] = min(found, ENDLESS)
        return self._lengths[text]

    def leads_to(self, start: str, end: str) -> bool:
        """Whether filling in one text comes by another."""
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            text = ahead.pop()
            if text == end:
                return True
            if text not in seen:
                seen.add(text)
                named = (self._named(part) for part in parts(text) if isinstance(part, Placeholder))
                ahead += [each for each in named if each is not None]
        return False

    def _named(self, part: Placeholder) -> str | None:
        """The text that a placeholder is filled in with, where that may hold placeholders itself."""
        if "{" in part.body or part.body.startswith("="):
            return None
        match meaning(part.body, self.ruleset):
            case RuleLink(title=title):
                return title if "{" in title else None
            case ChoiceWords(words=words):
                return words if "{" in words else None
            case RowTitle(row=row):
                return row.title if "{" in row.title else None
        return None
