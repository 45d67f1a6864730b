"""`sample_shuffle`: a list in an order that chance decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import (
    Aggregate,
    Arithmetic,
    Comparison,
    Items,
    Local,
    Membership,
    Typed,
    Variable,
)
from rulewright.language.schema_shapes import expression, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import BOOLEAN, INTEGER, UNKNOWN, Entity, ListOf, Row, Type, Unknown
from rulewright.source.nodes import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The list."""

    source: Typed


class Shuffle(Statement):
    """Draws one after the other of those that are left; the hidden slot says that some are."""

    name = "sample_shuffle"
    summary = "Puts a list of different things into an order that chance decides."
    example = "{id: order, sample_shuffle: players}"
    keys = {"sample_shuffle": required(expression("The list."))}

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        source = check.check_value(node.get("sample_shuffle"), ListOf(UNKNOWN))
        inner = source.type.inner if isinstance(source.type, ListOf) else UNKNOWN
        if not isinstance(inner, Entity | Row | Unknown):
            message = f"only things that are told apart can be shuffled, not {inner}"
            check.report(language_diagnostics.WRONG_TYPE, message, node.entries["sample_shuffle"].value.span)
        return CheckedStep(Action(source), binds=ListOf(inner), resumes=True)

    def run(self, step: Step, run: Run) -> None:
        if run.read(step.hidden or 0) is None:
            run.bind(step.slot or 0, ())
        self._next(step, run)

    def take(self, step: Step, run: Run, value: Any) -> None:
        run.record_event(step, "drawn", value)
        run.bind(step.slot or 0, (*run.read(step.slot or 0), value))
        self._next(step, run)

    def _next(self, step: Step, run: Run) -> None:
        drawn = run.read(step.slot or 0)
        left = tuple(each for each in run.compute(step.action.source) if each not in drawn)
        run.bind(step.hidden or 0, 1 if left else None)
        if left:
            run.begin_rounds(step, 1)
            run.stop_at_chance(left)

    def lower(self, step: Step, lower: Lower) -> None:
        source: Typed = step.action.source
        kind: Type = source.type.inner if isinstance(source.type, ListOf) else UNKNOWN
        drawn = Local(ListOf(kind), step.slot or 0, step.id)
        lower.bind(Items(ListOf(kind), ()))

        def left(function: str, result: Type) -> Typed:
            each = Variable(kind, "each")
            return Aggregate(result, function, each, "each", source, Membership(BOOLEAN, each, drawn, True), None)

        def body() -> None:
            card = lower.draw(lower.keep(left("list", ListOf(kind))), kind)
            lower.bind(Arithmetic(ListOf(kind), "+", drawn, Items(ListOf(kind), (card,))))

        some = Comparison(BOOLEAN, ">", left("count", INTEGER), _zero())
        lower.loop(body, going=some, most=None, within=None)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING


def _zero() -> Typed:
    from rulewright.language.expressions.typed_ast import Constant

    return Constant(INTEGER, 0)
