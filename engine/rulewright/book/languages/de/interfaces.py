"""The interfaces of the German writers that all functions for phrases and sentences use."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Protocol

from rulewright.book.english.naming import NameWords
from rulewright.book.languages.de.declension import Case, Gender, Noun
from rulewright.book.languages.de.nominals import Clause, Looseness, Nominal
from rulewright.book.languages.de.vocabulary import Vocabulary
from rulewright.book.style.text_style import Style
from rulewright.language.checked_steps import Procedure
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import Type
from rulewright.ruleset.translation.translation import Translation


class German(Protocol):
    """Interface of the German writer for one translation in one style.

    `own` are the section and the id of the rule whose names are in use, and `nouns` the words of these names. `it` is
    the variable that stands for the member of a list, with the gender `it_gender`.
    """

    translation: Translation
    style: Style
    words: Vocabulary
    called: NameWords
    own: tuple[str, ...]
    nouns: Mapping[str, str]
    it: str | None
    it_gender: Gender

    def phrase(self, node: Typed) -> Nominal:
        """Return a value as a noun phrase."""

    def inside(self, node: Typed, looseness: Looseness = Looseness.WORD) -> Nominal:
        """Return a value as part of a larger phrase, or a letter if it is looser than `looseness` or has a list."""

    def fit(self, phrase: Nominal, looseness: Looseness = Looseness.WORD) -> Nominal:
        """Return a phrase as part of a larger one, or a letter if it is looser than `looseness` or has a list."""

    def letter(self, phrase: Nominal) -> Nominal:
        """Return a new letter for a phrase. The end of the sentence defines the letter."""

    def clause(self, node: Typed, *, holds: bool = True) -> Clause:
        """Return a boolean as a clause, negated if `holds` is false."""

    def always(self, condition: Typed) -> bool:
        """Return whether a condition is true in every game."""

    def about(self, variable: str | None, gender: Gender) -> German:
        """Return a copy of the writer with marks for a variable, which stands for the member of a list."""

    def owning(self, subject: Typed | None, gender: Gender = Gender.MASCULINE) -> German:
        """Return a copy of the writer for the rest of a sentence about a player."""

    def introducing(self, variable: str) -> tuple[str, German]:
        """Return a letter for a variable, and a copy of the writer that uses it."""

    def introduced(self, variable: str) -> str:
        """Return the letter of a variable, or an empty string if it has none."""

    def use(self, *phrases: Nominal | Clause) -> None:
        """Keep the letters of phrases in this sentence, so that `where` defines them."""

    def within(self, node: Typed, case: Case, looseness: Looseness = Looseness.RELATIVE) -> str:
        """Return a value in a case inside a sentence."""

    def fact(self, node: Typed, *, holds: bool = True) -> str:
        """Return a condition as it is after `wenn`."""

    def where(self) -> str:
        """Return the definitions of the letters in this sentence, as a sentence, and begin a new one."""

    def pronoun(self) -> Nominal:
        """Return the mark for the member that the sentence is about."""

    def owned(self, base: Typed, noun: Noun) -> Nominal:
        """Return a noun of an object."""

    def bound(self, name: str, type_: Type) -> Noun:
        """Return the noun for a name of the procedure or formula."""

    def find_source(self, step: str, part: str) -> tuple[str, ...]:
        """Return the path of the words for a result of the procedure that a step calls."""

    def label(self, slot: int, value: object) -> str:
        """Return the label of an option in quotation marks, or an empty string if it has none."""


class StepVoice(Protocol):
    """Interface of the writer of one procedure's steps.

    `used` has the slots that later steps read, `changed` those that steps change, and `refills` the decks whose
    refill the text has already described.
    """

    say: German
    used: AbstractSet[int]
    changed: AbstractSet[int]
    refills: set[str]

    def title(self) -> str:
        """Return the title of the procedure in quotation marks."""

    def open_block(self, block: str) -> str:
        """Return nested steps after a colon, and before it the definitions of the letters in the sentence so far."""

    def writer_of(self, procedure: Procedure) -> German:
        """Return a writer with the names of a procedure."""
