"""`repeat`: steps are carried out again and again, with a bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language import codes
from rulewright.language.expression.facts import facts
from rulewright.language.expression.typed import Constant, Not, Typed
from rulewright.language.hosts import Check, Run, Write
from rulewright.language.shape import Record, Steps, expression, optional, required
from rulewright.language.step import Step
from rulewright.language.types import BOOLEAN, INTEGER
from rulewright.language.verb import Checked, Verb
from rulewright.source.nodes import Mapping

MOST_ROUNDS = 1_000_000
"""Rounds that a loop may be bounded by."""


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The condition on which another round is made (none: always), and the most rounds there may be."""

    going: Typed | None
    at_most: Typed | None


class Repeat(Verb):
    """The hidden slot counts the rounds begun; without a bound it only says that the loop is running."""

    name = "repeat"
    summary = "Carries out steps again and again, `while` or `until` a condition holds, `at_most` so many times."
    example = "{id: rounds, repeat: {until: none(foes), at_most: 60, steps: […]}}"
    keys = {
        "repeat": required(
            Record(
                "The condition, asked before every round, the bound, and the steps of a round.",
                members={
                    "while": optional(expression("Another round only while this holds.")),
                    "until": optional(expression("No further round once this holds.")),
                    "at_most": optional(
                        expression("The most rounds; may be left out where every round asks a player.")
                    ),
                    "steps": required(Steps("The steps of a round.")),
                },
            )
        )
    }

    def check(self, node: Mapping, check: Check) -> Checked:
        what = node.get("repeat")
        assert isinstance(what, Mapping)
        if "while" in what and "until" in what:
            check.report(codes.STEP_SHAPE, "a loop has `while` or `until`, not both", what.key_span("until"))
        at_most = check.value(what.get("at_most"), INTEGER) if "at_most" in what else None
        steps = what.get("steps")
        if isinstance(at_most, Constant) and isinstance(at_most.value, int) and at_most.value > MOST_ROUNDS:
            message = f"{at_most.value:,} rounds are as good as no end; {MOST_ROUNDS:,} are allowed"
            check.report(codes.ENDLESS_LOOP, message, what.entries["at_most"].value.span)
        outer = check.scope
        check.scope = check.loop_scope(steps, outer)
        going: Typed | None = None
        if "while" in what:
            going = check.condition(what.get("while"))
        elif "until" in what:
            going = Not(BOOLEAN, check.condition(what.get("until")))
        inner = check.scope.knowing(facts(going)) if going is not None else check.scope
        check.scope = outer
        block = check.block(steps, inner)
        if at_most is None and not check.surely_asks(block):
            message = "nothing bounds this loop: it has no `at_most`, and not every round asks a player"
            check.report(codes.ENDLESS_LOOP, message, node.key_span("repeat"), "add `at_most: N`")
        return Checked(Action(going, at_most), blocks=(block,), loops=True)

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        hidden = step.hidden or 0
        begun = run.read(hidden) or 0
        bounded = action.at_most is not None
        if (action.at_most is not None and begun >= run.value(action.at_most)) or (
            action.going is not None and not run.value(action.going)
        ):
            run.bind(hidden, None)
            return
        run.bind(hidden, begun + 1 if bounded else 1)
        run.enter(step.blocks[0])

    def emit(self, step: Step, write: Write) -> None:
        action: Action = step.action
        count = write.fresh()
        write.line(f"{count} = 0")
        write.line("while True:")
        write.indent()
        for condition in _ending(action, write, count):
            write.line(f"if {condition}: break")
        write.line(f"{count} += 1")
        write.block(step.blocks[0])
        write.dedent()

    def emit_cut(self, step: Step, write: Write, follow: Any) -> None:
        action: Action = step.action
        hidden = write.slot(step.hidden or 0)
        if action.at_most is not None:
            write.line(f"{hidden} = 0")
        head = write.loop()
        for condition in _ending(action, head, hidden):
            head.line(f"if {condition}:")
            head.indent()
            head.line(f"{hidden} = None")
            head.jump(follow)
            head.dedent()
        head.line(f"{hidden} += 1" if action.at_most is not None else f"{hidden} = 1")
        head.sequence(step.blocks[0], head.label)


def _ending(action: Action, write: Write, count: str) -> list[str]:
    """The codes that, if true, end the loop, in the order they are asked."""
    ending = []
    if action.at_most is not None:
        ending.append(f"{count} >= {write.value(action.at_most)}")
    if action.going is not None:
        ending.append(f"not ({write.value(action.going)})")
    return ending
