"""`sample_stake`: a player names a number in secret or passes, and rolls against it."""

from __future__ import annotations

from typing import Any

from rulewright.language import types
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.evaluator import as_roll
from rulewright.language.expressions.typed_ast import Comparison, Constant, Local, Present
from rulewright.language.operations import OrNone, Range, list_numbers
from rulewright.language.schema_shapes import Steps, expression, required
from rulewright.language.statement import Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import BOOLEAN, DICE, INTEGER, PLAYER, ListOf, make_optional
from rulewright.language.visibility import check_viewers, describe_viewers_key
from rulewright.source.nodes import Mapping

MAYBE = make_optional(INTEGER)


class Stake(Statement):
    """Its action is the player, the roll, the viewers, and the slot of the answer. Its result is the roll or none."""

    name = "sample_stake"
    summary = "A player names a number from 1 to 6 or passes, and then rolls at least this number or not."
    example = "{id: bet, sample_stake: player, on: 1d6, reached: []}"
    none = "Pass"
    keys = {
        "sample_stake": required(expression("The player.")),
        "on": required(expression("The roll.")),
        "reached": required(Steps("The steps to run if the roll is high enough.")),
        "seen_by": describe_viewers_key("Who sees the number"),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        who, dice = check.check_value(node.get("sample_stake"), PLAYER), check.check_value(node.get("on"), DICE)
        viewers = check_viewers(node.get("seen_by"), check.check_value, check.report)
        action = who, dice, viewers, check.add_slot("number", MAYBE)
        before = check.scope
        block = check.block(node.get("reached"), before)
        check.scope = before.intersect(check.scope)
        return CheckedStep(action, binds=MAYBE, blocks=(block,), resumes=True)

    def run(self, step: Step, run: Run) -> None:
        who, dice, _, number = step.action
        if run.read(step.hidden or 0) is not None:
            run.stop_at_chance(as_roll(run.compute(dice)))
            return
        run.bind(number, None)
        run.bind(step.slot or 0, None)
        run.ask(run.compute(who), (*list_numbers(1, 6), None), step)

    def take(self, step: Step, run: Run, value: Any) -> None:
        _, _, viewers, number = step.action
        if run.read(step.hidden or 0) is None:
            run.record_event(step, "asked", run.get_answer(), value, viewers=viewers)
            run.bind(number, value)
            if value is not None:
                run.bind(step.hidden or 0, 1)
                self.run(step, run)
            return
        run.record_event(step, "rolled", run.get_outcome(), value)
        run.bind(step.slot or 0, value)
        run.bind(step.hidden or 0, None)
        if value >= run.read(number):
            run.enter(step.blocks[0])

    def lower(self, step: Step, lower: Lower) -> None:
        who, dice, viewers, number = step.action
        lower.bind(Constant(types.NOTHING, None), slot=number)
        lower.bind(Constant(types.NOTHING, None))
        options = OrNone(ListOf(MAYBE), Range(ListOf(INTEGER), Constant(INTEGER, 1), Constant(INTEGER, 6)))
        lower.bind(lower.ask(who, options, MAYBE, viewers=viewers), slot=number)
        named, rolled = (Present(BOOLEAN, Local(MAYBE, slot, "")) for slot in (number, step.slot or 0))
        lower.branch(named, lambda: lower.bind(lower.roll(dice)))
        lower.finish_stops()
        high = Comparison(BOOLEAN, ">=", Local(INTEGER, step.slot or 0, ""), Local(INTEGER, number, ""))
        lower.branch(rolled, lambda: lower.branch(high, lambda: lower.block(step.blocks[0])))
