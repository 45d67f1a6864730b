"""`if`: one of two blocks of steps is carried out."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.checked_steps import Step
from rulewright.language.expressions.narrowing import derive_facts
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import Steps, expression, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The question."""

    condition: Typed


class If(Statement):
    """The first block is `then`, the second, which may be missing, `else`."""

    name = "if"
    also = ("else_if", "elif", "branch")
    summary = "Runs the steps of `then` if the condition is true, and those of `else` if it is false."
    example = "{id: clash, if: attack > defence, then: […], else: […]}"
    keys = {
        "if": required(expression("The condition.")),
        "then": required(Steps("The steps to run if it is true.")),
        "else": optional(Steps("The steps to run if it is false.")),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check the condition and both blocks.

        Afterwards, the scope has only facts that are true after each of them.
        """
        condition = check.check_condition(node.get("if"))
        before = check.scope
        blocks = [check.block(node.get("then"), before.with_facts(derive_facts(condition, check.declarations)))]
        if "else" in node:
            after_then, check.scope = check.scope, before
            blocks.append(
                check.block(
                    node.get("else"), before.with_facts(derive_facts(condition, check.declarations, holds=False))
                )
            )
            check.scope = check.scope.intersect(after_then)
        return CheckedStep(Action(condition), blocks=tuple(blocks))

    def run(self, step: Step, run: Run) -> None:
        if run.compute(step.action.condition):
            run.enter(step.blocks[0])
        elif len(step.blocks) > 1:
            run.enter(step.blocks[1])

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        then, *otherwise = step.blocks

        def instead() -> None:
            for block in otherwise:
                lower.block(block)

        lower.branch(step.action.condition, lambda: lower.block(then), instead)
