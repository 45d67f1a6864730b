"""`put`: cards go onto a deck, under it, or into it."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import codes
from rulewright.language.expression.typed import BROKEN, Items, Typed
from rulewright.language.shape import Leaf, Record, expression, optional, required
from rulewright.language.step import Step
from rulewright.language.types import ListOf, Row
from rulewright.language.verb import NOTHING, Changes, Check, Checked, Lower, Run, Verb
from rulewright.language.verbs.piles import (
    Write,
    cards_of,
    deck_named,
    held_in,
    joined,
    lower_writes,
    place_of,
    run_writes,
    unordered,
)
from rulewright.source.nodes import Mapping, Scalar

PLACES = ("onto", "under", "into")


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The deck, where in it, the cards, and what changes."""

    deck: str
    place: str
    cards: Typed
    several: bool
    writes: tuple[Write, ...]


class Put(Verb):
    """What lay somewhere else is not taken from there: a deck only knows what is in it."""

    name = "put"
    summary = (
        "Puts a card, or a list of them, onto an ordered deck (the first of the list on top), under it (the last of "
        "the list at the very bottom), or into any deck, anywhere; where they were before, another step takes them "
        "away."
    )
    example = "{id: back, put: {cards: seen, onto: item_deck}}"
    keys = {
        "put": required(
            Record(
                "The cards, and the deck.",
                members={
                    "cards": required(expression("A card, or a list of cards.")),
                    "onto": optional(Leaf("The deck on whose top they go.", format="reference")),
                    "under": optional(Leaf("The deck to whose bottom they go.", format="reference")),
                    "into": optional(Leaf("The deck into which they are shuffled.", format="reference")),
                },
            )
        )
    }

    def check(self, node: Mapping, check: Check) -> Checked:
        what = node.get("put")
        assert isinstance(what, Mapping)
        named = [key for key in PLACES if key in what]
        where = what.get(named[0]) if named else None
        nothing = Checked(Action("", "", BROKEN, False, ()))
        if len(named) != 1 or not isinstance(where, Scalar):
            message = "cards go `onto:` a deck, `under:` it or `into:` it"
            check.report(codes.STEP_SHAPE, message, what.span, "write one of the three")
            return nothing
        deck = deck_named(where, check)
        if deck is None:
            return nothing
        if named[0] != "into" and not deck.ordered:
            message = f"nobody knows the order of `{deck.id}`, so nothing can be put {named[0]} it"
            check.report(
                codes.STEP_SHAPE, message, where.span, f"give the deck `ordered: true`, or write `into: {deck.id}`"
            )
            return nothing
        cards = check.value(what.get("cards"))
        if cards.type == Row(deck.table):
            cards, several = Items(ListOf(Row(deck.table)), (cards,)), False
        else:
            cards, several = check.value(what.get("cards"), cards_of(deck.table)), True
        rest, *known = deck.fields
        if named[0] == "into":
            writes: tuple[Write, ...] = (
                (place_of(rest, deck.table), unordered(joined(held_in(rest, deck.table), cards), deck.table)),
            )
        elif named[0] == "onto":
            writes = ((place_of(known[0], deck.table), joined(cards, held_in(known[0], deck.table))),)
        else:
            writes = ((place_of(known[1], deck.table), joined(held_in(known[1], deck.table), cards)),)
        return Checked(Action(deck.id, named[0], cards, several, writes))

    def run(self, step: Step, run: Run) -> None:
        run_writes(step.action.writes, step, run)

    def changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower_writes(step.action.writes, lower)
