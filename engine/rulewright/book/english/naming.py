"""Nouns for the parts of a ruleset, from its terms or else from its ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from rulewright.base.lazy import lazy_property
from rulewright.book.english.grammar import begins_with_noun, choose_article, pluralize, strip_count, strip_markup
from rulewright.book.english.phrase import Lead, Phrase, add_article
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.engine.narration.ruleset_words import spell_as_id, strip_article
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND, Formula, Table, Term
from rulewright.language.expressions.typed_ast import Comparison, Constant, Local
from rulewright.language.lowering import list_asks, list_offers
from rulewright.language.types import Boolean, Entity, Integer, ListOf, MapOf, RecordOf, Row, Type, present
from rulewright.ruleset.elaborate.node_readers import read_names
from rulewright.ruleset.prose.book_language import ENGLISH
from rulewright.ruleset.prose.explained_rules import find_rule_entry
from rulewright.ruleset.prose.plain_parameters import list_plain_parameters
from rulewright.source.nodes import Mapping as MappingNode


@dataclass(frozen=True, slots=True)
class NameWords:
    """The rules' own words for names, and facts about the steps that bind them.

    `words` holds nouns. `clauses` holds the text of a boolean name that is true (`holds`) and that is false (`fails`),
    of an option that was taken, and of an optional result that there is.
    `labels` holds the labels of options by the slot of their choice, and `presence` what sentences say of the optional
    result in a slot that there is (`Statement.presence`). `picked` holds the slots of choices whose labels no other
    choice has, so that sentences can say that such an option was chosen.
    `alone` holds the kinds that have a single object in the described state, and `plain` the names that go by the noun
    of their kind, because nothing else of that kind is spoken of.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    clauses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    labels: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    presence: Mapping[int, str] = field(default_factory=dict)
    picked: frozenset[int] = frozenset()
    alone: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()

    @classmethod
    def in_procedure(cls, procedure: Procedure) -> NameWords:
        """Return the words for the names of one procedure."""
        labels = {
            step.slot: {offer.id: offer.label for offer in list_offers(ask) if offer.label}
            for step in procedure.iterate_steps()
            for ask in list_asks(step)
            if step.slot is not None
        }
        presence = {
            slot: step.verb.presence for step in procedure.iterate_steps() for slot in step.slots if step.verb.presence
        }
        many = Counter(label for offered in labels.values() for label in offered.values())
        picked = (slot for slot, offered in labels.items() if all(many[label] == 1 for label in offered.values()))
        plain = list_plain_parameters(procedure)
        return cls(procedure.called, procedure.clauses, labels, presence, frozenset(picked), plain=plain)

    @classmethod
    def in_formula(cls, formula: Formula) -> NameWords:
        """Return the words for the parameters of one formula."""
        return cls(formula.called, plain=list_plain_parameters(formula))

    def find_pick(self, node: Comparison) -> Local | None:
        """Return the result that a comparison tests for an option with a label, or None if it needs to be named."""
        if node.operator not in ("==", "!="):
            return None
        for side, other in ((node.left, node.right), (node.right, node.left)):
            match side, other:
                case Local(slot=slot), Constant(value=str(option)) if option in self.labels.get(slot, ()):
                    return side if slot in self.picked or option in self.clauses else None
        return None


_AFTER_NOUN = ("of", "in", "on", "to", "from", "with", "at", "for", "that", "who", "whose", "where", "under", "without")
"""Words that end the head of a noun."""
_PAYMENTS = (
    "bet",
    "cost",
    "fee",
    "fine",
    "income",
    "price",
    "rent",
    "reward",
    "stake",
    "tax",
    "toll",
    "upkeep",
    "wages",
)
"""Nouns for payments and earnings, which need no unit: the player pays the cost of something."""
_PLURAL = re.compile(r"\{(\w+)\.plural\}")
"""Words of the rules that are just the plural of a term."""
_IRREGULAR = ("dice", "men", "women", "people", "children", "those", "these")
_SEVERAL, _MARKS = re.compile(r"\w\w[^\Wsui]s$|\wsses$"), re.compile(r"[^\w\s’'-]")

