"""`for_each`: steps are carried out for each of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language import codes
from rulewright.language.expression.typed import Typed
from rulewright.language.hosts import Check, Run, Write
from rulewright.language.shape import Leaf, Steps, expression, required
from rulewright.language.step import Step
from rulewright.language.types import UNKNOWN, ListOf, Thing
from rulewright.language.verb import Checked, Verb
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The list, the slot of the loop's own name, and whether it goes over objects."""

    source: Typed
    slot: int
    name: str
    things: bool


class ForEach(Verb):
    """The list is read once, at the start; an object removed meanwhile is passed over.

    Where a round may stop the game, the hidden slot holds what is still to come.
    """

    name = "for_each"
    summary = "Carries out steps for each of a list, in order, under a name of the loop's own."
    example = "{id: heal, for_each: unit, in: units, steps: […]}"
    keys = {
        "for_each": required(Leaf("The name by which the steps call the one whose turn it is.", format="id")),
        "in": required(expression("The list.")),
        "steps": required(Steps("What is done for each.")),
    }

    def check(self, node: Mapping, check: Check) -> Checked:
        source = check.value(node.get("in"), ListOf(UNKNOWN))
        named = node.get("for_each")
        assert isinstance(named, Scalar)
        inner = source.type.inner if isinstance(source.type, ListOf) else UNKNOWN
        if not named.text.isidentifier():
            check.report(codes.STEP_SHAPE, f"`{named.text}` is not a name", named.span)
        slot, scope = check.variable(named.text, inner, named.span)
        steps = node.get("steps")
        block = check.block(steps, check.loop_scope(steps, scope))
        return Checked(Action(source, slot, named.text, isinstance(inner, Thing)), blocks=(block,), loops=True)

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        rest = run.read(step.hidden or 0)
        if rest is None:
            rest = run.value(action.source)
            run.begin_rounds(step, len(rest))
        while rest and action.things and not run.alive(rest[0]):
            rest = rest[1:]
        if rest:
            run.bind(action.slot, rest[0])
            run.bind(step.hidden or 0, rest[1:])
            run.enter(step.blocks[0])
        else:
            run.bind(step.hidden or 0, None)

    def emit(self, step: Step, write: Write) -> None:
        action: Action = step.action
        item, rounds = write.fresh(), write.fresh()
        write.line(f"{rounds} = {write.value(action.source)}")
        write.begin_rounds(step, f"len({rounds})")
        write.line(f"for {item} in {rounds}:")
        write.indent()
        if action.things:
            write.line(f"if o[{item}] is None: continue")
        write.line(f"{write.slot(action.slot)} = {item}")
        write.block(step.blocks[0])
        write.dedent()

    def emit_cut(self, step: Step, write: Write, follow: Any) -> None:
        action: Action = step.action
        rest = write.slot(step.hidden or 0)
        write.line(f"{rest} = {write.value(action.source)}")
        write.begin_rounds(step, f"len({rest})")
        head = write.loop()
        name = head.fresh()
        head.line(f"{name} = {rest}")
        if action.things:
            head.line(f"while {name} and o[{name}[0]] is None: {name} = {name}[1:]")
        head.line(f"if not {name}:")
        head.indent()
        head.line(f"{rest} = None")
        head.jump(follow)
        head.dedent()
        head.line(f"{head.slot(action.slot)} = {name}[0]")
        head.line(f"{rest} = {name}[1:]")
        head.sequence(step.blocks[0], head.label)
