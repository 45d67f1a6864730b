"""What the verbs of decks share: the cards in a deck as expressions, in an order where one is known, or none."""

from __future__ import annotations

from rulewright.language import codes
from rulewright.language.declarations import GAME, GAME_KIND, Deck
from rulewright.language.expression.typed import (
    Aggregate,
    Arithmetic,
    Cell,
    Comparison,
    Constant,
    Items,
    Stored,
    Typed,
    Variable,
)
from rulewright.language.step import Step, Target
from rulewright.language.types import BOOLEAN, INTEGER, ListOf, Row, Thing, Type
from rulewright.language.verb import Check, Lower, Run
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.nodes import Scalar

THE_GAME = Constant(Thing(GAME_KIND), GAME)

Write = tuple[Target, Typed]
"""A value of the game, and what it becomes."""


def deck_named(named: Scalar, check: Check) -> Deck | None:
    """The deck of that name; another is reported."""
    deck = check.declarations.decks.get(named.text)
    if deck is None:
        hint = did_you_mean(named.text, check.declarations.decks)
        check.report(codes.UNKNOWN_NAME, f"there is no deck `{named.text}`", named.span, hint)
    return deck


def cards_of(table: str) -> Type:
    """The type of some cards, which are rows of a table."""
    return ListOf(Row(table))


def held_in(field: str, table: str) -> Stored:
    """The cards in a value of the game."""
    return Stored(cards_of(table), THE_GAME, GAME_KIND, field)


def place_of(field: str, table: str) -> Target:
    """A value of the game that holds cards, to be changed."""
    return Target(cards_of(table), THE_GAME, GAME_KIND, field)


def joined(first: Typed, second: Typed) -> Typed:
    """The cards of one list and those of another, in that order."""
    return Arithmetic(first.type, "+", first, second)


def unordered(cards: Typed, table: str) -> Typed:
    """The cards in the order of their table: the same for the same cards, however they came together."""
    card = Variable(Row(table), "card")
    return Aggregate(cards.type, "list", card, "card", cards, None, Cell(INTEGER, card, table, "rank"))


def no_cards(table: str) -> Typed:
    """A list without cards."""
    return Items(cards_of(table), ())


def none_in(cards: Typed, table: str) -> Typed:
    """Whether a list has no card."""
    card = Variable(Row(table), "card")
    count = Aggregate(INTEGER, "count", card, "card", cards, None, None)
    return Comparison(BOOLEAN, "==", count, Constant(INTEGER, 0))


def everything_in(deck: Deck) -> Typed:
    """The cards of a deck, wherever in it they lie."""
    rest, *known = (held_in(field, deck.table) for field in deck.fields)
    found: Typed = rest
    for each in known:
        found = joined(found, each)
    return found


def run_writes(writes: tuple[Write, ...], step: Step, run: Run) -> None:
    """Change values of the game, all of them worked out before."""
    ready = [(target, run.value(value)) for target, value in writes]
    for target, value in ready:
        run.store(target, GAME, value, step)


def lower_writes(writes: tuple[Write, ...], lower: Lower) -> None:
    """Lower changes of values of the game, all of them worked out before."""
    ready = [(target, lower.keep(value) if len(writes) > 1 else value) for target, value in writes]
    for target, value in ready:
        lower.store(target, THE_GAME, value)
