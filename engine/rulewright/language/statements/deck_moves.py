"""`put` and `reshuffle`: statements that add cards to a deck and change its known order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step, Target
from rulewright.language.declarations import GAME, GAME_KIND, Deck
from rulewright.language.expressions.name_resolution import list_deck_cards
from rulewright.language.expressions.typed_ast import (
    BROKEN,
    Aggregate,
    Arithmetic,
    Comparison,
    Constant,
    Items,
    Stored,
    Typed,
    Variable,
)
from rulewright.language.schema_shapes import Leaf, Record, expression, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.statements.several_results import sort_elements
from rulewright.language.types import BOOLEAN, INTEGER, Entity, ListOf, Row, Type
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Node, Scalar

THE_GAME = Constant(Entity(GAME_KIND), GAME)

Write = tuple[Target, Typed]
"""A field of the game, and its new value."""


def find_deck(named: Scalar, check: Check, otherwise: str | None = None) -> Deck | None:
    """Return the deck of that name, or None, which is reported. `otherwise` is a hint if no deck is similar."""
    deck = check.declarations.decks.get(named.text)
    if deck is None:
        # An expression may contain the name of a deck, but that deck alone would be another rule.
        if check.declarations.decks.keys().isdisjoint(re.findall(r"\w+", named.text)):
            hint = suggest_name(named.text, check.declarations.decks) or otherwise
        else:
            hint = otherwise or "a deck is named, not computed: write a step for each deck, each with its own `when:`"
        check.report(language_diagnostics.UNKNOWN_NAME, f"there is no deck `{named.text}`", named.span, hint)
    return deck


def build_cards_type(table: str) -> Type:
    """Return the type of some cards, which are rows of a table."""
    return ListOf(Row(table))


def read_held_cards(field: str, table: str) -> Stored:
    """Return the cards in a value of the game."""
    return Stored(build_cards_type(table), THE_GAME, GAME_KIND, field)


def place_of(field: str, table: str) -> Target:
    """Return a value of the game that holds cards, to be changed."""
    return Target(build_cards_type(table), THE_GAME, GAME_KIND, field)


def join_cards(first: Typed, second: Typed) -> Typed:
    """Return the cards of one list and those of another, in that order."""
    return Arithmetic(first.type, "+", first, second)


def build_empty_cards(table: str) -> Typed:
    """Return a list without cards."""
    return Items(build_cards_type(table), ())


def build_is_empty(cards: Typed, table: str) -> Typed:
    """Return whether a list has no card."""
    card = Variable(Row(table), "card")
    count = Aggregate(INTEGER, "count", card, "card", cards, None, None)
    return Comparison(BOOLEAN, "==", count, Constant(INTEGER, 0))


def check_cards(node: Node | None, deck: Deck, check: Check) -> tuple[Typed, Typed]:
    """Return some cards of a deck as a list, and as they were written: a single card, or the same list.

    Reports anything else.
    """
    written = check.check_value(node)
    if written.type == Row(deck.table):
        return Items(build_cards_type(deck.table), (written,)), written
    cards = check.check_value(node, build_cards_type(deck.table))
    return cards, cards


def run_writes(writes: tuple[Write, ...], step: Step, run: Run) -> None:
    """Change values of the game, all of them worked out before."""
    ready = [(target, run.compute(value)) for target, value in writes]
    for target, value in ready:
        run.store(target, GAME, value, step)


def lower_writes(writes: tuple[Write, ...], lower: Lower) -> None:
    """Lower changes of values of the game, all of them worked out before."""
    ready = [(target, lower.keep(value) if len(writes) > 1 else value) for target, value in writes]
    for target, value in ready:
        lower.store(target, THE_GAME, value)


class _WritingStatement:
    """The common base of statements with an action that lists the values of the game it `writes`."""

    def run(self, step: Step, run: Run) -> None:
        run_writes(step.action.writes, step, run)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower_writes(step.action.writes, lower)


PLACES = ("onto", "under", "into")


@dataclass(frozen=True, slots=True, eq=False)
class PutAction:
    """The deck, the position in it, the cards, and the changed values."""

    deck: str
    place: str
    cards: Typed
    writes: tuple[Write, ...]


class Put(_WritingStatement, Statement):
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
        deck = find_deck(where, check)
        if deck is None:
            return nothing
        if named[0] != "into" and not deck.ordered:
            message = f"the order of `{deck.id}` is unknown, so nothing can be put {named[0]} it"
            check.report(
                language_diagnostics.STEP_SHAPE,
                message,
                where.span,
                f"give the deck `ordered: true`, or write `into: {deck.id}`",
            )
            return nothing
        cards, written = check_cards(what.get("cards"), deck, check)
        rest, *known = deck.fields
        if named[0] == "into":
            writes: tuple[Write, ...] = (
                (
                    place_of(rest, deck.table),
                    sort_elements(join_cards(read_held_cards(rest, deck.table), cards)),
                ),
            )
        elif named[0] == "onto":
            writes = ((place_of(known[0], deck.table), join_cards(cards, read_held_cards(known[0], deck.table))),)
        else:
            writes = ((place_of(known[1], deck.table), join_cards(read_held_cards(known[1], deck.table), cards)),)
        return CheckedStep(PutAction(deck.id, named[0], written, writes))


@dataclass(frozen=True, slots=True, eq=False)
class ReshuffleAction:
    """The deck, the cards to shuffle in and to take out, and the changed values."""

    deck: str
    more: Typed | None
    less: Typed | None
    writes: tuple[Write, ...]


class Reshuffle(_WritingStatement, Statement):
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
        deck = find_deck(named, check)
        if deck is None:
            return CheckedStep(ReshuffleAction("", None, None, ()))
        signs = {"removing": "-", "adding": "+"}
        written = {key: check_cards(node.get(key), deck, check) for key in signs if key in node}
        if not written and not deck.ordered:
            message = f"the order of `{deck.id}` is unknown, so shuffling it changes nothing"
            hint = "give the deck `ordered: true`, or name the cards to shuffle in: `adding: …`"
            check.report(language_diagnostics.STEP_SHAPE, message, named.span, hint)
        cards: Typed = list_deck_cards(deck)
        for key, (some, _) in written.items():
            cards = Arithmetic(cards.type, signs[key], cards, some)
        rest, *known = deck.fields
        emptied = tuple((place_of(field, deck.table), build_empty_cards(deck.table)) for field in known)
        writes = ((place_of(rest, deck.table), sort_elements(cards)), *emptied)
        more, less = (written[key][1] if key in written else None for key in ("adding", "removing"))
        return CheckedStep(ReshuffleAction(deck.id, more, less, writes))
