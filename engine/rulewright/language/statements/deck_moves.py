"""`put` and `reshuffle`: statements that add cards to a deck and change its known order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step, Target
from rulewright.language.declarations import GAME, GAME_KIND, Deck, Declarations
from rulewright.language.expressions.name_resolution import describe_missing_owner, list_deck_cards
from rulewright.language.expressions.typed_ast import (
    BROKEN,
    After,
    Aggregate,
    Apply,
    Arithmetic,
    CardCount,
    Comparison,
    Constant,
    DeckCards,
    If,
    Invoke,
    Items,
    Local,
    PartOf,
    Stored,
    Typed,
    Variable,
)
from rulewright.language.schema_shapes import Leaf, Record, expression, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.statements.several_results import sort_elements
from rulewright.language.types import BOOLEAN, INTEGER, UNKNOWN, Entity, ListOf, Optional, Row, Type, Unknown
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar

THE_GAME = Constant(Entity(GAME_KIND), GAME)

Write = tuple[Target, Typed]
"""A field of the game or of the owner of a deck, and its new value."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedDeck:
    """A deck that a step names, and the object that has it, or None for a deck that all share."""

    deck: Deck
    owner: Typed | None
    declarations: Declarations

    @property
    def type(self) -> Type:
        """The type of a list of its cards."""
        return ListOf(Row(self.deck.table))

    def read(self, field: str) -> Stored:
        """Return the cards in a field of its owner, or of the game."""
        return Stored(self.type, self.owner or THE_GAME, self.deck.kind, field)

    def place(self, field: str) -> Target:
        """Return a field of its owner, or of the game, to be changed."""
        hidden = self.declarations.kinds[self.deck.kind].fields[field].seen_by is not None
        return Target(self.type, self.owner or THE_GAME, self.deck.kind, field, hidden=hidden)

    def list_left(self) -> DeckCards:
        """Return the cards of a deck with an owner that the next draw is from: one on top, or any other."""
        rest, *known = map(self.read, self.deck.fields)
        cards: Typed = rest
        if known:
            top, bottom = (Apply(self.type, "first", (Constant(INTEGER, 1), part)) for part in known)
            below = If(self.type, build_is_empty(rest), bottom, rest)
            cards = If(self.type, build_is_empty(known[0]), below, top)
        return DeckCards(self.type, self.deck.id, cards, self.owner)

    def note_seen(self, cards: Typed) -> tuple[Write, ...]:
        """Return the write that notes which cards all players see in a deck with an owner, if they see `cards`.

        Nothing is noted if anything in `cards` may be hidden from a player.
        """
        if self.owner is None or not self._is_public(cards):
            return ()
        seen = self.read(self.deck.seen)
        return ((self.place(self.deck.seen), join_cards(seen, Arithmetic(self.type, "-", cards, seen))),)

    def _is_public(self, cards: Typed) -> bool:
        """Return whether an expression reads only the table, fields that all see, and the owner, whom all know."""
        known = {part.slot for part in self.owner.walk() if isinstance(part, Local)} if self.owner else set()
        for part in cards.walk():
            match part:
                case Local(slot=slot) if slot not in known:
                    return False
                case Stored(kind=kind, field=field):
                    if "." in field or self.declarations.kinds[kind].fields[field].seen_by is not None:
                        return False
                case Invoke() | After() | CardCount() | DeckCards():
                    return False
        return True


def find_deck(named: Scalar, check: Check, otherwise: str | None = None) -> NamedDeck | None:
    """Return the deck of that name, or None, which is reported. `otherwise` is a hint if no deck is similar.

    The name of a deck that each object of a kind has comes after the object, as in `player.pile`.
    """
    owner, dot, name = named.text.rpartition(".")
    deck = check.declarations.decks.get(name.strip())
    if deck is not None and dot and deck.is_owned:
        return _find_owned_deck(deck, owner, named, check)
    deck = check.declarations.decks.get(named.text)
    if deck is not None and deck.is_owned:
        message, instead = describe_missing_owner(deck)
        check.report(language_diagnostics.UNKNOWN_NAME, message, named.span, instead)
        return None
    if deck is None:
        # An expression may contain the name of a deck, but that deck alone would be another rule.
        if check.declarations.decks.keys().isdisjoint(re.findall(r"\w+", named.text)):
            hint = suggest_name(named.text, check.declarations.decks) or otherwise
        else:
            hint = otherwise or "a deck is named, not computed: write a step for each deck, each with its own `when:`"
        check.report(language_diagnostics.UNKNOWN_NAME, f"there is no deck `{named.text}`", named.span, hint)
        return None
    return NamedDeck(deck, None, check.declarations)


