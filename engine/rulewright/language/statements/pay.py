"""`pay`: an owner pays an amount."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.language.checked_steps import Step, Target
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import required
from rulewright.language.statement import Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.statements.transfer import (
    Transfer,
    check_transfer,
    guard_transfer,
    lower_transfer,
    run_transfer,
    transfer_apart,
    transfer_changes,
    transfer_shape,
)
from rulewright.source.nodes import Mapping


class Pay(Statement):
    """Takes from number fields of one object. Taking more than there is is a fault of the rules."""

    name = "pay"
    changes_numbers = True
    also = ("spend",)
    summary = "Takes amounts from number fields of one object. None of the fields may be less than its amount."
    example = "{id: price, pay: {who: player, points: 3}}"
    keys = {"pay": required(transfer_shape("The object that pays, and the amounts."))}

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        return check_transfer(node.get("pay"), check, "-")

    def guard(self, step: Step, node: Mapping) -> str:
        return guard_transfer(step, node.get("pay"))

    def run(self, step: Step, run: Run) -> None:
        run_transfer(step, run, -1)

    def split_effects(
        self, action: Transfer, keep: Callable[[Typed], Typed]
    ) -> tuple[tuple[Target | None, Transfer], ...]:
        return transfer_apart(action, keep)

    def find_changes(self, node: Mapping) -> Changes:
        return transfer_changes(node.get("pay"))

    def lower(self, step: Step, lower: Lower) -> None:
        lower_transfer(step, lower, "-")
