"""`sample_tribute`: players in turn give something away, and steps run after each gift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language.checked_steps import Step, Target
from rulewright.language.expressions.typed_ast import Arithmetic, Comparison, Constant, Items, Local, Present, Typed
from rulewright.language.operations import OrNone
from rulewright.language.schema_shapes import Leaf, Steps, expression, optional, required
from rulewright.language.statement import Changes, Check, CheckedStep, Lower, Run, Statement, find_last_word
from rulewright.language.types import BOOLEAN, INTEGER, NOTHING, PLAYER, UNKNOWN, ListOf, Type, make_optional
from rulewright.language.visibility import check_viewers, describe_viewers_key
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The players, the giver's slot and name, the list that each gives from, the gift's, and the place that changes."""

    source: Typed
    slot: int
    name: str
    offered: Typed
    gift: int
    gift_name: str
    kind: Type
    place: Target
    taker: Typed
    may_pass: Typed | None
    viewers: Typed | None
    running: int


class Tribute(Statement):
    """The result is the number of gifts. The hidden slot has the players who come later."""

    name = "sample_tribute"
    summary = "Players in turn choose something to give away, and steps run after each gift."
    example = "{id: tithe, sample_tribute: one, among: players, from: units, as: gift, give: gift.owner, to: other}"
    none = "Give nothing"
    loops = True
    keys = {
        "sample_tribute": required(Leaf("The name of the player who gives.", format="id", binds=True)),
        "among": required(expression("The players who give, in order.")),
        "from": required(expression("The list that the player chooses from.")),
        "as": required(Leaf("The name of what is given.", format="id", binds=True)),
        "give": required(expression("The field that changes.")),
        "to": required(expression("Its new value.")),
        "may_pass": optional(expression("When the player may give nothing.")),
        "seen_by": describe_viewers_key("Who sees the answer"),
        "steps": optional(Steps("The steps to run after each gift.")),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep | None:
        source = check.check_value(node.get("among"), ListOf(PLAYER))
        named, called = node.get("sample_tribute"), node.get("as")
        assert isinstance(named, Scalar)
        assert isinstance(called, Scalar)
        outer = check.scope
        slot, scope = check.add_variable(named.text, PLAYER, named.span)
        check.scope = scope = check.loop_scope(node.get("steps"), scope)
        offered = check.check_value(node.get("from"), ListOf(UNKNOWN))
        kind = offered.type.inner if isinstance(offered.type, ListOf) else UNKNOWN
        may_pass = check.check_condition(node.get("may_pass")) if "may_pass" in node else None
        gift, check.scope = check.add_variable(called.text, kind, called.span)
        place = check.check_target(node.get("give"))
        taker = check.check_value(node.get("to"), place.type if place else None)
        viewers = check_viewers(node.get("seen_by"), check.check_value, check.report)
        inner, check.scope = check.scope, outer
        blocks = (check.block(node.get("steps"), inner),) if "steps" in node else ()
        if place is None:
            return None
        check.forget_target(place)
        running = check.add_slot("running", INTEGER)
        action = Action(
            source, slot, named.text, offered, gift, called.text, kind, place, taker, may_pass, viewers, running
        )
        return CheckedStep(action, binds=INTEGER, blocks=blocks, resumes=True)

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        rest = run.read(step.hidden or 0)
        if rest is not None and run.read(action.running) is None:
            self._ask(step, run, run.compute(action.offered))  # the state was restored at this question
            return
        if rest is None:
            rest = run.compute(action.source)
            run.begin_rounds(step, len(rest))
            run.bind(step.slot or 0, 0)
        run.bind(action.running, None)
        self._go_on(step, run, rest)

    def _ask(self, step: Step, run: Run, options: tuple[Any, ...]) -> None:
        action: Action = step.action
        passes = action.may_pass is not None and run.compute(action.may_pass)
        run.ask(run.read(action.slot), (*options, None) if passes else options, step)

    def _go_on(self, step: Step, run: Run, rest: tuple[int, ...]) -> None:
        action: Action = step.action
        while rest:
            one, rest = rest[0], rest[1:]
            if not run.is_alive(one):
                continue
            run.bind(action.slot, one)
            run.bind(step.hidden or 0, rest)
            options = run.compute(action.offered)
            if options:
                self._ask(step, run, options)
                return
        run.bind(step.hidden or 0, None)

    def take(self, step: Step, run: Run, value: Any) -> None:
        action: Action = step.action
        run.record_event(step, "asked", run.get_answer(), value, viewers=action.viewers)
        if value is not None:
            run.bind(action.gift, value)
            run.bind(step.slot or 0, run.read(step.slot or 0) + 1)
            place = action.place
            entity = None if place.base is None else run.compute(place.base)
            row = None if place.row is None else run.compute(place.row)
            run.store(place, entity, run.compute(action.taker), step, row=row)
            if step.blocks:
                run.bind(action.running, 1)
                run.enter(step.blocks[0])
                return
        self._go_on(step, run, run.read(step.hidden or 0))

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        one = Local(PLAYER, action.slot, action.name)
        total = Local(INTEGER, step.slot or 0, step.id)
        nothing = Constant(NOTHING, None)
        kind = action.kind if action.may_pass is None else make_optional(action.kind)

        def give(answer: Typed) -> None:
            lower.bind(answer, slot=action.gift)
            lower.bind(Arithmetic(INTEGER, "+", total, Constant(INTEGER, 1)))
            lower.store(action.place, action.place.base, action.taker, row=action.place.row)
            for block in step.blocks:
                lower.bind(Constant(INTEGER, 1), slot=action.running)
                lower.block(block)
                lower.bind(nothing, slot=action.running)

        def ask() -> None:
            options = action.offered
            if action.may_pass is not None:
                options = OrNone(ListOf(kind), options, action.may_pass)
            answer = lower.ask(one, options, kind, viewers=action.viewers)
            if action.may_pass is None:
                give(answer)
            else:
                lower.branch(Present(BOOLEAN, answer), lambda: give(answer))

        lower.bind(Constant(INTEGER, 0))
        lower.bind(nothing, slot=action.running)
        some = Comparison(BOOLEAN, "!=", action.offered, Items(action.offered.type, ()))
        lower.emit_each(action.source, action.slot, lambda: lower.branch(some, ask), entities=True)

    def find_changes(self, node: Mapping) -> Changes:
        place = node.get("give")
        return Changes(frozenset({find_last_word(place.text)} if isinstance(place, Scalar) else ()))
