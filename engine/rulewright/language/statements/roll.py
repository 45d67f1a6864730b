"""`roll`: dice are rolled, or a roll table is rolled on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.dice.bounds import compute_maximum, compute_minimum
from rulewright.dice.dice_error import DiceError
from rulewright.language import language_diagnostics
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.evaluator import as_roll, compute_dice_arithmetic
from rulewright.language.expressions.typed_ast import BROKEN, Arithmetic, Constant, Typed
from rulewright.language.operations import RowFor
from rulewright.language.schema_shapes import Leaf, expression, optional, required
from rulewright.language.statement import NOTHING, Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.statements.several_results import SeveralResults, check_count
from rulewright.language.types import DICE, INTEGER, PLAYER, UNKNOWN, ListOf, Row, Type
from rulewright.language.visibility import check_viewers, describe_viewers_key
from rulewright.source.nodes import Mapping, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """The `dice` to roll. With `table`, the result is the row for the face. `viewers` are the viewers.

    `count` is the number of rolls, and `in_order` is true if their order matters.
    """

    dice: Typed
    table: str | None
    by: Typed | None
    viewers: Typed | None = None
    count: Typed | None = None
    in_order: bool = False


class Roll(SeveralResults, Statement):
    """Stops at a chance event. The result is the total of the roll, or the row of the table for the face."""

    name = "roll"
    also = ("dice", "throw")
    summary = (
        "Rolls dice, or rolls on a table; the result is the total, or the row of the table. With `count`, the step "
        "makes that many rolls; the result is a list from the lowest to the highest or, with `in_order`, in the order "
        "in which they were rolled."
    )
    example = "{id: weather, roll: weather_table}"
    keys = {
        "roll": required(expression("Dice, or the id of a roll table.")),
        "count": optional(expression("The number of rolls to make.")),
        "in_order": optional(Leaf("Whether the order of the rolls matters.", format="flag", values=("true",))),
        "by": optional(expression("The player who rolls, if the roll belongs to one player.")),
        "seen_by": describe_viewers_key("Who sees the result"),
    }

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        """Check a roll of dice, or on a table. A table without dice is reported, and the result is then unknown."""
        by = check.check_value(node.get("by"), PLAYER) if "by" in node else None
        viewers = check_viewers(node.get("seen_by"), check.check_value, check.report)
        count, in_order = check_count(node, check, "write the number of rolls: `count: …`")
        what = node.get("roll")
        if isinstance(what, Scalar) and what.text in check.declarations.tables:
            table = check.declarations.tables[what.text]
            if table.roll is not None:
                action = Action(Constant(DICE, table.roll), table.id, by, viewers, count, in_order)
                return _check_results(action, table.type)
            message = f"`{table.id}` is not a roll table"
            check.report(
                language_diagnostics.WRONG_TYPE,
                message,
                what.span,
                "give the table a `roll:` with its dice, or name one of its cells",
            )
            return CheckedStep(Action(BROKEN, None, by), binds=UNKNOWN)
        dice = check.check_value(what, DICE)
        return _check_results(Action(dice, None, by, viewers, count, in_order), INTEGER)

    def stop(self, step: Step, run: Run) -> None:
        run.stop_at_chance(as_roll(run.compute(step.action.dice)))

    def take(self, step: Step, run: Run, value: Any) -> None:
        table = step.action.table
        run.record_event(step, "rolled", run.get_outcome(), value, viewers=step.action.viewers)
        self.keep(step, run, value if table is None else run.find_table_row(table, value))

    def find_changes(self, node: Mapping) -> Changes:
        return NOTHING

    def lower_one(self, step: Step, lower: Lower) -> Typed:
        table = step.action.table
        total = lower.roll(step.action.dice, table, viewers=step.action.viewers)
        return total if table is None else RowFor(Row(table), table, total)


def _check_results(action: Action, kind: Type) -> CheckedStep:
    if action.count is not None:
        return CheckedStep(action, binds=ListOf(kind), resumes=True)
    return CheckedStep(action, binds=kind, not_zero=action.table is None and _is_never_zero(action.dice))


def _is_never_zero(dice: Typed) -> bool:
    """Return whether a roll can never be 0. False if it depends on the game or is too large to tell."""
    try:
        known = _find_constant(dice)
        return known is not None and (compute_minimum(as_roll(known)) > 0 or compute_maximum(as_roll(known)) < 0)
    except DiceError:  # too large to enumerate
        return False


def _find_constant(dice: Typed) -> Any:
    """Return the value of a constant, or of a sum or difference of constants. None for any other expression.

    Raises `DiceError` for too many dice.
    """
    match dice:
        case Constant(value=value):
            return value
        case Arithmetic(operator="+" | "-" as sign, left=left, right=right):
            first, second = _find_constant(left), _find_constant(right)
            return None if first is None or second is None else compute_dice_arithmetic(sign, first, second)
    return None
