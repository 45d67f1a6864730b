"""What the options of a decision cost, in words."""

from __future__ import annotations

from typing import Any

from rulewright.language.expression.evaluate import Evaluate
from rulewright.language.step import Step
from rulewright.play.names import Names
from rulewright.play.state import State
from rulewright.play.view import View


def cost_of(state: State, step: Step, value: Any, names: Names) -> str:
    """The cost of one option, such as `5 Points`; empty where it has none, or costs nothing."""
    offers = {offer.id: offer for offer in step.action.offers}
    costs = offers[value].costs if value in offers and offers[value].costs else step.action.costs
    if not costs or value is None:
        return ""
    evaluate = Evaluate(state.program.ruleset.declarations, View(state))
    found = [(name, evaluate.value(amount, state.frame, {"it": value})) for name, amount in costs]
    return ", ".join(names.amount(amount, name) for name, amount in found if amount)
