"""The costs of expressions, as static bounds for any game.

One operation is the evaluation of one part of an expression, or one step. Costs that depend only on the rules are
computed from them: a literal list has its length, and other lists are assumed to have the length `SHORT`. If the
elements of such a list are expensive, they are counted at run time. An element that the condition leaves out then costs
only the condition. Both counts are the same in every back end, and so is the point at which a game exceeds its budget.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

from rulewright.base.errors import RulewrightError
from rulewright.base.incremental.reads import Memo
from rulewright.language.expressions import typed_ast as t
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import ListOf, Row

if TYPE_CHECKING:
    from rulewright.language.declarations import Declarations

MOST_IN_A_MOVE = 10_000_000
"""The maximum number of operations between two questions to players."""

MOST_IN_AN_EXPRESSION = 1_000_000
"""The maximum cost in operations of one expression, as far as the rules alone determine it."""

LONGEST_LIST = 10_000
"""The maximum number of elements of a list, and of objects of one kind."""

MOST_OBJECTS = 100_000
"""The maximum number of objects that a game may create, including removed ones."""

CROWD = 128
"""The number of objects of a kind, or elements of a list, above which iterations cost proportionally more."""

SHORT = 16
"""The assumed length of lists that the rules do not determine."""

_DEAR = 32
"""The cost of an element in operations from which on the elements are counted at run time."""

_LONG = 32
"""The length of a list that the rules determine, above which elements that a condition keeps may be counted in play."""

_LONG_WORK = 4
"""The cost in operations of searching a list or joining two, in addition to evaluating them."""


_TRIAL = 32
"""The cost in operations of a copy of the game."""


class EffortError(RulewrightError):
    """A move takes more operations than allowed."""

    def __init__(self) -> None:
        super().__init__(f"this takes more than {MOST_IN_A_MOVE:,} operations, the limit for a move")


def summarize_cost(operations: int) -> str:
    """Return a number of operations, which may have hundreds of digits."""
    return f"{operations:,}" if operations < 10**12 else "more than 1,000,000,000,000"


class Budget:
    """The remaining operations for an evaluation outside of a move, such as that of a label or a statistic."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_IN_A_MOVE

    def spend(self, operations: int) -> None:
        """Charge operations. Raises `EffortError` if the budget is exhausted."""
        self.left -= operations
        if self.left < 0:
            raise EffortError


class ExpressionCosts:
    """The costs of the expressions of one ruleset. `for_declarations` returns cached ones."""

    def __init__(self, declarations: Declarations) -> None:
        self.declarations = declarations
        self._formulas = Memo()
        self._aggregates = Memo()

    @staticmethod
    def for_declarations(declarations: Declarations) -> ExpressionCosts:
        """Return the costs of a ruleset's expressions. Cached for the most recent rulesets."""
        return _costs(declarations)

    def estimate(self, node: Typed) -> int:
        """Return the operations of evaluating `node`, except for those counted at run time."""
        match node:
            case t.Aggregate():
                return self._aggregate(node)[1]
            case t.Travel():
                # The cost of places is charged at run time, when they are visited.
                return 1 + sum(self.estimate(part) for part in node.outside)
            case t.If(condition=condition, then=then, otherwise=otherwise):
                # Only one of the two is evaluated. A column with a cell for each row has many of them.
                return 1 + self.estimate(condition) + max(self.estimate(then), self.estimate(otherwise))
            case t.Invoke(formula=formula):
                own = self.estimate_formula(formula)
            case t.Membership() | t.Apply() | t.ListElement():
                own = _LONG_WORK
            case t.After():
                # The procedure's own cost is charged at run time.
                own = _TRIAL
            case t.Arithmetic() if isinstance(node.type, ListOf):
                own = _LONG_WORK
            case _:
                own = 1
        for child in node.children:
            own += self.estimate(child)
        return own

    def estimate_formula(self, identity: str) -> int:
        """Return the cost of a formula in operations. Cached."""
        return self._formulas.get(identity, lambda: 1 + self.estimate(self.declarations.formulas[identity].body))

    def estimate_each(self, node: t.Aggregate) -> tuple[int, int]:
        """Return the costs of each element, and of each that the condition keeps, that are counted at run time."""
        return self._aggregate(node)[2:]

    def estimate_each_place(self, node: t.Travel) -> int:
        """Return the cost of each place that a traversal visits, or inspects from another place."""
        return 1 + sum(self.estimate(part) for part in node.inside)

    def _aggregate(self, node: t.Aggregate) -> tuple[t.Aggregate, int, int, int]:
        """Return the node, its cost, and the costs of elements that are counted at run time.

        These are the cost of each element, and the cost of each that the condition keeps. Cached by the identity of
        the node.
        """

        def estimate() -> tuple[t.Aggregate, int, int, int]:
            each = 1 if node.condition is None else 1 + self.estimate(node.condition)
            kept_cost = sum(self.estimate(part) for part in (node.element, node.order) if part is not None)
            length = self.bound_length(node.source)
            counted = length is None and each + kept_cost > _DEAR
            filtered = node.condition is not None and (
                counted if length is None else length > _LONG and kept_cost > _DEAR
            )
            if not filtered or (isinstance(node.element, t.Variable) and node.order is None):
                each, kept_cost = each + kept_cost, 0
            own = 0 if counted else (SHORT if length is None else length) * each
            # Keep the tree with its cost, so that no other tree can have the same `id`.
            return node, 1 + self.estimate(node.source) + own, each if counted else 0, kept_cost

        return self._aggregates.get(id(node), estimate)

    def bound_length(self, node: Typed) -> int | None:
        """Return the maximum length of a list if the rules determine it, or None."""
        match node:
            case t.Constant(value=tuple() as value):
                return len(value)
            case t.Items(items=items):
                return len(items)
            case t.Aggregate(function="flatten", element=element, source=source):
                lengths = self.bound_length(element), self.bound_length(source)
                return None if None in lengths else prod(length for length in lengths if length is not None)
            case t.Apply(function="first" | "last", arguments=(t.Constant(value=int() as most, name=None), source)):
                length = self.bound_length(source)
                return max(0, most if length is None else min(most, length))
            case t.Aggregate(source=source) | t.Apply(function="first" | "last" | "rotate", arguments=(_, source)):
                return self.bound_length(source)
            case t.Travel(type=ListOf(inner=Row(table=table))):
                return len(self.declarations.tables[table].rows)
            case t.If(then=one, otherwise=other) | t.Coalesce(first=one, otherwise=other):
                lengths = self.bound_length(one), self.bound_length(other)
                return None if None in lengths else max(length for length in lengths if length is not None)
            case t.Arithmetic(operator="-", left=one):
                return self.bound_length(one)
            case t.Arithmetic(left=one, right=other):
                lengths = self.bound_length(one), self.bound_length(other)
                return None if None in lengths else sum(length for length in lengths if length is not None)
        return None


@lru_cache(maxsize=64)
def _costs(declarations: Declarations) -> ExpressionCosts:
    return ExpressionCosts(declarations)