def _find_owned_deck(deck: Deck, owner: str, named: Scalar, check: Check) -> NamedDeck | None:
    """Return the deck of an object, which the expression `owner` names, or None, which is reported.

    The expression must have the same value before and after a pause, so it consists of names only.
    """
    typed = check.check_value(Scalar(owner, owner, named.position(0, len(owner)), raw=owner))
    if isinstance(typed.type, Unknown):
        return None
    hint = f"write a {deck.kind} before it, as in `{deck.kind}.{deck.id}`"
    if typed.type != Entity(deck.kind):
        code, message = language_diagnostics.WRONG_TYPE, f"each {deck.kind} has a `{deck.id}`, not {typed.type}"
        if typed.type == Optional(Entity(deck.kind)):
            code, message = language_diagnostics.MAY_BE_NONE, f"this may be none, and none has no `{deck.id}`"
            hint = f"add `when: {owner.strip()}` to the step"
        check.report(code, message, named.span, hint, typed)
        return None
    if not all(isinstance(part, Local | Stored | PartOf | Variable | Constant) for part in typed.walk()):
        message = f"the {deck.kind} whose `{deck.id}` it is must be a name, not an expression that finds one"
        step = f"{{id: one, let: {owner.strip()}}}"
        hint = f"give it a name first, as in `{step}`, and write `one.{deck.id}`"
        check.report(language_diagnostics.WRONG_TYPE, message, named.span, hint)
        return None
    return NamedDeck(deck, typed, check.declarations)


def join_cards(first: Typed, second: Typed) -> Typed:
    """Return the cards of one list and those of another, in that order."""
    return Arithmetic(first.type, "+", first, second)


def build_empty(cards: Stored) -> Typed:
    """Return a list without cards, to be put into the field of some cards."""
    return Items(cards.type, ())


def build_is_empty(cards: Stored) -> Typed:
    """Return whether a field has no cards."""
    card = Variable(cards.type.inner if isinstance(cards.type, ListOf) else UNKNOWN, "card")
    count = Aggregate(INTEGER, "count", card, "card", cards, None, None)
    return Comparison(BOOLEAN, "==", count, Constant(INTEGER, 0))


def check_cards(node: Node | None, deck: Deck, check: Check) -> tuple[Typed, Typed]:
    """Return some cards of a deck as a list, and as they were written: a single card, or the same list.

    Reports anything else.
    """
    kind = ListOf(Row(deck.table))
    written = check.check_value(node)
    if written.type == Row(deck.table):
        return Items(kind, (written,)), written
    cards = check.check_value(node, kind)
    return cards, cards


def run_writes(writes: tuple[Write, ...], step: Step, run: Run) -> None:
    """Change fields with cards, all new values worked out before."""
    ready = [(target, run.compute(value)) for target, value in writes]
    for target, value in ready:
        run.store(target, run.compute(target.base or THE_GAME), value, step)


def lower_writes(writes: tuple[Write, ...], lower: Lower) -> None:
    """Lower changes of fields with cards, all new values worked out before."""
    ready = [(target, lower.keep(value) if len(writes) > 1 else value) for target, value in writes]
    for target, value in ready:
        lower.store(target, target.base, value)


PLACES = ("onto", "under", "into")


@dataclass(frozen=True, slots=True, eq=False)
class PutAction:
    """The deck, the position in it, the cards, the changed values, and the owner, or None for a deck of all."""

    deck: str
    place: str
    cards: Typed
    writes: tuple[Write, ...]
    owner: Typed | None = None


