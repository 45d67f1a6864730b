"""`finish`: the game is over."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import Record, expression, required
from rulewright.language.statement import NOTHING, Changes, Check, Checked, Lower, Run, Verb
from rulewright.language.types import PLAYER, ListOf
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

    def check(self, node: Mapping, check: Check) -> Checked:
        what = node.get("finish")
        written = what.get("winners") if isinstance(what, Mapping) else what
        return Checked(Action(check.value(written, ListOf(PLAYER))))

    def run(self, step: Step, run: Run) -> None:
        winners = run.value(step.action.winners)
        run.event(step, "finished", winners)
        run.finish(winners)

    def changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower.finish(step.action.winners)
