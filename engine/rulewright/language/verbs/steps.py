"""`steps`: steps that belong together, under one condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language.hosts import Check, Run, Write
from rulewright.language.shape import Steps, required
from rulewright.language.step import Step
from rulewright.language.verb import Checked, Verb
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Nothing of its own: the steps are the block."""


class Group(Verb):
    """A block of steps, usually with `when`."""

    name = "steps"
    summary = "Groups steps, usually under one `when`."
    example = "{id: storm, when: weather == stormy, steps: […]}"
    keys = {"steps": required(Steps("The steps."))}
    action = Action

    def check(self, node: Mapping, check: Check) -> Checked:
        return Checked(Action(), blocks=(check.block(node.get("steps")),))

    def run(self, step: Step, run: Run) -> None:
        run.enter(step.blocks[0])

    def emit(self, step: Step, write: Write) -> None:
        write.block(step.blocks[0])

    def emit_cut(self, step: Step, write: Write, follow: Any) -> None:
        write.sequence(step.blocks[0], follow)
