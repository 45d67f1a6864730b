"""`sample_invite`: players are asked one after another until one accepts, and steps are carried out for that one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Comparison, Constant, Local, Logic, Not, Present, Typed
from rulewright.language.operations import Offer, Offered
from rulewright.language.schema_shapes import Leaf, Steps, expression, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import BOOLEAN, PLAYER, Choice, ListOf, make_optional
from rulewright.language.types import NOTHING as NONE
from rulewright.source.nodes import Mapping, Scalar

ANSWERS = Choice(("accept", "decline"))


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The players who are asked, the slot and the name of the one who is, whether they may be, and the two answers."""

    source: Typed
    slot: int
    name: str
    able: Typed | None
    offers: tuple[Offer, ...]


class Invite(Statement):
    """The list is read once. The result is the player who accepted, or none.

    The hidden slot has the players who come later. Those after the one who accepted are not asked.
    """

    name = "sample_invite"
    summary = "Asks players one after another until one of them accepts, and runs steps for that player."
    presence = "has accepted"
    example = "{id: taken, sample_invite: one, among: players, able: one.points > 0, steps: […]}"
    keys = {
        "sample_invite": required(Leaf("The name of the player who is asked.", format="id")),
        "among": required(expression("The list of players, in the order in which they are asked.")),
        "able": optional(expression("Only a player for whom this is true is asked.")),
        "steps": required(Steps("The steps to run for the player who accepts.")),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        source = check.check_value(node.get("among"), ListOf(PLAYER))
        named = node.get("sample_invite")
        assert isinstance(named, Scalar)
        if not named.text.isidentifier():
            check.report(language_diagnostics.STEP_SHAPE, f"`{named.text}` is not a name", named.span)
        slot, scope = check.add_variable(named.text, PLAYER, named.span)
        steps = node.get("steps")
        scope = check.loop_scope(steps, scope)
        outer, check.scope = check.scope, scope
        able = check.check_condition(node.get("able")) if "able" in node else None
        check.scope = outer
        block = check.block(steps, scope)
        offers = tuple(Offer(each, None, check.called.get(each, "")) for each in ANSWERS.ids)
        action = Action(source, slot, named.text, able, offers)
        return CheckedStep(action, binds=make_optional(PLAYER), blocks=(block,), resumes=True)

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        rest = run.read(step.hidden or 0)
        if rest is None:
            run.bind(step.slot or 0, None)
            rest = run.compute(action.source)
            run.begin_rounds(step, len(rest))
            self._ask_next(step, run, rest)
        elif run.read(step.slot or 0) is None:
            run.ask(run.read(action.slot), ANSWERS.ids, step)  # the state was restored at this question
        else:
            self._ask_next(step, run, rest)

    def take(self, step: Step, run: Run, value: Any) -> None:
        action: Action = step.action
        run.record_event(step, "asked", run.get_answer(), value)
        if value == ANSWERS.ids[0]:
            run.bind(step.slot or 0, run.read(action.slot))
            run.enter(step.blocks[0])
        else:
            self._ask_next(step, run, run.read(step.hidden or 0))

    def _ask_next(self, step: Step, run: Run, rest: tuple[int, ...]) -> None:
        """Ask the first of `rest` who is able to accept, unless somebody has accepted."""
        action: Action = step.action
        while rest:
            one, rest = rest[0], rest[1:]
            if not run.is_alive(one):
                continue
            run.bind(action.slot, one)
            run.bind(step.hidden or 0, rest)
            if run.read(step.slot or 0) is None and (action.able is None or run.compute(action.able)):
                run.ask(one, ANSWERS.ids, step)
                return
        run.bind(step.hidden or 0, None)

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        one = Local(PLAYER, action.slot, action.name)
        free: Typed = Not(BOOLEAN, Present(BOOLEAN, Local(make_optional(PLAYER), step.slot or 0, step.id)))
        if action.able is not None:
            free = Logic(BOOLEAN, "and", (free, action.able))

        def accept() -> None:
            lower.bind(one)
            lower.block(step.blocks[0])

        def ask() -> None:
            answer = lower.ask(one, Offered(ListOf(ANSWERS), action.offers), ANSWERS)
            lower.branch(Comparison(BOOLEAN, "==", answer, Constant(ANSWERS, ANSWERS.ids[0])), accept)

        lower.bind(Constant(NONE, None))
        lower.emit_each(action.source, action.slot, lambda: lower.branch(free, ask), entities=True)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING
