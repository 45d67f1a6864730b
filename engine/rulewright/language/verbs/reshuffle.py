"""`reshuffle`: nobody knows any longer where a card of a deck lies."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import codes
from rulewright.language.expression.typed import Typed
from rulewright.language.shape import Leaf, expression, optional, required
from rulewright.language.step import Step
from rulewright.language.verb import NOTHING, Changes, Check, Checked, Lower, Run, Verb
from rulewright.language.verbs.piles import (
    Write,
    cards_of,
    deck_named,
    everything_in,
    joined,
    lower_writes,
    no_cards,
    place_of,
    run_writes,
    unordered,
)
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The deck, the cards that are shuffled into it, and what changes."""

    deck: str
    more: Typed | None
    writes: tuple[Write, ...]


class Reshuffle(Verb):
    """The cards that were known to lie on top or at the bottom are among the others again."""

    name = "reshuffle"
    summary = (
        "Shuffles an ordered deck, or any deck after `adding` a list of cards: what was known of its order is known "
        "no longer. Where those cards were before, another step takes them away."
    )
    example = "{id: anew, reshuffle: item_deck, adding: used_items}"
    keys = {
        "reshuffle": required(Leaf("The deck.", format="reference")),
        "adding": optional(expression("The cards that are shuffled in.")),
    }

    def check(self, node: Mapping, check: Check) -> Checked:
        named = node.get("reshuffle")
        assert isinstance(named, Scalar)
        deck = deck_named(named, check)
        if deck is None:
            return Checked(Action("", None, ()))
        more = check.value(node.get("adding"), cards_of(deck.table)) if "adding" in node else None
        if more is None and not deck.ordered:
            message = f"nobody knows the order of `{deck.id}`, so shuffling it changes nothing"
            hint = "give the deck `ordered: true`, or say which cards are shuffled in: `adding: …`"
            check.report(codes.STEP_SHAPE, message, named.span, hint)
        cards = everything_in(deck) if more is None else joined(everything_in(deck), more)
        rest, *known = deck.fields
        emptied = tuple((place_of(field, deck.table), no_cards(deck.table)) for field in known)
        return Checked(Action(deck.id, more, ((place_of(rest, deck.table), unordered(cards, deck.table)), *emptied)))

    def run(self, step: Step, run: Run) -> None:
        run_writes(step.action.writes, step, run)

    def changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower_writes(step.action.writes, lower)
