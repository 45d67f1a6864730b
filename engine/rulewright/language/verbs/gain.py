"""`gain`: somebody receives an amount."""

from __future__ import annotations

from typing import Any

from rulewright.language.change import change_weight
from rulewright.language.hosts import Check, Run, Tell, Write
from rulewright.language.shape import required
from rulewright.language.step import Step
from rulewright.language.transfer import (
    check_transfer,
    emit_transfer,
    run_transfer,
    tell_transfer,
    transfer_facts,
    transfer_shape,
)
from rulewright.language.verb import Checked, Fact, Verb
from rulewright.language.weight import Weight
from rulewright.source.nodes import Mapping


class Gain(Verb):
    """Adds to number fields of one object."""

    name = "gain"
    summary = "Adds amounts to number fields of one object, such as a player's points."
    example = "{id: reward, gain: {who: player, points: 3}}"
    keys = {"gain": required(transfer_shape("Who gains, and how much of what."))}

    def check(self, node: Mapping, check: Check) -> Checked:
        return check_transfer(node.get("gain"), check)

    def run(self, step: Step, run: Run) -> None:
        run_transfer(step, run, 1)

    def emit(self, step: Step, write: Write) -> None:
        emit_transfer(step, write, "+")

    def facts(self, step: Step, details: tuple[Any, ...], tell: Tell) -> tuple[Fact, ...]:
        return transfer_facts(step, details)

    def weight(self, step: Step, details: tuple[Any, ...]) -> Weight:
        return change_weight(details)

    def tell(self, step: Step, details: tuple[Any, ...], tell: Tell) -> str:
        return tell_transfer(step, details, tell)
