"""What the options of a decision cost, in words."""

from __future__ import annotations

from typing import Any

from rulewright.language.expression.evaluate import Evaluate
from rulewright.language.expression.typed import Typed
from rulewright.language.lowering import offers_of
from rulewright.language.operations import Ask
from rulewright.play.machine.state import State
from rulewright.play.machine.view import View
from rulewright.play.telling.names import Names


def cost_of(state: State, ask: Ask[Typed], value: Any, names: Names) -> str:
    """The cost of one option, such as `5 Points`; empty where it has none, or costs nothing."""
    own = next((offer.costs for offer in offers_of(ask) if offer.id == value), ())
    costs = own or ask.costs
    if not costs or value is None:
        return ""
    evaluate = Evaluate(state.machine.ruleset.declarations, View(state))
    found = [(name, evaluate.value(amount, state.frame, {"it": value})) for name, amount in costs]
    return ", ".join(names.amount(amount, name) for name, amount in found if amount)
