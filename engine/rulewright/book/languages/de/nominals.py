"""German noun phrases and clauses, which take their case or word order where they are put."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from rulewright.book.languages.de.declension import (
    DEFINITE,
    INDEFINITE,
    NONE,
    Case,
    Gender,
    Noun,
    add_preposition,
    choose_article,
)

NOMINATIVE, GENITIVE, DATIVE, ACCUSATIVE = Case


class Looseness(IntEnum):
    """How many words may follow a phrase before it is misread."""

    WORD = 0
    """A noun with its genitives: anything may follow."""
    RELATIVE = 1
    """A phrase with a clause of its own. A genitive after it could belong to that clause."""
    OPEN = 2
    """A phrase that takes in the words after it. It ends its sentence."""


Letters = tuple[tuple[str, "Nominal"], ...]
"""The letters in a phrase, each with the phrase that the end of the sentence gives for it."""


@dataclass(frozen=True, slots=True)
class Nominal:
    """A noun phrase. `say` returns it in a case.

    `noun` is set if other determiners may replace its own. `fixed` phrases, such as numbers, have no cases.
    `about` says that it begins with a pronoun or a possessive for the member of a list.
    """

    say: Callable[[Case], str]
    gender: Gender = Gender.NEUTER
    looseness: Looseness = Looseness.WORD
    noun: Noun | None = None
    fixed: bool = False
    listed: str = ""
    where: Letters = ()

    def __str__(self) -> str:
        return self.say(Case.NOMINATIVE)

    @property
    def genitive(self) -> str:
        """The phrase as an attribute of a noun before it: in the genitive, or after `von` if it has none."""
        return f"von {self.say(Case.DATIVE)}" if self.fixed else self.say(Case.GENITIVE)

    @property
    def several(self) -> bool:
        """Whether a verb after it is in the plural."""
        return self.gender is Gender.PLURAL

    def after(self, preposition: str, case: Case = Case.DATIVE) -> str:
        """Return the phrase after a preposition, contracted with its article where German does that."""
        return add_preposition(preposition, self.say(case))

    def bound(self, looseness: Looseness) -> Nominal:
        """Return the phrase with a looseness that is at least as loose."""
        return replace(self, looseness=max(self.looseness, looseness))

    def with_where(self, *others: Nominal | Clause) -> Nominal:
        """Return the phrase with the letters of the phrases that it was made of."""
        return replace(self, where=(*self.where, *(each for other in others for each in other.where)))


def build_definite(noun: Noun, looseness: Looseness = Looseness.WORD) -> Nominal:
    """Return a noun with its definite article."""
    return Nominal(lambda case: noun.say(case, DEFINITE), noun.gender, looseness, noun)


def build_fixed(words: str, gender: Gender = Gender.NEUTER, looseness: Looseness = Looseness.WORD) -> Nominal:
    """Return words that are the same in every case, such as a number or a title."""
    return Nominal(lambda case: words, gender, looseness, fixed=True)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: subject, middle, the words that end it, and its finite verb.

    Rules word a clause as it is after `wenn`. It then has only a middle, and no `verb`. `tail` is a relative clause
    that follows the verb.
    """

    middle: str
    subject: str = ""
    verb: str = ""
    end: str = ""
    looseness: Looseness = Looseness.RELATIVE
    joint: str = ""
    listed: str = ""
    where: Letters = ()
    tail: str = ""

    @property
    def subordinate(self) -> str:
        """The clause with its verb last, as after `wenn`."""
        return " ".join(filter(None, (self.subject, self.middle, self.end, self.verb))) + self.tail + self.listed

    @property
    def main(self) -> str:
        """The clause as a sentence of its own."""
        if not self.verb:
            return f"es gilt, dass {self.subordinate}"
        return " ".join(filter(None, (self.subject, self.verb, self.middle, self.end))) + self.tail + self.listed

    @property
    def inverted(self) -> tuple[str, str] | None:
        """The finite verb and the other words, as after a clause: `hat` and `der Angreifer gewonnen`.

        None for a clause with a list, or with words of the rules that do not end with the verb.
        """
        if self.listed or self.looseness is Looseness.OPEN:
            return None
        if self.verb:
            return self.verb, " ".join(filter(None, (self.subject, self.middle, self.end))) + self.tail
        before, _, verb = self.middle.rpartition(" ")
        return (verb, before) if before and not set(",:") & set(self.middle) else None

    @property
    def firm(self) -> bool:
        """Whether other clauses may be joined to it without being misread."""
        return not (self.joint or self.listed) and self.looseness <= Looseness.RELATIVE


