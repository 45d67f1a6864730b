"""`if`: one of two blocks of steps is carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language.expression.facts import facts
from rulewright.language.expression.typed import Typed
from rulewright.language.hosts import Check, Run, Write
from rulewright.language.shape import Steps, expression, optional, required
from rulewright.language.step import Block, Step
from rulewright.language.verb import Checked, Verb
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The question."""

    condition: Typed


class If(Verb):
    """The first block is `then`, the second, which may be missing, `else`."""

    name = "if"
    summary = "Carries out the steps of `then` where the condition holds, and those of `else` where it does not."
    example = "{id: clash, if: attack > defence, then: […], else: […]}"
    keys = {
        "if": required(expression("The condition.")),
        "then": required(Steps("What is done where it holds.")),
        "else": optional(Steps("What is done where it does not.")),
    }

    def check(self, node: Mapping, check: Check) -> Checked:
        condition = check.condition(node.get("if"))
        before = check.scope
        blocks = [check.block(node.get("then"), before.knowing(facts(condition)))]
        if "else" in node:
            after_then, check.scope = check.scope, before
            blocks.append(check.block(node.get("else"), before.knowing(facts(condition, holds=False))))
            check.scope = check.scope.agreeing(after_then)
        return Checked(Action(condition), blocks=tuple(blocks))

    def run(self, step: Step, run: Run) -> None:
        if run.value(step.action.condition):
            run.enter(step.blocks[0])
        elif len(step.blocks) > 1:
            run.enter(step.blocks[1])

    def emit(self, step: Step, write: Write) -> None:
        write.line(f"if {write.value(step.action.condition)}:")
        write.indent()
        write.block(step.blocks[0])
        write.dedent()
        if len(step.blocks) > 1:
            write.line("else:")
            write.indent()
            write.block(step.blocks[1])
            write.dedent()

    def emit_cut(self, step: Step, write: Write, follow: Any) -> None:
        write.line(f"if {write.value(step.action.condition)}:")
        write.indent()
        write.sequence(step.blocks[0], follow)
        write.dedent()
        write.sequence(step.blocks[1] if len(step.blocks) > 1 else Block(()), follow)
