"""What expressions see of a state."""

from __future__ import annotations

from typing import Any

from rulewright.language.expression.effort import Purse
from rulewright.language.expression.evaluate import Evaluate
from rulewright.language.expression.typed import Typed
from rulewright.play.machine.state import State


class View:
    """A state as a world of objects and fields, for the plain evaluator."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.layout = state.machine.layout
        self.spend = Purse().spend

    def objects(self, kind: str) -> tuple[int, ...]:
        return self.state.live[self.layout.kinds[kind]]

    def field(self, thing: int, kind: str, name: str) -> Any:
        return self.state.objects[thing][self.layout.places[kind, name]]

    def hold(self, elements: int) -> None:
        """What is only looked at makes no move dearer."""


def worked_out(state: State, expression: Typed, variables: dict[str, Any] | None = None) -> Any:
    """The value of an expression that needs no frame: a formula's body, a measure."""
    declarations = state.machine.ruleset.declarations
    return Evaluate(declarations, View(state)).value(expression, (), variables or {})


def measures(state: State) -> dict[str, int]:
    """Every measure of the ruleset, in a state."""
    return {name: worked_out(state, measure.value) for name, measure in state.machine.ruleset.measures.items()}
