"""`draw`: cards are drawn from a deck, or one of a list at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME, Scope
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.expressions.typed_ast import (
    BROKEN,
    Arithmetic,
    DeckCards,
    Logic,
    Typed,
)
from rulewright.language.operations import CardsLeft
from rulewright.language.schema_shapes import ByForm, Leaf, Record, expression, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.statements.deck_moves import (
    NamedDeck,
    Write,
    build_empty,
    build_is_empty,
    find_deck,
    join_cards,
    lower_writes,
    run_writes,
)
from rulewright.language.statements.several_results import SeveralResults, check_count, get_results, sort_elements
from rulewright.language.types import BOOLEAN, UNKNOWN, Integer, ListOf, Row, Type, present
from rulewright.language.visibility import check_viewers, describe_viewers_key
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The deck and the cards that stay out of it when it is refilled, or the list, and the viewers of the card.

    `left` are the cards that the next draw is from, if the deck has an owner.

    `count` is the number of cards, and `in_order` is true if their order matters. `table` has the cards. If `empty`
    is true, the deck is first refilled from the discarded cards: `refilled`.
    """

    deck: str
    source: Typed | None = None
    held: Typed | None = None
    count: Typed | None = None
    in_order: bool = False
    table: str = ""
    empty: Typed | None = None
    refilled: tuple[Write, ...] = ()
    viewers: Typed | None = None
    left: DeckCards | None = None

    @property
    def owner(self) -> Typed | None:
        """The object that has the deck, or None for a deck that all share."""
        return None if self.left is None else self.left.owner

    @property
    def is_refilled(self) -> bool:
        """Whether an empty deck is refilled. A deck with an owner needs discarded cards for that."""
        return bool(self.refilled) or self.left is None


