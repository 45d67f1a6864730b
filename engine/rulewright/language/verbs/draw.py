"""`draw`: a card is drawn from a deck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from rulewright.language import codes
from rulewright.language.hosts import Check, Run, Tell, Write
from rulewright.language.shape import Leaf, required
from rulewright.language.step import Step
from rulewright.language.types import UNKNOWN, Row
from rulewright.language.verb import Checked, Stop, Verb
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.suggest import did_you_mean


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The deck."""

    deck: str


class Draw(Verb):
    """Stops at a chance over the cards left.

    A shuffled deck whose order nobody has seen is the same as drawing at random from what is left in it,
    so the state holds the cards that remain and no order.
    """

    name = "draw"
    summary = "Draws a card at random from a deck; an empty deck is first made whole again and shuffled."
    example = "{id: card, draw: item_deck}"
    keys = {"draw": required(Leaf("The deck.", format="reference"))}
    stops: ClassVar[Stop] = "chance"

    def check(self, node: Mapping, check: Check) -> Checked:
        named = node.get("draw")
        assert isinstance(named, Scalar)
        deck = check.declarations.decks.get(named.text)
        if deck is None:
            hint = did_you_mean(named.text, check.declarations.decks)
            check.report(codes.UNKNOWN_NAME, f"there is no deck `{named.text}`", named.span, hint)
            return Checked(Action(""), binds=UNKNOWN)
        return Checked(Action(deck.id), binds=Row(deck.table))

    def run(self, step: Step, run: Run) -> None:
        run.chance(run.deck(step.action.deck))

    def take(self, step: Step, run: Run, value: Any) -> None:
        run.draw(step.action.deck, value)
        run.event(step, value)
        run.bind(step.slot or 0, value)

    def emit(self, step: Step, write: Write) -> None:
        write.chance(step, write.deck(step.action.deck))

    def emit_take(self, step: Step, write: Write, value: str) -> None:
        write.draw(step.action.deck, value)
        write.event(step, value)
        write.line(f"{write.slot(step.slot or 0)} = {value}")

    def tell(self, step: Step, details: tuple[Any, ...], tell: Tell) -> str:
        assert step.binds is not None
        return f"{tell.value(details[0], step.binds)} is drawn."
