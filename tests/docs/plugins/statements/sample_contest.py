"""`sample_contest`: two players roll, and steps are carried out for the one who rolls higher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language.checked_steps import Step
from rulewright.language.expressions.evaluator import as_roll
from rulewright.language.expressions.typed_ast import Comparison, If, Local, Typed
from rulewright.language.schema_shapes import Leaf, Steps, expression, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import BOOLEAN, DICE, INTEGER, PLAYER
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The roll, the two players, and the slot and the name of the one who wins."""

    dice: Typed
    first: Typed
    second: Typed
    slot: int
    name: str


class Contest(Statement):
    """Stops twice, the second time with 1 in the hidden slot. If both are equal, no steps run."""

    name = "sample_contest"
    summary = "Two players roll the same dice, and steps run for the one who rolls higher."
    example = "{id: lots, sample_contest: 1d6, first: player, second: other, as: winner, steps: […]}"
    keys = {
        "sample_contest": required(expression("The roll.")),
        "first": required(expression("Who rolls first.")),
        "second": required(expression("Who rolls next.")),
        "as": required(Leaf("The name of the winner in the steps.", format="id")),
        "steps": required(Steps("The steps to run for the winner.")),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        dice = check.check_value(node.get("sample_contest"), DICE)
        first, second = (check.check_value(node.get(key), PLAYER) for key in ("first", "second"))
        called = node.get("as")
        assert isinstance(called, Scalar)
        slot, scope = check.add_variable(called.text, PLAYER, called.span)
        block = check.block(node.get("steps"), scope)
        action = Action(dice, first, second, slot, called.text)
        return CheckedStep(action, parts={"one": INTEGER, "two": INTEGER}, blocks=(block,), resumes=True)

    def run(self, step: Step, run: Run) -> None:
        run.stop_at_chance(as_roll(run.compute(step.action.dice)))

    def take(self, step: Step, run: Run, value: Any) -> None:
        action: Action = step.action
        run.record_event(step, "rolled", run.get_outcome(), value)
        if run.read(step.hidden or 0) is None:
            run.bind(step.slots[0], value)
            run.bind(step.hidden or 0, 1)
            run.stop_at_chance(as_roll(run.compute(action.dice)))
            return
        run.bind(step.slots[1], value)
        run.bind(step.hidden or 0, None)
        one, two = (run.read(slot) for slot in step.slots)
        if one != two:
            run.bind(action.slot, run.compute(action.first if one > two else action.second))
            run.enter(step.blocks[0])

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        lower.bind(lower.roll(action.dice), slot=step.slots[0])
        lower.bind(lower.roll(action.dice), slot=step.slots[1])
        lower.finish_stops()
        one, two = (Local(INTEGER, slot, step.id) for slot in step.slots)

        def win() -> None:
            more = Comparison(BOOLEAN, ">", one, two)
            lower.bind(If(PLAYER, more, action.first, action.second), slot=action.slot)
            lower.block(step.blocks[0])

        lower.branch(Comparison(BOOLEAN, "!=", one, two), win)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING
