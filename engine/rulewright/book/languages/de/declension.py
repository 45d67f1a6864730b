"""German cases and genders, the articles, and the endings of adjectives and nouns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum


class Case(IntEnum):
    """A grammatical case."""

    NOMINATIVE = 0
    GENITIVE = 1
    DATIVE = 2
    ACCUSATIVE = 3


class Gender(IntEnum):
    """The gender of a noun in the singular, or the plural, which has no genders."""

    MASCULINE = 0
    FEMININE = 1
    NEUTER = 2
    PLURAL = 3


DEFINITE, EACH, THIS = "der", "jed", "dies"
INDEFINITE, NONE, HIS, HER = "ein", "kein", "sein", "ihr"
BARE = ""

_DEFINITE = ("der des dem den", "die der der die", "das des dem das", "die der den die")
_STRONG = ("er es em en", "e er er e", "es es em es", "e er en e")
_MIXED = ("_ es em en", "e er er e", "_ es em _", "e er en e")
"""The endings by gender and case: of `jeder` and `dieser`, and of `ein`, `kein` and possessives."""

_ADJECTIVES = {
    "weak": ("e en en en", "e en en e", "e en en e", "en en en en"),
    "mixed": ("er en en en", "e en en e", "es en en es", "en en en en"),
    "strong": ("er en em en", "e er er e", "es en em es", "e er en e"),
}
"""The endings of adjectives by gender and case: after `der`, after `ein`, and without either."""


def _pick(table: tuple[str, ...], gender: Gender, case: Case) -> str:
    return table[gender].split()[case].replace("_", "")


def choose_article(determiner: str, gender: Gender, case: Case) -> str:
    """Return the form of an article, a possessive or `jeder`. Empty for `BARE`, and for the plural of `ein`."""
    if determiner == BARE or (determiner == INDEFINITE and gender is Gender.PLURAL):
        return ""
    if determiner == DEFINITE:
        return _pick(_DEFINITE, gender, case)
    if determiner in (EACH, THIS):
        return determiner + _pick(_STRONG, gender, case)
    return determiner + _pick(_MIXED, gender, case)


def adapt_adjective(stem: str, determiner: str, gender: Gender, case: Case) -> str:
    """Return an adjective, given without its ending, as it is after a determiner."""
    if determiner in (DEFINITE, EACH, THIS):
        kind = "weak"
    elif determiner == BARE or (determiner == INDEFINITE and gender is Gender.PLURAL):
        kind = "strong"
    else:
        kind = "mixed"
    return stem + _pick(_ADJECTIVES[kind], gender, case)


_WEAK = re.compile(r"(?:e|ent|ant|ist|oge)$")
"""The endings of masculine nouns that have `-n` or `-en` in every case but the nominative."""
_HISSING = re.compile(r"(?:[sßxz]|sch)$")


def adapt_noun(word: str, gender: Gender, case: Case, forms: Mapping[str, str]) -> str:
    """Return a noun in a case. `word` is its nominative, and `forms` those that the general rules do not give.

    The forms are `genitive`, `dative`, `accusative`, `oblique` for all of these three, and `dative_plural`.
    """
    if gender is Gender.PLURAL:
        added = word if re.search(r"[ns]$", word) else f"{word}n"
        return forms.get("dative_plural", added) if case is Case.DATIVE else word
    if gender is Gender.FEMININE or case is Case.NOMINATIVE:
        return word
    own = forms.get(case.name.lower()) or forms.get("oblique")
    if own:
        return own
    if gender is Gender.MASCULINE and _WEAK.search(word):
        return word + ("n" if word.endswith("e") else "en")
    if case is not Case.GENITIVE:
        return word
    if word.endswith("nis"):
        return f"{word}ses"
    return word + ("es" if _HISSING.search(word) else "s")


_CONTRACTED = {
    "zu dem": "zum",
    "zu der": "zur",
    "von dem": "vom",
    "in dem": "im",
    "in das": "ins",
    "an dem": "am",
    "an das": "ans",
    "bei dem": "beim",
}


def add_preposition(preposition: str, words: str) -> str:
    """Return a preposition before words that begin with an article, contracted where German contracts them: `zum`."""
    article, space, rest = words.partition(" ")
    contracted = _CONTRACTED.get(f"{preposition} {article}")
    return f"{contracted}{space}{rest}" if contracted else f"{preposition} {words}"


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun with the words before and after it, which can be put into any case and after any determiner.

    `before` holds the words between determiner and noun. The last of them is an adjective without its ending if
    `inflected`. `after` follows the noun in every case, and `owner` is a genitive directly after it. `mark` returns
    the noun as the book shows it, and `around` all words but the determiner. A noun for a number has the things that
    are `counted`, in the plural. `single` is the gender of one of the things that a plural means, if it is known.
    """

    word: str
    gender: Gender
    forms: Mapping[str, str] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    inflected: bool = False
    after: str = ""
    owner: str = ""
    counted: Noun | None = None
    single: Gender | None = None
    mark: Callable[[str], str] = str
    around: Callable[[str], str] = str

    def say(self, case: Case, determiner: str = DEFINITE) -> str:
        """Return the noun in a case with a determiner."""
        core = self.core(case, determiner)
        article = choose_article(determiner, self.gender, case)
        return f"{article} {core}" if article else core

    def core(self, case: Case, determiner: str = DEFINITE) -> str:
        """Return what `say` returns, without the determiner itself."""
        before = list(self.before)
        if self.inflected and before:
            before[-1] = adapt_adjective(before[-1], determiner, self.gender, case)
        noun = self.mark(adapt_noun(self.word, self.gender, case, self.forms))
        after = self.after if self.counted is None else self.counted.say(Case.GENITIVE)
        behind = (after, self.owner) if after.startswith(("der ", "des ")) else (self.owner, after)
        text = " ".join([*before, noun])
        for part in filter(None, behind):
            text += part if part.startswith((",", ".")) else f" {part}"
        return self.around(text)

    def owned_by(self, owner: str) -> Noun:
        """Return the noun with a genitive after it."""
        return replace(self, owner=f"{self.owner} {owner}".strip())

    def with_adjective(self, stem: str) -> Noun:
        """Return the noun with an adjective, given without its ending, before all others.

        Raises `ValueError` if it has an adjective already, because only one of them would match_number.
        """
        if self.before:
            raise ValueError(f"the noun {self.word!r} has an adjective")
        return replace(self, before=(stem,), inflected=True)
