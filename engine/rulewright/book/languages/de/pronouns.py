"""Pronouns for the member of a list: marks in a clause that become pronouns or begin a relative clause."""

from __future__ import annotations

import re

from rulewright.book.languages.de.declension import HER, HIS, Case, Gender, choose_article

_FIRST = 0xE000
_POSSESSIVE = 0xE010
_PRONOUNS = ("er seiner ihm ihn", "sie ihrer ihr sie", "es seiner ihm es", "sie ihrer ihnen sie")
_RELATIVES = ("der dessen dem den", "die deren der die", "das dessen dem das", "die deren denen die")
_MARK = re.compile("[\ue000-\ue003\ue010-\ue01f]")
_PREPOSITIONS = "(?:(?:auf|in|an|von|mit|für|zu|aus|bei|unter|gegen|über|nach) )?"
_BEGINS = re.compile(f"^{_PREPOSITIONS}[\ue000-\ue003\ue010-\ue01f]")
_ALONE = re.compile(rf"(?<!\w){_PREPOSITIONS}[\ue000-\ue003](?!\w)")


def mark_pronoun(case: Case) -> str:
    """Return the mark for the member in a case."""
    return chr(_FIRST + case)


def mark_possessive(gender: Gender, case: Case) -> str:
    """Return the mark for the possessive of the member before a noun with this gender, in a case."""
    return chr(_POSSESSIVE + 4 * gender + case)


def choose_possessive(owner: Gender) -> str:
    """Return the stem of the possessive for an owner."""
    return HIS if owner in (Gender.MASCULINE, Gender.NEUTER) else HER


def move_mark(text: str) -> str:
    """Return a clause with the member first, so that it can be a relative clause, or empty if that is not possible.

    A pronoun comes first with its preposition, `mit denen der Spieler …`, if nothing else speaks of the member.
    """
    if _BEGINS.match(text):
        return text
    match = _ALONE.search(text)
    if match is None or len(_MARK.findall(text)) > 1:
        return ""
    rest = " ".join(f"{text[: match.start()]} {text[match.end() :]}".split())
    return f"{match[0].strip()} {rest}"


_PLURAL = {"ist": "sind", "hat": "haben", "darf": "dürfen", "kann": "können", "muss": "müssen", "wird": "werden"}


def pluralize_clause(text: str) -> str:
    """Return a clause whose subject is the member, with its last word, the verb, in the plural.

    Rules word a clause for a single member. Other verbs than the common ones end in `-t`.
    """
    if mark_pronoun(Case.NOMINATIVE) not in text:
        return text
    before, space, verb = text.rpartition(" ")
    regular = f"{verb[:-1]}en" if verb.endswith("t") else verb
    return f"{before}{space}{_PLURAL.get(verb, regular)}"


def resolve_marks(text: str, gender: Gender, *, relative: bool = False) -> str:
    """Return a clause with pronouns for the marks. If `relative`, the first of them is a relative pronoun."""

    def put(match: re.Match[str]) -> str:
        nonlocal relative
        code, first = ord(match[0]), relative
        relative = False
        if code < _POSSESSIVE:
            return (_RELATIVES if first else _PRONOUNS)[gender].split()[code - _FIRST]
        if first:
            return _RELATIVES[gender].split()[Case.GENITIVE]
        owned, case = divmod(code - _POSSESSIVE, 4)
        return choose_article(choose_possessive(gender), Gender(owned), Case(case))

    return _MARK.sub(put, text)
