"""The German writer, a visitor over typed expressions."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from itertools import count
from typing import Any

from rulewright.book.english.always_present import ALWAYS, list_always_present, simplify_condition
from rulewright.book.english.naming import NameWords
from rulewright.book.languages.de import condition_clauses, member_nouns, value_nouns
from rulewright.book.languages.de.declension import Case, Gender, Noun, choose_article
from rulewright.book.languages.de.nominals import (
    Clause,
    Letters,
    Looseness,
    Nominal,
    build_definite,
    build_fixed,
    match_number,
)
from rulewright.book.languages.de.pronouns import choose_possessive, mark_possessive, mark_pronoun
from rulewright.book.languages.de.vocabulary import Vocabulary
from rulewright.book.languages.missing_words import MissingWordsError, name_expression
from rulewright.book.style.text_style import Style
from rulewright.language.expressions import typed_ast as t
from rulewright.language.lowering import find_called_procedure
from rulewright.language.types import PLAYER, Boolean, Entity, ListOf, Type, present
from rulewright.ruleset.translation.translation import Translation

_LETTERS = "ABCDEFGHJKLMNPQRSTUVW"
_MEMBERS = "XYZ"


class GermanWriter:
    """German writer for one translation in one style, with the words for the names of one procedure or formula."""

    def __init__(
        self,
        translation: Translation,
        style: Style,
        called: NameWords | None = None,
        own: tuple[str, ...] = ("", ""),
    ) -> None:
        self.translation = translation
        self.style = style
        self.words = Vocabulary(translation, style)
        self.called = called or NameWords()
        self.own = own
        """The path of the rule whose names are in use, such as its section and its id."""
        self.nouns = self.words.names(*own)
        self._held = list_always_present(translation.ruleset)
        self.it: str | None = None
        self.it_gender = Gender.NEUTER
        self._subject: tuple[t.Typed, Gender] | None = None
        self._introduced: dict[str, str] = {}
        self._letters: list[str] = []
        self._waiting: list[tuple[str, Nominal]] = []

    # -- parts of sentences ----------------------------------------------------------------------

    def phrase(self, node: t.Typed) -> Nominal:
        """Return a value as a noun phrase. A condition becomes `ob …`.

        Raises `MissingWordsError` for what German or the translation has no words for.
        """
        node = simplify_condition(node, self._held)
        condition = isinstance(node, t.Comparison | t.Membership | t.Logic | t.Not | t.Present | t.After)
        if condition or (isinstance(present(node.type), Boolean) and not isinstance(node, t.Constant | t.If)):
            clause = self.clause(node)
            return build_fixed(f"ob {clause.subordinate}", looseness=Looseness.OPEN).with_where(clause)
        if isinstance(node, t.Aggregate):
            return member_nouns.describe_value(self, node)
        say = value_nouns.SAID_BY.get(type(node))
        if say is None:
            raise MissingWordsError(what=name_expression(node))
        return say(self, node)

    def inside(self, node: t.Typed, looseness: Looseness = Looseness.WORD) -> Nominal:
        """Return a value as part of a larger phrase, or a letter if it is looser than `looseness` or has a list."""
        return self.fit(self.phrase(node), looseness)

    def fit(self, phrase: Nominal, looseness: Looseness = Looseness.WORD) -> Nominal:
        """Return a phrase as part of a larger one, or a letter if it is looser than `looseness` or has a list."""
        return phrase if phrase.looseness <= looseness and not phrase.listed else self.letter(phrase)

    def letter(self, phrase: Nominal) -> Nominal:
        """Return a new letter for a phrase. The end of the sentence defines the letter."""
        names = (f"{letter}{turn if turn > 1 else ''}" for turn in count(1) for letter in _LETTERS)
        letter = next(name for name in names if name not in self._letters)
        self._letters.append(letter)
        return replace(build_fixed(self.style.name(letter)), where=((letter, phrase),))

    def clause(self, node: t.Typed, *, holds: bool = True) -> Clause:
        """Return a boolean as a clause, negated if `holds` is false."""
        return condition_clauses.describe_condition(self, simplify_condition(node, self._held), holds=holds)

    def always(self, condition: t.Typed) -> bool:
        """Return whether a condition is true in every game."""
        return simplify_condition(condition, self._held) is ALWAYS

    def about(self, variable: str | None, gender: Gender) -> GermanWriter:
        """Return a copy of the writer with marks for a variable, which stands for the member of a list."""
        other = copy(self)
        other.it, other.it_gender, other._subject = variable, gender, None
        return other

    def owning(self, subject: t.Typed | None, gender: Gender = Gender.MASCULINE) -> GermanWriter:
        """Return a copy of the writer for the rest of a sentence about a player, whose things are `seine Hand`."""
        other = copy(self)
        other._subject = (subject, gender) if subject is not None and subject.type == PLAYER else None
        return other

    def introducing(self, variable: str) -> tuple[str, GermanWriter]:
        """Return a letter for a variable, and a copy of the writer that uses it.

        If all letters for members are in use, the name of the variable serves as the letter.
        """
        letter = next((each for each in _MEMBERS if each not in self._introduced.values()), variable)
        other = copy(self)
        other.it, other._subject = None, None
        other._introduced = {**self._introduced, variable: letter}
        return letter, other

    def introduced(self, variable: str) -> str:
        """Return the letter of a variable, or an empty string if it has none."""
        return self._introduced.get(variable, "")

    # -- sentences -------------------------------------------------------------------------------

    def use(self, *phrases: Nominal | Clause) -> None:
        """Keep the letters of phrases in this sentence, so that `where` defines them."""
        for phrase in phrases:
            self._waiting += phrase.where

    def within(self, node: t.Typed, case: Case, looseness: Looseness = Looseness.RELATIVE) -> str:
        """Return a value in a case inside a sentence. Call `where` at the end to define its letters."""
        phrase = self.inside(node, looseness)
        self.use(phrase)
        return phrase.say(case)

    def last(self, phrase: Nominal, case: Case) -> str:
        """Return a phrase in a case at the end of a sentence, with its list."""
        self.use(phrase)
        return phrase.say(case) + phrase.listed

    def fact(self, node: t.Typed, *, holds: bool = True) -> str:
        """Return a condition as it is after `wenn`. Call `where` after it to define its letters."""
        clause = self.clause(node, holds=holds)
        self.use(clause)
        return clause.subordinate

    def where(self, *, stop: str = ".") -> str:
        """Return the sentence that defines the letters of this sentence, and begin a new one.

        It begins with a space and ends with `stop`. Empty if there are no letters.
        """
        pairs = [(name, noun.say(Case.ACCUSATIVE) + noun.listed) for name, noun in self._take_letters()]
        if not pairs:
            return ""
        if len(pairs) == 1:
            return f" Dabei steht {pairs[0][0]} für {pairs[0][1]}{stop}"
        return f" Dabei steht:{self.style.parts([f'{name} für {text}' for name, text in pairs])}{stop}"

    def where_before(self) -> str:
        """Return a clause that defines the letters of this sentence before its nested steps, and begin a new sentence.

        It begins with a comma. Empty if there are no letters.
        """
        defined = [
            f"{name} {match_number(noun, 'ist/sind')} {noun}{noun.listed}" for name, noun in self._take_letters()
        ]
        if not defined:
            return ""
        return f", wobei gilt:{self.style.parts(defined) if len(defined) > 1 else f' {defined[0]}'}"

    def _take_letters(self) -> list[tuple[str, Nominal]]:
        """Return the letters of this sentence with what they stand for, and begin a new sentence."""
        letters = [(self.style.name(letter), noun) for letter, noun in _all(self._waiting)]
        self._waiting.clear()
        self._letters.clear()
        return letters

    # -- nouns -----------------------------------------------------------------------------------

    def pronoun(self) -> Nominal:
        """Return the mark for the member that the sentence is about."""
        return Nominal(mark_pronoun, self.it_gender)

    def owned(self, base: t.Typed, noun: Noun) -> Nominal:
        """Return a noun of an object: `sein Besitzer` of the member or subject, otherwise `der Besitzer des Helden`."""
        if noun.counted is not None and (counted := self._possess(base, noun.counted, Case.GENITIVE)):
            return build_definite(replace(noun, counted=None, after=counted))
        if isinstance(base, t.Variable) and base.name == self.it:
            return Nominal(lambda case: f"{mark_possessive(noun.gender, case)} {noun.core(case, 'ihr')}", noun.gender)
        if self._subject is not None and self._is_subject(base):
            stem = choose_possessive(self._subject[1])
            return Nominal(
                lambda case: f"{choose_article(stem, noun.gender, case)} {noun.core(case, stem)}", noun.gender
            )
        owner = self.inside(base)
        return replace(build_definite(noun.owned_by(owner.genitive)), where=owner.where)

    def _possess(self, base: t.Typed, noun: Noun, case: Case) -> str:
        """Return a noun in a case after a possessive, `seiner Münzen`, or an empty string if its owner needs a noun."""
        if isinstance(base, t.Variable) and base.name == self.it:
            return f"{mark_possessive(noun.gender, case)} {noun.core(case, 'ihr')}"
        if self._subject is not None and self._is_subject(base):
            stem = choose_possessive(self._subject[1])
            return f"{choose_article(stem, noun.gender, case)} {noun.core(case, stem)}"
        return ""

    def _is_subject(self, base: t.Typed) -> bool:
        """Return whether an expression is the subject of the sentence. There must be a subject."""
        assert self._subject is not None
        subject = self._subject[0]
        if isinstance(base, t.Local) and isinstance(subject, t.Local):
            return base.slot == subject.slot and "." not in base.name
        return base == subject

    def bound(self, name: str, type_: Type) -> Noun:
        """Return the noun for a name of the procedure or formula, in the translation’s words or by its kind or term.

        Raises `MissingWordsError` for a name without any of these.
        """
        words = self.nouns.get(name, "")
        inner = present(type_)
        several = isinstance(inner, ListOf)
        if words:
            path = (*self.own, "names", name)
            return self.words.read(words, path, several=several, around=self.style.variable)
        if isinstance(inner, Entity) and name == inner.kind:
            return self.words.kind(inner.kind)
        term = self.words.declared.terms.get(name)
        if term is not None:
            return self.words.term(term)
        if name in self.called.plain and (noun := self.words.member(inner)) is not None:
            return noun
        raise MissingWordsError((*self.own, "names", name))

    def find_source(self, step: str, part: str) -> tuple[str, ...]:
        """Return the path of the noun or clauses for one of several results of a step.

        If the step calls a procedure, that procedure has the words. If that one only passes a result on, the words are
        those of the procedure that it comes from.
        """
        identity = self.own[1]
        while True:
            steps = self.translation.ruleset.procedures[identity].iterate_steps()
            called = next((find_called_procedure(each) for each in steps if each.id == step), "")
            if not called:
                return ("procedures", identity, "names", part)
            identity = called
            value = self.translation.ruleset.procedures[identity].gives.get(part)
            if not isinstance(value, t.Local) or "." not in value.name:
                return ("procedures", identity, "names", part)
            step, _, part = value.name.partition(".")

    def label(self, slot: int, value: Any) -> str:
        """Return the label of an option in quotation marks, or an empty string if it has none."""
        words = self.called.labels.get(slot, {}).get(value, "")
        return f"„{self.words.fill(words)}“" if words else ""


def _all(where: list[tuple[str, Nominal]] | Letters) -> list[tuple[str, Nominal]]:
    return [each for letter, noun in where for each in (*_all(noun.where), (letter, noun))]
