"""`sample_share`: each row of a table gets a part of a number."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language.checked_steps import Step
from rulewright.language.expressions.typed_ast import Aggregate, Arithmetic, Typed, Variable
from rulewright.language.schema_shapes import Leaf, expression, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.types import INTEGER, UNKNOWN, ListOf, Row
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The number and the slot of its name, the part, the table whose rows get it, and what is left."""

    whole: Typed
    slot: int
    part: Typed
    table: str
    rest: Typed


class Share(Statement):
    """Has two results, and a name of its own for the number, which only the part may use."""

    name = "sample_share"
    summary = "Divides a number among the rows of a table."
    example = "{id: cut, sample_share: player.points, as: whole, among: table, part: 'min(whole, 2)'}"
    keys = {
        "sample_share": required(expression("The number.")),
        "as": required(Leaf("Its name in `part`.", format="id", binds=True)),
        "among": required(expression("The table.")),
        "part": required(expression("What each row gets.")),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        called = node.get("as")
        assert isinstance(called, Scalar)
        whole = check.check_value(node.get("sample_share"), INTEGER)
        outer = check.scope
        slot, check.scope = check.add_variable(called.text, INTEGER, called.span)
        part = check.check_value(node.get("part"), INTEGER)
        check.scope = outer
        rows = check.check_value(node.get("among"), ListOf(UNKNOWN))
        row = rows.type.inner if isinstance(rows.type, ListOf) else UNKNOWN
        table = row.table if isinstance(row, Row) else ""
        count = Aggregate(INTEGER, "count", Variable(row, "row"), "row", rows, None, None)
        rest = Arithmetic(INTEGER, "-", whole, Arithmetic(INTEGER, "*", part, count))
        return CheckedStep(Action(whole, slot, part, table, rest), parts={"part": INTEGER, "rest": INTEGER})

    def run(self, step: Step, run: Run) -> None:
        action: Action = step.action
        run.bind(action.slot, run.compute(action.whole))
        for slot, value in zip(step.slots, (action.part, action.rest), strict=True):
            run.bind(slot, run.compute(value))

    def lower(self, step: Step, lower: Lower) -> None:
        action: Action = step.action
        lower.bind(action.whole, slot=action.slot)
        for slot, value in zip(step.slots, (action.part, action.rest), strict=True):
            lower.bind(value, slot=slot)

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING
