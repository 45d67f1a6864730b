"""`finish`: the game is over."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import Record, expression, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import PLAYER, ListOf
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The winning players. An empty list is a draw."""

    winners: Typed


class Finish(Statement):
    """Nothing is done after it."""

    name = "finish"
    also = ("win", "end", "game_over", "end_game", "winner", "winners")
    summary = "Ends the whole game and names the winners; an empty list is a draw."
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

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        what = node.get("finish")
        written = what.get("winners") if isinstance(what, Mapping) else what
        return CheckedStep(Action(check.check_value(written, ListOf(PLAYER))))

    def run(self, step: Step, run: Run) -> None:
        winners = run.compute(step.action.winners)
        run.record_event(step, "finished", winners)
        run.finish(winners)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower.finish(step.action.winners)
