"""`finish`: the game is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from rulewright.language.expression.typed import Typed
from rulewright.language.hosts import Check, Run, Tell, Write
from rulewright.language.shape import Record, expression, required
from rulewright.language.step import Step, Stop
from rulewright.language.types import PLAYER, ListOf
from rulewright.language.verb import Checked, Fact, Verb
from rulewright.language.weight import Weight
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The players who have won; none of them is a draw."""

    winners: Typed


class Finish(Verb):
    """Nothing is done after it."""

    name = "finish"
    summary = "Ends the whole game and says who has won; an empty list is a draw."
    example = "{id: victory, finish: {winners: [player]}}"
    keys = {
        "finish": required(
            Record(
                "How the game ends.",
                members={"winners": required(expression("The list of players who have won."))},
                short="winners",
            )
        )
    }
    stops: ClassVar[Stop] = "end"

    def check(self, node: Mapping, check: Check) -> Checked:
        what = node.get("finish")
        written = what.get("winners") if isinstance(what, Mapping) else what
        return Checked(Action(check.value(written, ListOf(PLAYER))))

    def run(self, step: Step, run: Run) -> None:
        winners = run.value(step.action.winners)
        run.event(step, winners)
        run.finish(winners)

    def emit(self, step: Step, write: Write) -> None:
        name = write.fresh()
        write.line(f"{name} = {write.value(step.action.winners)}")
        write.event(step, name)
        write.finish(name)

    def facts(self, step: Step, details: tuple[Any, ...], tell: Tell) -> tuple[Fact, ...]:
        return (("winners", details[0], ListOf(PLAYER)),)

    def weight(self, step: Step, details: tuple[Any, ...]) -> Weight:
        return Weight.MAJOR

    def tell(self, step: Step, details: tuple[Any, ...], tell: Tell) -> str:
        winners = details[0]
        if not winners:
            return "The game is over, and nobody has won."
        names = " and ".join(tell.player(winner) for winner in winners)
        return f"The game is over: {names} {'wins' if len(winners) == 1 else 'win'}."