NOBODY = NameWords()
"""Words for a place in which no name has words of its own."""


def humanize(identity: str) -> str:
    """Return an id as words: `base_roll` → `base roll`."""
    return identity.replace("_", " ").replace(".", " ")


class Naming:
    """Nouns for the parts of one ruleset, in one style."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.declared = style.ruleset.declarations

    @lazy_property
    def _plurals(self) -> dict[str, Term]:
        """Map the terms by plural, spelled as an id.

        The plural of a term's id also counts, because an edition may rename the term.
        """
        terms = self.declared.terms.values()
        return {pluralize(term.id): term for term in terms} | {spell_as_id(term.plural): term for term in terms}

    def kind_term(self, kind: str) -> Term | None:
        """Return the term for a kind, or None if the rules define none."""
        return self.declared.terms.get(self.declared.kinds[kind].term) or self.declared.terms.get(kind)

    def kind(self, kind: str, *, several: bool = False) -> str:
        """Return the noun for a kind, plural if `several`."""
        text = self.declared.kinds[kind].wording
        if text:
            noun = strip_article(text["several" if several else "one"], self.style.language)
            return fill(noun, self.style, inside=True)
        if kind == PLAYER_KIND and self.style.language is not ENGLISH:
            return self.style.escape(self.style.language.translate("Player"))
        term = self.kind_term(kind)
        if term is not None and self._tells_apart(kind, term):
            return self.style.term(term, plural=several)
        return self.style.escape(humanize(self.declared.kinds[kind].plural if several else kind))

    def member(self, type_: Type, *, several: bool = False) -> str:
        """Return the noun for a value of a type, `Card` for a row of the cards, or an empty string if it has none.

        A row has the term whose plural is the id of its table, unless a kind has that term.
        """
        match present(type_):
            case Entity(kind=kind):
                return self.kind(kind, several=several)
            case Row(table=table):
                term = self._plurals.get(table)
                if term is not None and not any(self.kind_term(kind) is term for kind in self.declared.kinds):
                    return self.style.term(term, plural=several)
        return ""

    def card(self, type_: Type, *, several: bool = False) -> str:
        """Return the noun for a value of a type, which is a card if a deck is made of such, or an empty string."""
        card = "cards" if several else "card"
        return self.member(type_, several=several) or (card if self.is_dealt(type_) else "")

    def is_dealt(self, type_: Type) -> bool:
        """Return whether the values of a type are the cards of a deck."""
        kind = present(type_)
        return isinstance(kind, Row) and any(deck.table == kind.table for deck in self.declared.decks.values())

    def is_place(self, type_: Type) -> bool:
        """Return whether the values of a type are the spaces of a board."""
        kind = present(type_)
        return isinstance(kind, Row) and self.declared.tables[kind.table].is_board

    def is_several(self, noun: str) -> bool:
        """Return whether a noun is a plural, such as `Seeds still to come`."""
        words = _MARKS.sub("", strip_markup(noun)).split()
        head = words[: next((place for place, word in enumerate(words) if word in _AFTER_NOUN), len(words))]
        ends = [word.casefold().rstrip(".,") for word in head if "’" not in word and "'" not in word]
        return any(word in self._several or word in _IRREGULAR or _SEVERAL.search(word) for word in ends)

    @lazy_property
    def _several(self) -> set[str]:
        """Return the words of the plurals that differ from their terms."""
        terms = [term for term in self.declared.terms.values() if not _is_mass(term)]
        return {word for term in terms for word in term.plural.casefold().split()}

    def is_list_title(self, table: str) -> bool:
        """Return whether the title of a table is the plural of what its rows are, such as `Suits`."""
        title = fill(self.declared.tables[table].title, Style(self.style.ruleset))
        return self.is_several(title) and not any(word in _AFTER_NOUN for word in title.split())

    def _tells_apart(self, kind: str, term: Term) -> bool:
        """Return whether a term identifies a kind.

        If several kinds share a term, only the kind whose id is the term's id uses it.
        """
        others = [other for other in self.declared.kinds if other != kind and self.kind_term(other) is term]
        return not others or kind == term.id

    def word(self, identity: str) -> Term | None:
        """Return the term with this id, or None if there is none."""
        return self.declared.terms.get(identity)

    def countable(self, identity: str) -> Term | None:
        """Return the term whose objects a number with this id counts, or None if there is none.

        For example, `workers` counts each worker.
        """
        return self.declared.terms.get(identity) or self._plurals.get(identity)

    def unit(self, identity: str, *, single: bool = False, kind: str = "") -> str:
        """Return the noun for the unit of an amount with this id, plural unless `single`.

        `kind` owns the field, and is empty for names that are no fields. The rules' own words for a field stay as they
        are, unless they are just the plural of a term.
        """
        field = self.declared.kinds[kind].fields.get(identity) if kind else None
        text = (field.unit if field else "") or (self._find_wording(kind, identity) if kind else "")
        plural = _PLURAL.fullmatch(text) if single else None
        if plural and plural[1] in self.declared.terms:
            return self.style.term(self.declared.terms[plural[1]])
        if text:
            return fill(text, self.style, inside=True)
        term = self.countable(identity)
        if term is not None:
            return self.style.term(term, plural=not single)
        return self.style.escape(humanize(identity))

    def amount(
        self, amount: str, identity: str, *, number: int | None, lead: Lead, simple: bool = False, kind: str = ""
    ) -> str:
        """Return an amount with its unit: `3 cards`, `cards equal to …`, or `as many cards as …`.

        The unit follows a number, and a plain name without *the*. Other amounts that begin with `Lead.WHAT` lose this
        lead and become `as many … as …`, or `as much … as …` for a mass noun. A name that begins with the unit, such as
        `the Seeds that are left`, stays as it is. The rest become `… equal to …`.

        Args:
            amount: The rendered amount, which begins with `lead`.
            identity: The id of the field or name that holds the amount.
            number: The amount, if the rules state it as a number.
            lead: The lead of `amount`.
            simple: Whether `amount` is a plain name.
            kind: The kind that owns the field, or empty for other names.
        """
        if number is not None or (simple and lead != Lead.THE):
            return f"{amount} {self.unit(identity, single=number == 1, kind=kind)}"
        unit = self.unit(identity, kind=kind)
        if simple and any(begins_with_noun(amount, noun) for noun in (unit, f"number of {unit}")):
            # They pay the points given, and not their number.
            return amount.replace("number of ", "", 1)
        amount = amount[len(lead) :] if lead == Lead.WHAT else amount
        # The unit of a field takes precedence over a term for its name.
        field = self.declared.kinds[kind].fields.get(identity) if kind else None
        term = None if field and field.unit else self.countable(identity)
        if lead != Lead.WHAT:
            return amount if self._is_payment(amount, kind) else f"{unit} equal to {amount}"
        many = "much" if (term is not None and _is_mass(term)) or self.begins_with_mass(unit) else "many"
        return f"as {many} {unit} as {amount}"

    def _is_payment(self, amount: str, kind: str) -> bool:
        """Return whether an amount is a payment in the only thing that a kind counts: `the cost of the Bed`."""
        words = strip_markup(amount).split()
        head = words[: next((place for place, word in enumerate(words) if word in _AFTER_NOUN), len(words))]
        counted = [name for name in self.declared.kinds[kind].fields if self.is_counted(kind, name)] if kind else []
        return bool(head) and head[-1].casefold() in _PAYMENTS and len(counted) == 1

    def field(self, kind: str, name: str) -> str:
        """Return the noun for a field or derived field, without an article.

        The rules' own words come first. Otherwise a number whose name has a term becomes `number of Cards`, or the term
        alone if it is a mass noun, and a list whose name has a term becomes its plural.
        """
        type_ = self.field_type(kind, name)
        text = self._find_wording(kind, name)
        if text:
            return self._noun(text)
        term = self.countable(name)
        if isinstance(type_, Integer) and term is not None:
            return self.style.term(term) if _is_mass(term) else f"number of {self.unit(name)}"
        if isinstance(type_, Boolean):
            return self.style.name(humanize(name))
        term = self.word(name)
        if term is not None:
            return self.style.term(term, plural=isinstance(type_, ListOf))
        if isinstance(type_, ListOf) and isinstance(type_.inner, Entity):
            return (
                self.kind(type_.inner.kind, several=True)
                if spell_as_id(name) in self._kind_names(type_.inner.kind)
                else (self.style.escape(humanize(name)))
            )
        return self.style.escape(humanize(name))

    def is_heap(self, kind: str, name: str) -> bool:
        """Return whether a list has a singular noun, such as a hand, which has a size and contains objects."""
        if not isinstance(self.field_type(kind, name), ListOf):
            return False
        words = strip_markup(self.field(kind, name)).casefold().split()
        several = {word for term in self.declared.terms.values() for word in term.plural.casefold().split()}
        return bool(words) and not any(word in several or word.rstrip(".,").endswith("s") for word in words)

    def _find_wording(self, kind: str, name: str) -> str:
        """Return the rules' own words for a field or derived field, or an empty string if there are none."""
        owner = self.declared.kinds[kind]
        if name in owner.fields:
            return owner.fields[name].wording
        return self.declared.formulas[owner.derived[name]].wording.get("", "") if name in owner.derived else ""

    def is_mass(self, noun: str) -> bool:
        """Return whether a noun is a mass noun, which is not counted and takes no `a`."""
        words = strip_markup(noun)
        return any(_is_mass(term) and words in (term.name, term.plural) for term in self.declared.terms.values())

    def agreeing(self, verb: str, noun: str) -> str:
        """Return a singular verb in the form that agrees with a noun.

        The verb becomes plural (`are`, `become`) after a noun that has only a plural form.
        """
        if not (self.is_mass(noun) and strip_markup(noun).endswith("s")):
            return verb
        first, _, rest = verb.partition(" ")
        several = {"is": "are", "has": "have", "becomes": "become"}.get(first, first)
        return f"{several} {rest}".rstrip()

    def be(self, noun: str) -> str:
        """Return `is` or `are`, whichever agrees with a noun."""
        return "are" if self.is_several(noun) else self.agreeing("is", noun)

    def begins_with_mass(self, phrase: str) -> bool:
        """Return whether a phrase begins with a mass noun, such as `movement left`."""
        text = f"{strip_markup(phrase)} "
        return any(_is_mass(term) and text.startswith(f"{term.name} ") for term in self.declared.terms.values())

    def one(self, noun: str) -> str:
        """Return the noun with `a` or `an`. A mass noun gets no article."""
        return noun if self.is_mass(noun) else choose_article(noun)

    def _kind_names(self, kind: str) -> tuple[str, ...]:
        return (kind, self.declared.kinds[kind].plural)

    def field_type(self, kind: str, name: str) -> Type | None:
        """Return the type of a field or derived field without its optionality, or None if there is none."""
        owner = self.declared.kinds[kind]
        if name in owner.fields:
            return present(owner.fields[name].type)
        if name in owner.derived:
            return present(self.declared.formulas[owner.derived[name]].type)
        return None

    def bound(self, name: str, type_: Type, called: NameWords) -> Phrase:
        """Return the phrase for a name of a procedure.

        Words of the rules for the name come first. An object goes by the noun of its kind if it is named so or is in
        `called.plain`, and a row by the noun of its table if it is in `called.plain` or has a term. All of these, other
        objects, collections, and numbers that have a term get an article: `the *attacker*`, but `*price*`.
        """
        if name in called.words:
            return add_article(self.style.variable(self._noun(called.words[name])))
        inner = present(type_)
        if isinstance(inner, Entity):
            term = self.word(name)
            if (name == inner.kind or (name in called.plain and term is None)) and inner.kind != GAME_KIND:
                return add_article(self.kind(inner.kind))
            if term is not None:
                return add_article(self.style.term(term))
            return add_article(self.name(name))
        if isinstance(inner, ListOf | MapOf | RecordOf):
            return add_article(self.name(name))
        if isinstance(inner, Row):
            noun = self.member(inner) if name in called.plain or self.word(name) is not None else ""
            return add_article(noun or self.role(name))
        term = self.word(name)
        if isinstance(inner, Integer) and term is not None:
            return add_article(self.style.term(term))
        return Phrase(self.name(name))

    def bare(self, name: str, called: NameWords) -> str:
        """Return the noun for a name of a procedure, without an article."""
        if name in called.words:
            return self.style.variable(self._noun(called.words[name]))
        return self.role(name)

    def counted(self, name: str, called: NameWords) -> str:
        """Return the plural of what a number counts, such as `ayes` for the number of ayes, or an empty string."""
        words = strip_count(called.words.get(name, ""))
        return self.style.variable(self._noun(words)) if words else ""

    def part(self, name: str, called: NameWords) -> str:
        """Return the noun for one result of a procedure, to follow `is`.

        The noun is in the rules' own words, or else a term, or else the name.
        """
        return self._noun(called.words[name]) if name in called.words else self.role(name)

    def _noun(self, words: str) -> str:
        """Return the rules' own words for a noun, without an article that they begin with."""
        return fill(words.removeprefix(Lead.THE), self.style, inside=True)

    def name(self, identity: str) -> str:
        """Return an id as words, marked up as a name."""
        return self.style.name(humanize(identity))

    def describe_result(self, name: str, called: NameWords) -> str:
        """Return a result that a procedure noted under a name, with an article, such as `the *battle*`."""
        if name in called.words:
            return f"the {self.style.variable(self._noun(called.words[name]))}"
        return f"the {self.name(name)}"

    def of_the_game(self, field: str, type_: Type) -> Phrase:
        """Return the phrase for a field of the game."""
        text = self.declared.kinds[GAME_KIND].fields[field].wording
        if text:
            return add_article(self._noun(text))
        return self.bound(field, type_, NOBODY)

    def clause(self, field: str, *, holds: bool) -> str:
        """Return the rules' own text for a boolean of the game that is true or false.

        Return an empty string if there is no such text.
        """
        return fill(
            self.declared.kinds[GAME_KIND].fields[field].clauses.get("holds" if holds else "fails", ""),
            self.style,
            inside=True,
        )

    def record(self, identity: str, *, several: bool = False) -> str:
        """Return the noun for a record, plural if `several`."""
        text = self.declared.records[identity].wording
        if text:
            return fill(text["several" if several else "one"], self.style, inside=True)
        term = self.word(identity)
        if term is not None:
            return self.style.term(term, plural=several)
        return self.style.name(humanize(identity) + ("s" if several else ""))

    def part_of_record(self, identity: str, part: str) -> str:
        """Return the noun for a part of a record."""
        words = self.declared.records[identity].called.get(part, "")
        return fill(words, self.style, inside=True) if words else self.role(part)

    def column(self, table: str, column: str) -> str:
        """Return the noun for a column of a table: that of the rules, or a term for it, or else its id as words."""
        words = self.declared.tables[table].called.get(column, "")
        if words:
            return fill(words, self.style, inside=True)
        term = self.word(column)
        return self.style.term(term) if term is not None else self.style.escape(humanize(column))

    def column_of_steps(self, table: str, column: str) -> str:
        """Return the noun for a column of steps, or its heading in quotation marks if the rules have only that."""
        heading = list_headings(self.declared.tables[table], self.style).get(column)
        if heading is None or self.has_words(table, column):
            return self.column(table, column)
        return f"“{fill(heading, self.style)}”"

    def has_words(self, table: str, column: str) -> bool:
        """Return whether the rules name a column."""
        return column in self.declared.tables[table].called

    def is_counted(self, kind: str, name: str) -> bool:
        """Return whether a field holds the number of something, such as Cards. Derived fields never do.

        The rules' own words for it may be a mass noun or just the plural of a term.
        """
        owner = self.declared.kinds[kind]
        field = owner.fields.get(name)
        if field is None or not isinstance(present(field.type), Integer):
            return False
        plural = _PLURAL.fullmatch(field.wording)
        if plural:
            return plural[1] in self.declared.terms
        words = fill(field.wording, Style(self.style.ruleset), inside=True)
        return self.begins_with_mass(words) if words else self.countable(name) is not None

    def table(self, identity: str) -> str:
        """Return the title of a table as a link."""
        return self._rule("tables", identity, self.declared.tables[identity].title)

    def the_table(self, identity: str) -> str:
        """Return the title of a table as a link, with an article and the word for it: `the Sizes table`."""
        title = self.declared.tables[identity].title.removeprefix("The ")
        return f"the {self._rule('tables', identity, title)}{'' if title.casefold().endswith(' table') else ' table'}"

    def rows(self, identity: str) -> str:
        """Return the noun for all rows of a table, without an article: its title as a link, if that is a plural."""
        if not self.is_list_title(identity):
            return f"rows of {self.the_table(identity)}"
        return self._rule("tables", identity, self.declared.tables[identity].title.removeprefix("The "))

    def tile(self, table: str) -> Term | None:
        """Return the term for a space of a board, or None.

        The id of the board must be the plural of a term: the board `tiles` has the term Tile.
        """
        return self._plurals.get(table) if self.declared.tables[table].is_board else None

    def deck(self, identity: str) -> str:
        """Return the title of a deck as a link."""
        return self._rule("decks", identity, self.declared.decks[identity].title)

    def the_deck(self, identity: str) -> str:
        """Return the title of a deck as a link, with a single article."""
        title = self.declared.decks[identity].title
        words = title[4:] if title.startswith(("The ", "the ")) else title
        return f"the {self._rule('decks', identity, words)}"

    def deck_of(self, identity: str) -> str:
        """Return the title of a deck as a link, without an article, to follow the name of its owner."""
        return self.the_deck(identity).removeprefix("the ")

    def cards(self, identity: str) -> str:
        """Return a description of a deck, with the number of cards, their order, and the pile that refills it."""
        deck = self.declared.decks[identity]
        order = "; cards can be put on top or at the bottom" if deck.ordered else ""
        discarded = self.field(deck.kind, deck.discard) if deck.discard else ""
        result = f"; an empty deck is made of the {discarded}" if discarded else ""
        some = "some of " if deck.filled_by_rules else ""
        each = f" for each {self.kind(deck.kind)}" if deck.is_owned else ""
        return f"{some}{len(deck.cards)} cards from {self.table(deck.table)}{each}{order}{result}"

    def option(self, identity: str) -> str:
        """Return the title of a setting as a link."""
        return self._rule("options", identity, self.declared.options[identity].title)

    def procedure(self, identity: str) -> str:
        """Return the title of a procedure as a link."""
        title = self.style.ruleset.procedures[identity].words.get("title") or humanize(identity).capitalize()
        return self._rule("procedures", identity, title)

    def _rule(self, section: str, identity: str, title: str) -> str:
        unlinked = self.style.escape(fill(title, Style(self.style.ruleset)))
        return self.style.rule(f"{section}.{identity}", unlinked)

    def role(self, name: str) -> str:
        """Return the noun for a parameter, which is the term with its name, or else the name."""
        term = self.word(name)
        return self.style.term(term) if term is not None else self.style.name(humanize(name))

    def choice(self, identity: str) -> str:
        """Return one id of a closed set of choices as words."""
        term = self.word(identity)
        return self.style.value(term.name.lower() if term is not None else humanize(identity))


def _is_mass(term: Term) -> bool:
    """Return whether a term has no separate plural, such as `movement`."""
    return term.plural == term.name


def list_headings(table: Table, style: Style) -> dict[str, str]:
    """Return the headings that the rules define for columns of a table, by column."""
    entry = find_rule_entry(f"tables.{table.id}", style.ruleset)
    return read_names(entry.value.get("headings")) if entry is not None and isinstance(entry.value, MappingNode) else {}
