"""The sentence of a choice: who chooses, between what, and under which conditions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import (
    begins_with_noun_of,
    capitalize,
    choose_article,
    is_long,
    is_same_noun,
    lower_first,
    refer_to_subject,
    strip_markup,
    strip_subject,
)
from rulewright.book.english.naming import NameWords
from rulewright.book.english.questions import (
    IndirectQuestion,
    embed_question,
    fits_unquoted,
    is_noun_for_nothing,
    is_single_question,
    split_object,
)
from rulewright.book.style.fill_placeholders import fill
from rulewright.language.checked_steps import Procedure, Step
from rulewright.language.expressions.typed_ast import Comparison, Constant, Local, Objects, Typed
from rulewright.language.statement import list_expressions

_FEW = 3
"""The most options of a choice that a sentence mentions without a list."""
Alternative = tuple[str, "Typed | None"]
"""What a player may choose, and the condition for it, or None."""


@dataclass(frozen=True, slots=True)
class ChosenElement:
    """One element of the list that is chosen from: its phrase, such as `a Card from the hand`, and its parts.

    `member` is the noun for it, and `source` the phrase for the list. Both may be empty. `heap` says that the list is a
    collection such as a hand.
    """

    words: str = ""
    member: str = ""
    source: str = ""
    heap: bool = False


def list_labelled_choices(procedure: Procedure, called: NameWords) -> frozenset[int]:
    """Return the slots of choices whose labels other sentences quote, as in `if the choice is “Take”`."""
    conditions = (step.when for step in procedure.iterate_steps() if step.when is not None)
    actions = (node for step in procedure.iterate_steps() for node in list_expressions(step.action))
    slots = set()
    for node in chain(conditions, actions, procedure.gives.values()):
        for part in node.walk():
            match part:
                case (
                    Comparison(left=Local(slot=slot), right=Constant(value=str(option)))
                    | Comparison(left=Constant(value=str(option)), right=Local(slot=slot))
                ) if option not in called.clauses:
                    slots.add(slot)
    return frozenset(slots)


class ChoiceWriter:
    """Writer of the sentence of one choice."""

    def __init__(self, english: English, own: English, step: Step, *, who: str, result_name: str) -> None:
        """Prepare to write about the choice of the players `who`.

        `own` is the writer for the objects of the player who chooses. `result_name` is the name of the result, or empty
        if no later step uses it.
        """
        self.english, self.own, self.step, self.action = english, own, step, step.action
        self.noted = result_name
        self.who = f"{who} secretly" if self.action.chooser_slot is not None and self.action.others is None else who
        self.ask = fill(step.words["ask"], english.style) if "ask" in step.words else ""
        named = self.action.form == "number" and self.action.chooser_slot is None and bool(result_name)
        self.names_number = named and step.id in english.called.words and is_single_question(self.ask)
        """Whether the name of a number says what the prompt asks: `the number of Seeds given`."""
        self.asked = IndirectQuestion() if self.names_number else embed_question(self.ask)

    def describe(self, chosen: ChosenElement, *, known: bool, quotes: bool, leads: bool) -> str:
        """Return the sentence.

        Args:
            chosen: One element of the list that is chosen from, if there is one.
            known: Whether the name of the result is the noun for what is chosen.
            quotes: Whether labels stay in quotation marks, because other sentences mention them.
            leads: Whether a prompt that has no place in the sentence comes before it, and not after it.
        """
        self.quotes = quotes
        known = known or self._is_clear(chosen.words) or self.asked.names(self.noted) or self.asked.asks_for(self.noted)
        text = self._describe_alternatives(chosen.words, known=known)
        if text:
            return f"{text}."
        phrase = self.asked.words
        verb = "decides" if self.asked.is_whether else "chooses"
        if self.action.form != "from":
            what = self._describe_elements(chosen, known=known)
        else:
            what = self._describe_menu()
            if not what:
                offers = self.english.style.parts(self._list_offers())
                prompt = f" “{self.ask}”" if self.ask and not phrase else ""
                return f"{self.who} {verb}{f' {phrase}' if phrase else self._name_option()}:{prompt}{offers}"
            if phrase:
                what = phrase if self._answers_whether() else self.asked.introduce(what)
        if phrase or self.names_number or not self.ask:
            return f"{self.who} {verb} {what}."
        if leads:
            return f"{self.ask} {capitalize(self.who)} {verb} {what}."
        return f"{self.who} {verb} {what}: “{self.ask}”"

    # -- in the rules' own words ---------------------------------------------------------

    def _describe_alternatives(self, chosen: str, *, known: bool) -> str:
        """Return the sentence in the words for what the player then does, or an empty string if some have none.

        It reads `The player either takes the upcard or passes` for options, and `The player discards a card from their
        hand, or knocks if …` for an element or none.
        """
        action = self.action
        left = (self._predicate(self.step.id, holds=False), action.none_when)
        menu = ""
        if action.form == "from" and not self.noted:
            alternatives = [(self._predicate(offer.id, holds=True), offer.when) for offer in action.offers]
            menu = self._join([*alternatives, left] if action.or_none else alternatives)
            menu = f"either {menu}" if menu and len(alternatives) + action.or_none == 2 else menu
        elif action.form == "one_of" and action.or_none and known:
            bare = self.english.naming.bare(self.step.id, self.english.called)
            verb = split_object(self._predicate(self.step.id, holds=True), bare)
            menu = self._join([(f"{verb} {chosen}" if verb else "", None), left], joint=", or")
        return f"{self.who} {menu}" if menu else ""

    def _predicate(self, name: str, *, holds: bool) -> str:
        """Return the rules' own words for an option without the player, or an empty string if there are none."""
        if name not in self.english.called.clauses:
            return ""
        clause = self.english.truth(name, holds)
        return strip_subject(clause, self.who) or strip_subject(clause, strip_markup(self.who))

    # -- with the prompt and the labels --------------------------------------------------

    def _describe_elements(self, chosen: ChosenElement, *, known: bool) -> str:
        """Return the elements or the numbers to choose from, with the choice of none, and the name of the result."""
        own, action = self.own, self.action
        as_ = f" as {self.noted}" if self.noted else ""
        phrase, beside = self.asked.words, False
        if action.form == "one_of":
            what = self.asked.ask_which(chosen.member, chosen.source, heap=chosen.heap)
            what = what or (
                self.asked.introduce_member(chosen.words, "" if chosen.heap else chosen.source)
                if phrase
                else chosen.words
            )
            beside = bool(phrase)
            as_ = "" if known else f" ({self.noted})" if beside else as_
        elif action.form == "some_of":
            low, high = ("" if each is None else own.within(each) for each in (action.low, action.high))
            what = self.asked.ask_which_of(low, chosen.member, chosen.source) if low == high and chosen.heap else ""
            if not what:
                what = self._count_members(_count_elements(low, high))
                what = self.asked.introduce(what) if phrase else what
            as_ = "" if known else f" ({self.noted})" if phrase and self.noted else as_
            what += (", in order" if action.in_order else "") + ("," if action.in_order and as_ else "")
        else:
            alone = bool(self.noted) and action.chooser_slot is None
            high = own.within(action.high) if action.or_none or not alone else own.last(action.high)
            low = own.within(action.low)
            counts = bool(self.english.naming.counted(self.step.id, self.english.called))
            limits = f"up to {high}" if low == "0" and alone and counts else f"from {low} to {high}"
            what = f"{f'{self.noted},' if alone else 'a number'} {limits}"
            what = self.asked.introduce(what) if phrase else what
            as_ = "" if alone else as_
        if action.or_none:
            condition = f" if {own.fact(action.none_when)}" if action.none_when is not None else ""
            what += f", or {self._name_nothing(beside_nouns=True)}{condition}{',' if as_ and not beside else ''}"
        such = f", such that {self.english.fact(action.such_that)}" if action.such_that is not None else ""
        return f"{what}{as_}{such}"

    def _count_members(self, many: str) -> str:
        """Return how many elements of the list are chosen: `any number of Beds`, `1 to 3 Beds`, `2 of their Beds`."""
        source = self.action.source
        if not isinstance(source, Objects):
            return f"{many} of {self.own.within(source)}"
        single = many.split()[-1] == "1"
        of = "" if many[-1].isdigit() else " of"
        return f"{many}{of} {self.english.naming.kind(source.kind, several=not single)}"

    def _is_clear(self, chosen: str) -> bool:
        """Return whether the name of an element begins with a word for what is chosen."""
        return self.step.id in self.english.called.words and begins_with_noun_of(self.noted, chosen)

    def _answers_whether(self) -> bool:
        """Return whether the options are the two answers to a prompt, so that the sentence need not name them."""
        action = self.action
        free = all(offer.when is None for offer in action.offers) and not (action.or_none or self.noted or self.quotes)
        return free and len(action.offers) == 2 and self.asked.is_whether

    def _name_option(self) -> str:
        """Return what is chosen of options, after a space, for a prompt or a list to follow.

        It is `an answer` if its name is one word, and `one of these as the answer taken` otherwise. It is empty if
        sentences do not name it and there is a prompt.
        """
        bare = self.english.naming.bare(self.step.id, self.english.called)
        if self.noted and not is_long(bare, most=1):
            return f" {choose_article(bare)}"
        return f" one of these as {self.noted}" if self.noted else "" if self.ask else " one of these"

    def _describe_menu(self) -> str:
        """Return few options of a choice on one line, or an empty string if a list is clearer."""
        action = self.action
        none = [(self._name_nothing(), action.none_when)] if action.or_none else []
        offers = [*((self._name_offer(offer), offer.when) for offer in action.offers), *none]
        answer = bool(self.ask) and is_same_noun(self.noted, "the answer")
        called = f" as {self.noted}" if self.noted and not answer else ""
        menu = self._join(offers)
        return f"{menu}{',' if called and any(when for _, when in offers) else ''}{called}" if menu else ""

    def _join(self, alternatives: list[Alternative], joint: str = " or") -> str:
        """Return alternatives on one line if at most one has a condition. Otherwise, return an empty string.

        This one comes last: `pass, or knock if …`. Without one, `joint` comes before the last alternative.
        """
        free = [words for words, when in alternatives if when is None or self.english.always(when)]
        others = [(words, when) for words, when in alternatives if words not in free]
        fits = 1 < len(alternatives) <= _FEW and all(words for words, _ in alternatives)
        if not fits or not free or len(others) > 1 or len(free) + len(others) < len(alternatives):
            return ""
        if not others:
            *first, last = free
            return f"{', '.join(first)}{joint} {last}"
        words, when = others[0]
        assert when is not None
        clause = self.own.clause(when)
        if clause.items:
            return ""
        condition = self.own.at_end(clause)
        if not is_long(words, most=1):
            # Longer words may mention another player, whom `they` could mean.
            clause_before = f"{self.who} {words}"
            condition = refer_to_subject(condition, self.who, clause_before, (), is_person=True) or condition
        return f"{', '.join(free)}, or {words} if {condition}"

    def _list_offers(self) -> list[str]:
        """Return the options of a choice, each with the condition under which it is available."""

        def conditional(label: str, when: Typed | None) -> str:
            if when is None or self.english.always(when):
                return label
            return f"{label}, if {self.english.condition(when)}"

        results = [conditional(self._name_offer(offer), offer.when) for offer in self.action.offers]
        return [*results, conditional(self._name_nothing(), self.action.none_when)] if self.action.or_none else results

    def _name_offer(self, offer: Any) -> str:
        """Return an option by its label, or by its id."""
        return self._name_label(offer.label) if offer.label else self.english.naming.choice(offer.id)

    def _name_nothing(self, *, beside_nouns: bool = False) -> str:
        """Return the label for choosing nothing, or else `none`.

        Among nouns, it stays in quotation marks unless it is a noun itself, such as `nothing more`.
        """
        label = self.step.words.get("none", "None")
        if beside_nouns and not is_noun_for_nothing(label):
            return f"“{fill(label, self.english.style)}”"
        return self._name_label(label)

    def _name_label(self, label: str) -> str:
        """Return a label, in quotation marks unless it can be part of the sentence."""
        text = fill(label, self.english.style)
        quotes = self.quotes or (bool(self.ask) and not self.asked.words)
        return lower_first(text) if fits_unquoted(text) and not quotes else f"“{text}”"


def _count_elements(low: str, high: str) -> str:
    """Return how many elements are chosen: `1 to 3`, `up to 3`, `any number`. Either number may be empty."""
    if not high:
        return f"at least {low}" if low else "any number"
    if low in ("", "0"):
        return f"up to {high}"
    return f"exactly {low}" if low == high else f"{low} to {high}"
