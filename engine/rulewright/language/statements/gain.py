"""`gain`: an owner receives an amount."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.language.checked_steps import Step, Target
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.schema_shapes import required
from rulewright.language.statement import Changes, Check, CheckedStep, Lower, Run, Statement
from rulewright.language.statements.transfer import (
    Transfer,
    check_transfer,
    lower_transfer,
    run_transfer,
    transfer_apart,
    transfer_changes,
    transfer_shape,
)
from rulewright.source.nodes import Mapping


class Gain(Statement):
    """Adds to number fields of one object."""

    name = "gain"
    changes_numbers = True
    also = ("earn", "receive", "get")
    summary = "Adds amounts to number fields of one object, such as a player's points."
    example = "{id: reward, gain: {who: player, points: 3}}"
    keys = {"gain": required(transfer_shape("The object that gains, and the amounts."))}

    def check(self, node: Mapping, check: Check) -> CheckedStep:
        return check_transfer(node.get("gain"), check, "+")

    def run(self, step: Step, run: Run) -> None:
        run_transfer(step, run, 1)

    def split_effects(
        self, action: Transfer, keep: Callable[[Typed], Typed]
    ) -> tuple[tuple[Target | None, Transfer], ...]:
        return transfer_apart(action, keep)

    def find_changes(self, node: Mapping) -> Changes:
        return transfer_changes(node.get("gain"))

    def lower(self, step: Step, lower: Lower) -> None:
        lower_transfer(step, lower, "+")
