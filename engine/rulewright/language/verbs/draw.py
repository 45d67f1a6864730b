"""`draw`: a card is drawn from a deck, or one of a list at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language import codes
from rulewright.language.declarations import Scope
from rulewright.language.expression.check import check_expression
from rulewright.language.expression.typed import BROKEN, Aggregate, Comparison, Constant, Typed, Variable
from rulewright.language.operations import CardsLeft
from rulewright.language.seers import seen_by, seers
from rulewright.language.shape import ByForm, Leaf, Record, expression, required
from rulewright.language.step import Step
from rulewright.language.types import BOOLEAN, INTEGER, UNKNOWN, ListOf, Row, present
from rulewright.language.verb import NOTHING, Changes, Check, Checked, Lower, Run, Verb
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The deck and the cards that stay out of it when it is made whole again, or the list; who sees what is drawn."""

    deck: str
    source: Typed | None = None
    held: Typed | None = None
    seen: Typed | None = None


NOTHING_LEFT = "there is nothing to draw from"


class Draw(Verb):
    """Stops at a chance over the cards left, or over a list, each element as likely as the others.

    A shuffled deck whose order nobody has seen is the same as drawing at random from what is left in it,
    so the state holds the cards that remain and no order.
    """

    name = "draw"
    summary = (
        "Draws a card at random from a deck (an empty deck is first made whole again and shuffled, without the cards "
        "that are `held` elsewhere), or one of a list at random; to draw where nothing is left is a fault of the rules."
    )
    example = "{id: card, draw: item_deck}"
    keys = {
        "draw": required(
            ByForm(
                "A deck, or a list.",
                scalar=Leaf("The deck.", format="reference"),
                mapping=Record("A list.", members={"one_of": required(expression("The list."))}),
            )
        ),
        "seen_by": seen_by("Who sees what is drawn"),
    }

    def check(self, node: Mapping, check: Check) -> Checked:
        named = node.get("draw")
        seen = seers(node.get("seen_by"), check.value, check.report)
        if isinstance(named, Mapping):
            source = check.value(named.get("one_of"), ListOf(UNKNOWN))
            return Checked(
                Action("", source, seen=seen), binds=source.type.inner if isinstance(source.type, ListOf) else UNKNOWN
            )
        assert isinstance(named, Scalar)
        deck = check.declarations.decks.get(named.text)
        if deck is None:
            hint = did_you_mean(named.text, check.declarations.decks)
            check.report(codes.UNKNOWN_NAME, f"there is no deck `{named.text}`", named.span, hint)
            return Checked(Action(""), binds=UNKNOWN)
        held = None
        if deck.held is not None:
            # What it names is the same wherever a card is drawn, so no local name of the step may get in its way.
            scope = Scope(check.declarations)
            held = check_expression(deck.held, scope, check.diagnostics, expected=ListOf(Row(deck.table)))
        return Checked(Action(deck.id, held=held, seen=seen), binds=Row(deck.table))

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        among = run.deck(action.deck, action.held) if action.source is None else run.value(action.source)
        if not among:
            run.fault(step, NOTHING_LEFT)
        run.chance(among)

    def take(self, step: Step, run: Run, value: Any) -> None:
        if step.action.source is None:
            run.draw(step.action.deck, value, step.action.held)
        run.event(step, "drawn", value, seen=step.action.seen)
        run.bind(step.slot or 0, value)

    def changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        kind = present(step.binds) if step.binds is not None else UNKNOWN
        deck = CardsLeft(ListOf(kind), action.deck, action.held) if action.source is None else None
        among: Typed = deck or action.source or BROKEN
        if deck is None or deck.held is not None:
            among = lower.keep(among)
            how_many = Aggregate(INTEGER, "count", Variable(kind, "card"), "card", among, None, None)
            nothing = Comparison(BOOLEAN, "==", how_many, Constant(INTEGER, 0))
            lower.branch(nothing, lambda: lower.fault(NOTHING_LEFT))
        lower.bind(lower.draw(among, kind, deck, seen=action.seen))