class Draw(SeveralResults, Statement):
    """The statement pauses at a chance event over the remaining cards or the elements of a list.

    All are equally likely. A shuffled deck with an unknown order is equivalent to random draws from its remaining
    cards, so the state has only those cards. In an ordered deck, the known top cards come first, and the known bottom
    cards last. Several cards are drawn one by one.
    """

    name = "draw"
    also = ("deal",)
    summary = (
        "Draws a card at random from a deck, or an element of a list. An empty deck is refilled and shuffled first: "
        "with the cards in its `discard`, or else with all of its cards except those `held` elsewhere. A deck with an "
        "owner is refilled only from its `discard`. Drawing is an "
        "error if nothing is left. With `count`, the step draws that many; the result is a list in the order of their "
        "table or, with `in_order`, in the order in which they were drawn. Drawn elements stay in the list that they "
        "come from, until another step removes them."
    )
    example = "{id: card, draw: item_deck}"
    keys = {
        "draw": required(
            ByForm(
                "A deck, or a list.",
                scalar=Leaf("The deck, which may be one of an object: `player.pile`.", format="reference"),
                mapping=Record("A list.", members={"one_of": required(expression("The list."))}),
            )
        ),
        "count": optional(expression("The number of cards or elements to draw.")),
        "seen_by": describe_viewers_key("The players who see the drawn card"),
        "in_order": optional(Leaf("Whether the order of the cards matters.", format="flag", values=("true",))),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check a draw from a deck or a list. If the deck is unknown, this is reported, and the result is unknown."""
        named = node.get("draw")
        viewers = check_viewers(node.get("seen_by"), check.check_value, check.report)
        count, in_order = check_count(node, check, "write the number of cards to draw: `count: …`")
        if isinstance(named, Mapping):
            source = check.check_value(named.get("one_of"), ListOf(UNKNOWN))
            kind = source.type.inner if isinstance(source.type, ListOf) else UNKNOWN
            # Elements without an order, such as objects, stay in the order drawn.
            in_order = in_order or not isinstance(kind, Row | Integer)
            action = Action("", source, count=count, in_order=in_order, viewers=viewers)
            return CheckedStep(action, binds=kind if count is None else ListOf(kind), resumes=count is not None)
        assert isinstance(named, Scalar)
        named_deck = find_deck(named, check, _suggest_list(named, check))
        if named_deck is None:
            return CheckedStep(Action(""), binds=UNKNOWN)
        deck = named_deck.deck
        value = None
        if deck.held is not None:
            # The expression belongs to the deck, so it must not see the local names of the step.
            scope = Scope(check.declarations)
            value = check_expression(deck.held, scope, check.diagnostics, expected=ListOf(Row(deck.table)))
        empty, refilled = _lower_refill(named_deck)
        left = named_deck.list_left() if deck.is_owned else None
        binds: Type = Row(deck.table) if count is None else ListOf(Row(deck.table))
        action = Action(deck.id, None, value, count, in_order, deck.table, empty, refilled, viewers, left)
        return CheckedStep(action, binds=binds, resumes=count is not None)

    def take(self, step: Step, run: Run, value: Any) -> None:
        """Remove the drawn card from its deck, record it and keep it as a result."""
        action: Action = step.action
        if action.left is not None:
            run.draw(action.deck, value, run.compute(action.left), run.compute(action.left.owner or BROKEN))
        elif action.source is None:
            run.draw(action.deck, value, run.list_deck(action.deck, _find_held_back(step)), GAME)
        run.record_event(step, "drawn", value, viewers=action.viewers)
        self.keep(step, run, value)

    def stop(self, step: Step, run: Run) -> None:
        """Refill an empty deck from its discard pile, and pause for a draw.

        If nothing is left to draw, it is a fault.
        """
        action: Action = step.action
        if action.empty is not None and run.compute(action.empty):
            run_writes(action.refilled, step, run)
        if action.left is not None:
            run.stop_at_chance(run.compute(action.left))
        elif action.source is None:
            run.stop_at_chance(run.list_deck(action.deck, _find_held_back(step)))
        else:
            run.stop_at_chance(run.compute(_find_rest(step)))

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower_one(self, step: Step, lower: Lower) -> Typed:
        """Lower one draw, and return the element. It is a fault if nothing is left to draw."""
        # An empty deck is refilled first if it has a discard pile. It is a fault if there is still nothing to draw.
        action: Action = step.action
        kind = present(step.binds) if step.binds is not None else UNKNOWN
        if action.count is not None and isinstance(kind, ListOf):
            kind = kind.inner
        if action.empty is not None:
            lower.branch(action.empty, lambda: lower_writes(action.refilled, lower))
        value = _find_held_back(step) if action.left is None else None
        shared = CardsLeft(ListOf(kind), action.deck, value) if action.source is None else None
        deck = action.left or shared
        among: Typed = deck or _find_rest(step)
        if value is not None or action.refilled or action.left is not None:
            among = lower.keep(among)  # the deck may be empty
        return lower.draw(among, kind, deck, viewers=action.viewers)


def _suggest_list(named: Scalar, check: Check) -> str | None:
    """Return a hint for a list that stands where a deck belongs, or None for anything else."""
    if named.text in check.declarations.decks:
        return None
    kind = check_expression(named, check.scope, Diagnostics()).type
    return f"to draw from a list, write `draw: {{one_of: {named.text}}}`" if isinstance(kind, ListOf) else None


def _lower_refill(named_deck: NamedDeck) -> tuple[Typed | None, tuple[Write, ...]]:
    """Return the condition under which a deck is refilled from the discarded cards, and the writes that do it.

    None and no writes if the deck has no discard pile.
    """
    deck = named_deck.deck
    if not deck.discard:
        return None, ()
    discarded = named_deck.read(deck.discard)
    empty = tuple(build_is_empty(named_deck.read(field)) for field in deck.fields)
    writes = (
        (named_deck.place(deck.fields[0]), sort_elements(discarded)),
        (named_deck.place(deck.discard), build_empty(discarded)),
        *named_deck.note_seen(discarded),
    )
    return empty[0] if len(empty) == 1 else Logic(BOOLEAN, "and", empty), writes


def _find_rest(step: Step) -> Typed:
    """Return the elements of the step's list without those drawn before."""
    source: Typed = step.action.source or BROKEN
    drawn = get_results(step)
    return source if drawn is None else Arithmetic(source.type, "-", source, drawn)


def _find_held_back(step: Step) -> Typed | None:
    """Return the cards that stay out of a deck that is made whole again, or None if there are none.

    If several are drawn, those drawn before stay out as well.
    """
    action: Action = step.action
    drawn = get_results(step)
    if drawn is None or action.refilled:
        return action.held
    return drawn if action.held is None else join_cards(action.held, drawn)