class Put(Statement):
    """The statement does not remove the cards from elsewhere, because a deck only knows its own cards."""

    name = "put"
    also = ("put_back", "shuffle_in")
    summary = (
        "Puts a card or a list of cards onto an ordered deck (the first of the list on top), under it (the last of "
        "the list at the bottom), or shuffles them into any deck. Another step must remove the cards from their old "
        "place."
    )
    example = "{id: back, put: {cards: seen, onto: item_deck}}"
    keys = {
        "put": required(
            Record(
                "The cards, and the deck.",
                members={
                    "cards": required(expression("A card, or a list of cards.")),
                    "onto": optional(Leaf("The deck to put them on top of.", format="reference")),
                    "under": optional(Leaf("The deck to put them at the bottom of.", format="reference")),
                    "into": optional(Leaf("The deck to shuffle them into.", format="reference")),
                },
            )
        )
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the deck, the position and the cards. After an error in the first two, the action has no effect."""
        what = node.get("put")
        assert isinstance(what, Mapping)
        named = [key for key in PLACES if key in what]
        where = what.get(named[0]) if named else None
        nothing = CheckedStep(PutAction("", "", BROKEN, ()))
        if len(named) != 1 or not isinstance(where, Scalar):
            message = "`put` needs a deck after exactly one of `onto:`, `under:` and `into:`"
            check.report(language_diagnostics.STEP_SHAPE, message, what.span, "write one of the three")
            return nothing
        named_deck = find_deck(where, check)
        if named_deck is None:
            return nothing
        deck = named_deck.deck
        if named[0] != "into" and not deck.ordered:
            message = f"the order of `{deck.id}` is unknown, so nothing can be put {named[0]} it"
            check.report(
                language_diagnostics.STEP_SHAPE,
                message,
                where.span,
                f"give the deck `ordered: true`, or write `into: {where.text}`",
            )
            return nothing
        cards, written = check_cards(what.get("cards"), deck, check)
        rest, *known = deck.fields
        if named[0] == "into":
            write: Write = named_deck.place(rest), sort_elements(join_cards(named_deck.read(rest), cards))
        elif named[0] == "onto":
            write = named_deck.place(known[0]), join_cards(cards, named_deck.read(known[0]))
        else:
            write = named_deck.place(known[1]), join_cards(named_deck.read(known[1]), cards)
        writes = (write, *named_deck.note_seen(cards))
        return CheckedStep(PutAction(deck.id, named[0], written, writes, named_deck.owner))

    def run(self, step: Step, run: Run) -> None:
        run_writes(step.action.writes, step, run)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower_writes(step.action.writes, lower)


@dataclass(frozen=True, slots=True, eq=False)
class ReshuffleAction:
    """The deck, the cards to shuffle in and to take out, the changed values, and the owner of the deck, if any.

    `known` are the fields with the cards on top and at the bottom, which are emptied if there are any.
    """

    deck: str
    more: Typed | None
    less: Typed | None
    writes: tuple[Write, ...]
    known: tuple[Stored, ...] = ()
    owner: Typed | None = None


class Reshuffle(Statement):
    """The cards that were known to lie on top or at the bottom are among the others again."""

    name = "reshuffle"
    also = ("shuffle",)
    summary = (
        "Shuffles an ordered deck, or any deck after `adding` or `removing` cards, so that its order is unknown. "
        "Another step must remove added cards from their old place, or put removed ones into their new place."
    )
    example = "{id: anew, reshuffle: item_deck, adding: used_items}"
    keys = {
        "reshuffle": required(Leaf("The deck.", format="reference")),
        "adding": optional(expression("The card or the cards to shuffle in.")),
        "removing": optional(expression("The card or the cards to take out first, such as one that was searched for.")),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the deck and the cards to add and remove.

        If the deck is unknown, which is reported, the action has no effect.

        Shuffling a deck whose order is unknown anyway is reported.
        """
        named = node.get("reshuffle")
        assert isinstance(named, Scalar)
        named_deck = find_deck(named, check)
        if named_deck is None:
            return CheckedStep(ReshuffleAction("", None, None, ()))
        deck = named_deck.deck
        signs = {"removing": "-", "adding": "+"}
        written = {key: check_cards(node.get(key), deck, check) for key in signs if key in node}
        if not written and not deck.ordered:
            message = f"the order of `{deck.id}` is unknown, so shuffling it changes nothing"
            hint = "give the deck `ordered: true`, or name the cards to shuffle in: `adding: …`"
            if len(set(deck.cards)) == len(deck.cards):
                hint += f"; to bring all cards back, write `removing: {named.text}.cards, adding: {deck.table}`"
            check.report(language_diagnostics.STEP_SHAPE, message, named.span, hint)
        cards: Typed = list_deck_cards(deck, named_deck.owner)
        for key, (some, _) in written.items():
            cards = Arithmetic(cards.type, signs[key], cards, some)
        rest, *known = deck.fields
        seen = named_deck.note_seen(written["adding"][0]) if "adding" in written else ()
        writes = ((named_deck.place(rest), sort_elements(cards)), *seen)
        more, less = (written[key][1] if key in written else None for key in ("adding", "removing"))
        emptied = tuple(map(named_deck.read, known))
        return CheckedStep(ReshuffleAction(deck.id, more, less, writes, emptied, named_deck.owner))

    def run(self, step: Step, run: Run) -> None:
        run_writes(step.action.writes, step, run)
        for field in step.action.known:
            if not run.compute(build_is_empty(field)):
                run_writes((_empty_known(field),), step, run)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower_writes(step.action.writes, lower)
        for field in step.action.known:
            lower.branch(build_is_empty(field), _do_nothing, partial(lower_writes, (_empty_known(field),), lower))


def _do_nothing() -> None:
    """Lower nothing."""


def _empty_known(field: Stored) -> Write:
    """Return the write that takes all cards out of a field."""
    return Target(field.type, field.base, field.kind, field.field), build_empty(field)
