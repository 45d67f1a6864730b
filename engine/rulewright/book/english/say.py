"""What the parts of the fold ask of the whole."""

from __future__ import annotations

from typing import Protocol

from rulewright.book.english.called import Called
from rulewright.book.english.naming import Naming
from rulewright.book.english.phrase import Bond, Phrase
from rulewright.book.style.style import Style
from rulewright.language.expression.typed import Typed
from rulewright.language.types import Type


class Say(Protocol):
    """English for one ruleset in one style. `it` is the variable that is called `pronoun` just now."""

    style: Style
    naming: Naming
    called: Called
    it: str | None
    pronoun: str

    def phrase(self, node: Typed) -> Phrase:
        """The value as a noun phrase, with whatever has to be listed below it."""

    def inside(self, node: Typed, bond: Bond = Bond.NOUN) -> Phrase:
        """The value as a part of a larger phrase: as firm as `bond`, or a letter that is told behind the sentence."""

    def clause(self, node: Typed, *, holds: bool = True) -> Phrase:
        """The truth value as a clause, or its opposite."""

    def fit(self, found: Phrase, bond: Bond = Bond.NOUN) -> Phrase:
        """A phrase as a part of a larger one: itself, or a letter for it."""

    def about(self, variable: str | None, pronoun: str = "it") -> Say:
        """The same, where `variable` is called `it`, or whatever else stands for it."""

    def truth(self, name: str, holds: bool) -> str:
        """That what a name notes is so, or is not, in the rules' own words."""

    def introducing(self, variable: str) -> tuple[str, Say]:
        """A letter for `variable`, and the same where it is called by that letter."""

    def introduced(self, variable: str) -> str:
        """The letter that `variable` goes by; empty if it has none."""

    def letter(self, found: Phrase) -> Phrase:
        """A letter for a phrase, which is told behind the sentence."""

    def owned(self, base: Typed, noun: str) -> Phrase:
        """What belongs to `base`: `its owner`, `the city’s owner`, `the price of …`."""

    def constant(self, value: object, kind: Type, *, beside: Typed | None = None) -> str:
        """A value that is written in the rules; `beside` is what it is compared with."""