def match_number(subject: Nominal, verb: str) -> str:
    """Return a verb in the number of its subject. `verb` is the singular and the plural: `ist/sind`."""
    one, _, many = verb.partition("/")
    return many if subject.several else one


def build_clause(subject: Nominal, verb: str, middle: str = "", end: str = "", *parts: Nominal) -> Clause:
    """Return the clause of a subject and the verb that agrees with it. `parts` are the phrases after the subject."""
    where = tuple(each for part in (subject, *parts) for each in part.where)
    loosest = max((part.looseness for part in (subject, *parts)), default=Looseness.WORD)
    return Clause(
        middle,
        str(subject),
        match_number(subject, verb),
        end,
        Looseness.OPEN if loosest is Looseness.OPEN else Looseness.RELATIVE,
        where=where,
    )


def join_words(parts: Sequence[str], joint: str = "und") -> str:
    """Return words as a list: `a, b und c`."""
    return f" {joint} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def join_nominals(parts: Sequence[Nominal], joint: str = "und") -> Nominal:
    """Return phrases joined by `joint` as one in the plural, each in the case of the whole.

    A single phrase is returned itself, with its own number. Empty words if there are none.
    """
    if len(parts) == 1:
        return parts[0]
    return Nominal(
        lambda case: join_words([part.say(case) for part in parts], joint),
        Gender.PLURAL,
        Looseness.OPEN,
        fixed=all(part.fixed for part in parts),
        where=tuple(each for part in parts for each in part.where),
    )


def join_clauses(parts: Sequence[Clause], joint: str) -> Clause:
    """Return clauses joined in one, as after a single `wenn`."""
    if len(parts) == 1:
        return parts[0]
    words = join_words([part.subordinate for part in parts], joint)
    return Clause(
        words, looseness=Looseness.RELATIVE, joint=joint, where=tuple(each for part in parts for each in part.where)
    )


def split_tail(words: str) -> tuple[str, str]:
    """Return a noun phrase without its relative clause, and that clause with its commas."""
    before, comma, after = words.partition(",")
    return before, f",{after}" if comma else ""


def negate_noun(noun: Noun, case: Case = Case.NOMINATIVE) -> str:
    """Return a noun with `kein`."""
    return noun.say(case, NONE)


def format_one(noun: Noun, case: Case = Case.NOMINATIVE) -> str:
    """Return a noun with `ein`, or without an article in the plural."""
    return noun.say(case, INDEFINITE)


def format_one_of(gender: Gender, several: Nominal, case: Case) -> str:
    """Return one of several things, in the gender of each: `einen der Trupps`."""
    ending = {
        Gender.MASCULINE: ("einer", "eines", "einem", "einen"),
        Gender.FEMININE: ("eine", "einer", "einer", "eine"),
    }
    neuter = ("eines", "eines", "einem", "eines")
    return f"{ending.get(gender, neuter)[case]} {several.genitive}"


def format_each_of(gender: Gender, several: Nominal, case: Case) -> str:
    """Return each of several things, in the gender of each: `jeden der Trupps`."""
    shape = Gender.NEUTER if gender is Gender.PLURAL else gender
    return f"{choose_article('jed', shape, case)} {several.genitive}"
