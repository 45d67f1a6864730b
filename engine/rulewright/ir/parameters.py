"""Figures that a program reads rather than has written into it, so that they may be others while it is carried out."""

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
"""How far from nothing any figure may go."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The named numbers, and the columns of tables, that are read when they are asked for."""

    numbers: frozenset[str] = frozenset()
    columns: frozenset[tuple[str, str]] = frozenset()

    def reads_parameter(self, node: Typed) -> bool:
        """Return whether working out `node` itself, its parts aside, reads one of them."""
        if isinstance(node, t.Constant):
            # A row or a choice may be called as a number is.
            return node.name in self.numbers and can_vary(node.type)
        return isinstance(node, t.Cell) and (node.table, node.column) in self.columns


NONE = Parameters()
"""No figure: everything is written out."""


def can_vary(kind: Type) -> bool:
    """Return whether values of a type may be read as figures: whole numbers, and dice."""
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
    """Return the least and the greatest that a whole number may be instead of the one that is published."""
    most = SMALL if abs(published) <= SMALL else LARGE
    return -most, most
