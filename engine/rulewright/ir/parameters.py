"""Parameters: numbers of the rules that a program reads at run time, so that they can vary without recompiling it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language.declarations import Declarations
from rulewright.language.expressions import typed_ast as t
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import Dice, Integer, Type, present

SMALL = 1_000
"""The largest absolute value of a small parameter."""

LARGE = 1_000_000
"""The largest absolute value of any other parameter."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The named numbers and the table columns that a program reads at run time."""

    numbers: frozenset[str] = frozenset()
    columns: frozenset[tuple[str, str]] = frozenset()

    def reads_parameter(self, node: Typed) -> bool:
        """Return whether evaluating `node` itself, without its parts, reads a parameter."""
        if isinstance(node, t.Constant):
            # A row or a choice may have the same name as a number.
            return node.name in self.numbers and can_vary(node.type)
        return isinstance(node, t.Cell) and (node.table, node.column) in self.columns


NONE = Parameters()
"""No parameters: every number is a constant in the program."""


def can_vary(kind: Type) -> bool:
    """Return whether values of a type can be parameters, which only whole numbers and dice can."""
    return isinstance(present(kind), (Integer, Dice))


def list_parameters(declarations: Declarations) -> Parameters:
    """Return every parameter of the rules: the numbers and table columns whose values are whole numbers or dice."""
    return Parameters(
        frozenset(each.id for each in declarations.numbers.values() if can_vary(each.type)),
        frozenset(
            (table.id, column)
            for table in declarations.tables.values()
            for column, kind in table.columns.items()
            if can_vary(kind)
        ),
    )


def find_limits(published: Any) -> tuple[int, int]:
    """Return the minimum and maximum for a whole-number parameter with the value `published` in the rules."""
    most = SMALL if abs(published) <= SMALL else LARGE
    return -most, most
