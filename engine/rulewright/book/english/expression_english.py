"""The English writer, a visitor over typed expressions."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from itertools import count
from typing import Any

from rulewright.book.english import aggregate_phrases, conditions, noun_phrases, walk_phrases
from rulewright.book.english.always_present import ALWAYS, list_always_present, simplify_condition
from rulewright.book.english.clauses import describe_noun
from rulewright.book.english.grammar import strip_markup
from rulewright.book.english.naming import NameWords, Naming
from rulewright.book.english.phrase import Bond, Lead, Phrase, build, describe_letters, render
from rulewright.book.style.fill_placeholders import fill, format_value, name_row
from rulewright.book.style.text_style import Style
from rulewright.dice.ast import Roll
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.expressions import typed_ast as t
from rulewright.language.types import PLAYER, Boolean, Entity, ListOf, MapOf, Optional, RecordOf, Row, Type, present

SAID_BY: dict[type[t.Typed], Callable[..., Phrase]] = {
    t.Constant: noun_phrases.constant,
    t.Local: noun_phrases.local,
    t.Variable: noun_phrases.variable,
    t.Objects: noun_phrases.objects,
    t.Stored: noun_phrases.stored,
    t.Cell: noun_phrases.cell,
    t.Lookup: noun_phrases.lookup,
    t.CardCount: noun_phrases.cards_left,
    t.DeckCards: noun_phrases.deck_cards,
    t.Entry: noun_phrases.entry,
    t.PartOf: noun_phrases.part_of,
    t.Nth: noun_phrases.nth,
    t.ListElement: noun_phrases.element,
    t.Arithmetic: noun_phrases.arithmetic,
    t.Coalesce: noun_phrases.coalesce,
    t.If: noun_phrases.choice,
    t.Items: noun_phrases.items,
    t.Apply: noun_phrases.apply,
    t.Invoke: describe_noun,
    t.Aggregate: aggregate_phrases.describe_value,
    t.Travel: walk_phrases.value,
}
"""The function that describes each type of expression. Conditions have clauses instead (`conditions`)."""

_LETTERS = "ABCDEFGHJKLMNPQRSTUVW"
"""The letters that abbreviate parts of a sentence."""
_MEMBERS = "XYZ"
"""Letters for the members of a list, in sentences about several lists."""


_LONGEST_PERSON = 3
"""The most words before `’s` of a player, such as `the other player’s`."""


class English:
    """English writer for one ruleset in one style. `called` holds the rules' own words for names."""

    def __init__(self, style: Style, called: NameWords | None = None) -> None:
        self.style = style
        self.naming = Naming(style)
        self.called = called or NameWords()
        self._held = list_always_present(style.ruleset)
        self.it: str | None = None
        self.pronoun = "it"
        self._subject: t.Typed | None = None
        self._introduced: dict[str, str] = {}
        self._stand_ins: dict[str, Phrase] = {}
        # Copies of this writer share these lists: the letters of the sentence, and the definitions still to be written.
        self._letters: list[str] = []
        self._waiting: list[tuple[str, Phrase]] = []

    # -- sentences -------------------------------------------------------------------------

    def value(self, node: t.Typed) -> str:
        """Return the value as a complete noun phrase, with its list and the definitions of its letters."""
        return self._whole(self.phrase, node)

    def condition(self, node: t.Typed, *, holds: bool = True) -> str:
        """Return the boolean as a complete clause with its list and letters, negated if `holds` is false."""
        return self._whole(lambda inner: self.clause(inner, holds=holds), node)

    def within(self, node: t.Typed) -> str:
        """Return the value as words inside a sentence. Call `where` at the end to define its letters."""
        return self.part(node).words

    def part(self, node: t.Typed) -> Phrase:
        """Return the value as a phrase inside a sentence, for callers that need its lead. Call `where` at the end."""
        phrase = self.inside(node, Bond.RELATIVE)
        self._waiting += phrase.where
        return phrase

    def deck(self, identity: str, owner: t.Typed | None) -> str:
        """Return a deck as words inside a sentence, with its owner if it has one. Call `where` at the end."""
        phrase = noun_phrases.deck(self, identity, owner)
        self._waiting += phrase.where
        return phrase.words

    def last(self, node: t.Typed) -> str:
        """Return the value at the end of a sentence. Call `where` after it to define its letters."""
        return self.at_end(self.phrase(node))

    def fact(self, node: t.Typed, *, holds: bool = True) -> str:
        """Return the boolean as a clause, negated if `holds` is false. Call `where` after it to define its letters."""
        return self.at_end(self.clause(node, holds=holds))

    def truth(self, name: str, holds: bool) -> str:
        """Return the rules' own text for a boolean name that is true or false.

        Raises `KeyError` if the rules have no such text.
        """
        return fill(self.called.clauses[name]["holds" if holds else "fails"], self.style, inside=True)

    def always(self, condition: t.Typed) -> bool:
        """Return whether a condition is true in every game, so that the text can omit it."""
        return simplify_condition(condition, self._held) is ALWAYS

    def among(self, called: NameWords) -> English:
        """Return a copy of the writer that uses other names in the same sentence."""
        other = copy(self)
        other.called = called
        return other

    def at_end(self, phrase: Phrase) -> str:
        """Return a phrase as text at the end of a sentence. Call `where` after it to define its letters."""
        self._waiting += phrase.where
        return render(Phrase(phrase.words, phrase.bond, phrase.items), self.style)

    def where(self, lead: str = ", where ") -> str:
        """Return the definitions of the letters in this sentence after `lead`, and begin a new sentence.

        The result is empty if no letter is in use.
        """
        letters = describe_letters(tuple(self._waiting), self.style, lead)
        self._waiting.clear()
        self._letters.clear()
        return letters

    def _whole(self, say: Callable[[t.Typed], Phrase], node: t.Typed) -> str:
        if not self._waiting:
            self._letters.clear()
        return render(say(node), self.style)

    # -- phrases ---------------------------------------------------------------------------

    def phrase(self, node: t.Typed) -> Phrase:
        """Return the value as a noun phrase. A condition becomes `whether …`."""
        node = simplify_condition(node, self._held)
        named = isinstance(node, t.Invoke) or (isinstance(node, t.Stored) and node.kind != GAME_KIND)
        if isinstance(node, (t.Comparison, t.Membership, t.Logic, t.Not, t.Present, t.After)) or (
            named and isinstance(node.type, Boolean)
        ):
            return build("whether ", self.clause(node), bond=Bond.OPEN)
        if isinstance(node, t.Stored) and isinstance(node.type, Boolean):
            return build("whether ", self.clause(node), bond=Bond.OPEN)
        return SAID_BY[type(node)](self, node)

    def inside(self, node: t.Typed, bond: Bond = Bond.NOUN) -> Phrase:
        """Return the value as part of a larger phrase, or a letter if it is looser than `bond` or has a list."""
        return self.fit(self.phrase(node), bond)

    def fit(self, phrase: Phrase, bond: Bond = Bond.NOUN) -> Phrase:
        """Return a phrase as part of a larger one, or a letter if it is looser than `bond` or has a list."""
        return phrase if phrase.bond <= bond and not phrase.items else self.letter(phrase)

    def letter(self, phrase: Phrase) -> Phrase:
        """Return a new letter for a phrase. The end of the sentence defines the letter."""
        # A very long sentence continues with A2, B2 and so on.
        names = (f"{letter}{turn if turn > 1 else ''}" for turn in count(1) for letter in _LETTERS)
        letter = next(name for name in names if name not in self._letters)
        self._letters.append(letter)
        return Phrase(self.style.name(letter), Bond.WORD, (), ((letter, phrase),))

    def clause(self, node: t.Typed, *, holds: bool = True) -> Phrase:
        """Return the boolean as a clause, negated if `holds` is false."""
        return conditions.describe_condition(self, simplify_condition(node, self._held), holds=holds)

    def about(self, variable: str | None, pronoun: str = "it") -> English:
        """Return a copy of the writer that calls `variable` by `pronoun`."""
        other = copy(self)
        other.it, other.pronoun = variable, pronoun
        other._subject = None
        other._introduced = {name: text for name, text in self._introduced.items() if name != variable}
        return other

    def owning(self, subject: t.Typed | None) -> English:
        """Return a copy of the writer for the rest of a sentence about a player or a thing: `their hand`, `its suit`.

        Clauses about the members of a list do without it, because `their` could be those of a member.
        """
        other = copy(self)
        other._subject = subject
        return other

    def is_subject(self, base: t.Typed) -> bool:
        """Return whether the sentence is about `base`, whose properties are `their hand` or `its suit`."""
        if isinstance(base, t.Local) and isinstance(self._subject, t.Local):
            return base.slot == self._subject.slot and "." not in base.name
        return base == self._subject

    def introducing(self, variable: str) -> tuple[str, English]:
        """Return a letter for `variable`, and a copy of the writer that uses this letter.

        If all letters for members are in use, the name of the variable serves as the letter.
        """
        letter = next((each for each in _MEMBERS if each not in self._introduced.values()), variable)
        other = copy(self)
        other.it = other._subject = None
        other._introduced = {**self._introduced, variable: letter}
        return letter, other

    def standing_in(self, variable: str, phrase: Phrase) -> English:
        """Return a copy of the writer that says `phrase` for `variable`."""
        other = copy(self)
        other._stand_ins = {**self._stand_ins, variable: phrase}
        return other

    def find_stand_in(self, variable: str) -> Phrase | None:
        """Return what is said for `variable`, or None if it has nothing of its own."""
        return self._stand_ins.get(variable)

    def introduced(self, variable: str) -> str:
        """Return the letter of `variable`, or an empty string if it has none."""
        return self._introduced.get(variable, "")

    def owned(self, base: t.Typed, noun: str) -> Phrase:
        """Return a possessive phrase for a noun of `base`: `its owner`, `the city’s owner`, `the price of …`.

        If `base` is the subject of the sentence, the phrase is `their owner` or `its owner`.
        """
        if self.is_subject(base):
            return Phrase(f"{'their' if present(base.type) == PLAYER else 'its'} {noun}", owner=True)
        owner = self.inside(base)
        if owner.lead == Lead.IT:
            return Phrase(f"its {noun}", lead=Lead.ITS)
        markup = strip_markup(owner.words)
        is_person = present(base.type) == PLAYER and markup.endswith(strip_markup(self.naming.kind(PLAYER_KIND)))
        is_long = len(markup.split()) > (_LONGEST_PERSON if is_person else 2)
        if owner.owner or strip_markup(noun).startswith("number of") or " of " in markup or is_long:
            return build(f"the {noun} of ", owner, lead=Lead.THE)
        return replace(build(owner, f"{'’' if markup.endswith('s') else '’s'} {noun}"), owner=True)

    def constant(self, value: Any, kind: Type, *, beside: t.Typed | None = None) -> str:
        """Return a constant of the rules in words.

        If the constant is compared with `beside`, the labels of that setting or choice name it.
        """
        match beside:
            case t.Stored(field=field) if field.startswith("options.") and isinstance(value, str):
                words = self.style.ruleset.declarations.options[field.removeprefix("options.")].choices[value]
                return f"“{format_value(words, kind, self.style)}”" if " " in words else self.style.value(words)
            case t.Local(slot=slot) if value in self.called.labels.get(slot, ()):
                return f"“{fill(self.called.labels[slot][value], self.style)}”"
        inner = present(kind)
        if value is None:
            return "nobody" if kind == Optional(Entity("player")) else "nothing"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, Roll):
            return self.style.dice(value)
        if isinstance(inner, Row) and isinstance(value, str):
            plain_title = name_row(self._row(inner.table, value), Style(self.style.ruleset))
            return self.style.value(plain_title)
        if isinstance(inner, ListOf):
            return self._rows(value, inner.inner)
        if isinstance(inner, MapOf):
            return noun_phrases.by_row(
                self, inner, tuple(Phrase(self.constant(item, inner.inner)) for item in value)
            ).words
        if isinstance(inner, RecordOf):
            text = tuple(Phrase(self.constant(item, part)) for item, (_, part) in zip(value, inner.parts, strict=True))
            return noun_phrases.record(self, inner, text).words
        if isinstance(value, str):
            words = self.called.words.get(value, "")
            return fill(words, self.style, inside=True) if words else self.naming.choice(value)
        return str(value).replace("-", "\N{MINUS SIGN}")

    def _row(self, table: str, row: str) -> Any:
        return self.style.ruleset.declarations.tables[table].rows[row]

    def _rows(self, value: tuple[Any, ...], kind: Type) -> str:
        if isinstance(kind, Row) and value == tuple(self.style.ruleset.declarations.tables[kind.table].rows):
            return noun_phrases.constant(self, t.Constant(ListOf(kind), value)).words
        return ", ".join(self.constant(item, kind) for item in value) or "nothing"
