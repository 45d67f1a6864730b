"""`steps`: steps that belong together, under one condition."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.checked_steps import Step
from rulewright.language.schema_shapes import Steps, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Nothing of its own: the steps are the block."""


class Group(Statement):
    """A block of steps, usually with `when`."""

    name = "steps"
    summary = "Groups steps, usually under one `when`."
    example = "{id: storm, when: weather == stormy, steps: […]}"
    keys = {"steps": required(Steps("The steps."))}
    action = Action
    role = "group"

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        return CheckedStep(Action(), blocks=(check.block(node.get("steps")),))

    def run(self, step: Step, run: Run) -> None:
        run.enter(step.blocks[0])

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower(self, step: Step, lower: Lower) -> None:
        lower.block(step.blocks[0])
