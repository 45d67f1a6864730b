"""`draw`: a card is drawn from a deck, or one of a list at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rulewright.language import codes
from rulewright.language.expression.check import check_expression
from rulewright.language.expression.typed import Typed
from rulewright.language.hosts import Check, Run, Tell, Write
from rulewright.language.scope import Scope
from rulewright.language.shape import ByForm, Leaf, Record, expression, required
from rulewright.language.step import Step, Stop
from rulewright.language.types import UNKNOWN, ListOf, Row
from rulewright.language.verb import Checked, Fact, Verb
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.suggest import did_you_mean


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The deck and the cards that stay out of it when it is made whole again, or the list."""

    deck: str
    source: Typed | None = None
    held: Typed | None = None


def without(cards: Sequence[str], held: Sequence[str]) -> tuple[str, ...]:
    """The cards that are left when those held elsewhere are taken out, one copy for each that is held."""
    taken = Counter(held)
    left = []
    for card in cards:
        if taken[card]:
            taken[card] -= 1
        else:
            left.append(card)
    return tuple(left)


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
        )
    }
    stops: ClassVar[Stop] = "chance"

    def check(self, node: Mapping, check: Check) -> Checked:
        named = node.get("draw")
        if isinstance(named, Mapping):
            source = check.value(named.get("one_of"), ListOf(UNKNOWN))
            return Checked(Action("", source), binds=source.type.inner if isinstance(source.type, ListOf) else UNKNOWN)
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
        return Checked(Action(deck.id, held=held), binds=Row(deck.table))

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        among = run.deck(action.deck, action.held) if action.source is None else run.value(action.source)
        if not among:
            run.fault(step, "there is nothing to draw from")
        run.chance(among)

    def take(self, step: Step, run: Run, value: Any) -> None:
        if step.action.source is None:
            run.draw(step.action.deck, value, step.action.held)
        run.event(step, value)
        run.bind(step.slot or 0, value)

    def emit(self, step: Step, write: Write) -> None:
        action: Action = step.action
        if action.source is None and action.held is None:
            write.chance(step, write.deck(action.deck, None))
            return
        among = write.fresh()
        cards = write.deck(action.deck, action.held) if action.source is None else write.value(action.source)
        write.line(f"{among} = {cards}")
        write.line(f"if not {among}:")
        write.indent()
        write.fault(step, "there is nothing to draw from")
        write.dedent()
        write.chance(step, among)

    def emit_take(self, step: Step, write: Write, value: str) -> None:
        if step.action.source is None:
            write.draw(step.action.deck, value, step.action.held)
        write.event(step, value)
        write.line(f"{write.slot(step.slot or 0)} = {value}")

    def facts(self, step: Step, details: tuple[Any, ...], tell: Tell) -> tuple[Fact, ...]:
        assert step.binds is not None
        return (("card", details[0], step.binds),)

    def tell(self, step: Step, details: tuple[Any, ...], tell: Tell) -> str:
        assert step.binds is not None
        return f"{tell.value(details[0], step.binds)} is drawn."
