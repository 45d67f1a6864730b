"""The section `decks:`, decks of cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import (
    Leaf,
    ListOf,
    Record,
    expression,
    optional,
    required,
    words,
)
from rulewright.ruleset.section import RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


DECK = Record(
    "A deck of cards.",
    members={
        "title": optional(words("The title for readers.")),
        "of": required(Leaf("The table whose rows are its cards.", format="reference")),
        "copies": optional(Leaf("The column with the number of copies of each card (default: one).", format="id")),
        "each": optional(
            Leaf(
                "The kind of object of which each has a deck of its own, such as `player` (default: one deck for all).",
                format="reference",
            )
        ),
        "filled_by_rules": optional(
            Leaf(
                "Whether each deck begins empty, and steps of the setup put cards into it. Only with `each`.",
                format="flag",
                values=("true",),
            )
        ),
        "shows_rolls": optional(
            ListOf(
                "The tables of which every card shows a row, for rolls on these tables.",
                inner=Leaf("A table.", format="reference"),
            ),
            "states",
        ),
        "marker_spots": optional(
            Leaf("The table whose rows are the positions for a marker on the edge of a card.", format="reference"),
            "places",
        ),
        "ordered": optional(
            Leaf(
                "Whether cards may be put on top or at the bottom, where they stay until the deck is shuffled.",
                format="flag",
                values=("true",),
            )
        ),
        "discard": optional(
            Leaf(
                "The value of the game with the list of cards that refills an empty deck. With `each`, a field of the "
                "kind.",
                format="reference",
            )
        ),
        "held": optional(
            expression("The cards in use elsewhere: a list of cards that are left out when an empty deck is refilled.")
        ),
    },
    short="of",
)


def _fill(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.kind_declarations import fill_decks

    fill_decks(work.rules, work.declarations, work.diagnostics)


DECKS = RulesSection(
    key="decks",
    place=80,
    doc="Decks that players draw cards from, with their discard piles.",
    entry=DECK,
    one="deck",
    gameplay=True,
    ranked=True,
    of_every_game=True,
    fill=_fill,
    title="Decks",
    heading="title",
    labels={"title": "Title"},
    guide="design/cards.md",
    anchor="deck-",
    indexed=True,
    linked=True,
    wordy=False,
    report=70,
    weight=(12, 24),
)
