"""The costs of steps, as static bounds.

The code between two decisions is as long as the rules, except for loops. Therefore rounds of loops are counted at run
time, each with the cost of its steps. A loop with a decision in every round is not counted, because a decision starts
a new move.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.incremental.reads import Memo
from rulewright.language.checked_steps import Block, Procedure, Step
from rulewright.language.control_flow import surely_asks
from rulewright.language.declarations import Declarations
from rulewright.language.expressions.expression_cost import SHORT, ExpressionCosts
from rulewright.language.lowering import find_called_procedure, has_chance, list_operations
from rulewright.language.operations import Bind, Loop, Write
from rulewright.language.statement import list_expressions

_STEP = 4
"""The operations of a step in addition to its expressions."""

_ROLL = 64
"""The operations of a roll or a draw, which may have many dice."""


class StepCosts:
    """The costs of the procedures of one ruleset."""

    def __init__(self, declarations: Declarations, procedures: Mapping[str, Procedure]) -> None:
        self.costs = ExpressionCosts.for_declarations(declarations)
        self._procedures = procedures
        self._whole = Memo()
        self._rounds = Memo()
        self._asks = Memo()
        self._alone = Memo()

    def estimate_procedure(self, identity: str) -> int:
        """Return the operations of a procedure and of those that it calls, each step taken once. Cached."""

        def estimate() -> int:
            procedure = self._procedures[identity]
            called = (find_called_procedure(step) for step in procedure.iterate_steps())
            return self.estimate_own(procedure) + sum(self.estimate_procedure(name) for name in called if name)

        return self._whole.get(identity, estimate)

    def estimate_own(self, procedure: Procedure) -> int:
        """Return the operations of a procedure without those that it calls. Its steps need no numbers yet."""
        given = sum(map(self.costs.estimate, procedure.gives.values()))
        return given + sum(map(self._estimate_alone, procedure.iterate_steps()))

    def estimate_step_alone(self, step: Step) -> int:
        """Return the operations of a step itself, without its inner steps and the procedures it calls. Cached."""
        return self._alone.get(step.number, lambda: self._estimate_alone(step))

    def _estimate_alone(self, step: Step) -> int:
        condition = self.costs.estimate(step.when) if step.when is not None else 0
        return _STEP + self._compute_own(step) + condition + (_ROLL if has_chance(step) else 0)

    def round(self, step: Step) -> int:
        """Return the operations of a round of a loop, or 0 if every round has a decision. Cached."""

        def estimate() -> int:
            if any(surely_asks(block, self._find_asking(block), self.costs.declarations) for block in step.blocks):
                return 0
            result = _STEP + sum(self._block(block) for block in step.blocks)
            if any(isinstance(each, Loop) for each in list_operations(step)):
                result += self._compute_own(step)
            return result

        return self._rounds.get(step.number, estimate)

    def _block(self, block: Block) -> int:
        return sum(self._step(step) for step in block.steps)

    def _step(self, step: Step) -> int:
        result = self.estimate_step_alone(step)
        if other := find_called_procedure(step):
            result += self.estimate_procedure(other)
        return result + sum(self._block(block) for block in step.blocks)

    def _compute_own(self, step: Step) -> int:
        """Return the operations of a step's own expressions, and of the maps that it copies to change an entry."""
        result = sum(self.costs.estimate(expression) for expression in list_expressions(step.action))
        for each in list_operations(step):
            if isinstance(each, Bind | Write) and each.row is not None:
                # A change of one entry rebuilds the whole map.
                result += len(self.costs.declarations.tables[each.table].rows) // SHORT
        return result

    def _find_asking(self, block: Block) -> frozenset[str]:
        """Return the procedures, of those carried out in a block, that surely ask a player."""
        return frozenset(
            name for name in {find_called_procedure(step) for step in block.walk()} if name and self._surely(name)
        )

    def _surely(self, identity: str) -> bool:
        """Return whether a procedure surely asks a player. Cached."""

        def ask() -> bool:
            body = self._procedures[identity].body
            return surely_asks(body, self._find_asking(body), self.costs.declarations, whole=True)

        return self._asks.get(identity, ask)
