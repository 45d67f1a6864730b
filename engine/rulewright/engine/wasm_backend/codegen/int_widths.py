"""The ranges of numbers in a program, and the computations that can be left out without an observable difference.

Stored numbers never exceed `LARGEST`. This bounds which sums and products always fit into 64 bits. The others are
checked at run time.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.ir.parameters import find_limits
from rulewright.ir.program import LoweredFormula, Program
from rulewright.ir.values import Value
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions.evaluator import LARGEST
from rulewright.language.expressions.expression_cost import LONGEST_LIST
from rulewright.language.operations import MOST_OPTIONS, Remove
from rulewright.language.types import Entity, Integer, ListOf, Optional, Type
from rulewright.ruleset.ruleset import Ruleset

Ends = tuple[int, int]

WIDEST = (1 << 63) - 1
_ANY: Ends = (-LARGEST, LARGEST)
_COUNTED: Ends = (0, max(MOST_OPTIONS, LONGEST_LIST) + 1)

_SMALL = 60
"""The maximum number of operations in a formula that is inlined, found by experiment."""


def is_first_player(players: Value) -> bool:
    """Return whether a list has all players. Its first element always exists, because players never leave."""
    return players.op == "objects" and players.data[0] == PLAYER_KIND


def _hull(ends: list[Ends]) -> Ends:
    return min(low for low, _ in ends), max(high for _, high in ends)


def find_kind(type_: Type) -> str:
    """Return the kind of an object, or of those of a list."""
    while isinstance(type_, (ListOf, Optional)):
        type_ = type_.inner
    assert isinstance(type_, Entity)
    return type_.kind


class IntWidths:
    """The bounds of the values of one ruleset."""

    def __init__(self, program: Program, ruleset: Ruleset) -> None:
        self._program = program
        self._ruleset = ruleset
        self._formulas: dict[str, Ends] = {}
        self._columns: dict[tuple[str, ...], Ends] = {}
        self._harmless: dict[str, bool] = {}
        self._sizes: dict[str, int] = {}
        self._free: dict[str, bool] = {}
        self._leaving: set[str] | None = None

    def find_ends(self, value: Value) -> Ends:
        """Return the minimum and the maximum of a number, assuming that nothing has overflowed."""
        low, high = self._exact(value)
        return max(low, -WIDEST), min(high, WIDEST)

    def may_overflow(self, value: Value) -> bool:
        """Return whether a sum or a product can leave 64 bits."""
        low, high = self._exact(value)
        return low < -WIDEST or high > WIDEST

    def exceeds_width(self, value: Value) -> bool:
        """Return whether a number can be beyond `LARGEST` in either direction."""
        if not isinstance(value.type, Integer):
            return False
        low, high = self._exact(value)
        return low < -LARGEST or high > LARGEST

    def _exact(self, value: Value) -> Ends:
        """Return the minimum and maximum of a number without the limits of a word, or the widest range if unknown."""
        match value.op:
            case "int":
                return value.data[0], value.data[0]
            case "figure" if isinstance(value.type, Integer):
                return find_limits(value.data[1])
            case "int.add" | "int.sub" | "int.mul":
                (a, b), (c, d) = map(self.find_ends, value.args)
                if value.op == "int.add":
                    return a + c, b + d
                if value.op == "int.sub":
                    return a - d, b - c
                products = (a * c, a * d, b * c, b * d)
                return min(products), max(products)
            case "int.div":
                low, high = self.find_ends(value.args[0])
                most = max(abs(low), abs(high))
                return (0 if low >= 0 and self.find_ends(value.args[1])[0] > 0 else -most), most
            case "int.mod":
                low, high = self.find_ends(value.args[1])
                return min(low, 0), max(high, 0)
            case "int.max" | "int.min":
                return _hull([self.find_ends(arg) for arg in value.args])
            case "if":
                return _hull([self.find_ends(arg) for arg in value.args[1:]])
            case "else":
                return _hull([self.find_ends(arg) for arg in value.args])
            case "list.count" | "deck.count":
                return _COUNTED
            case "row.rank":
                return 1, len(self._ruleset.declarations.tables[value.data[0]].rows)
            case "cell":
                return self._column(*value.data)
            case "list.sum":
                low, high = self._element(value.args[0])
                return min(low, 0) * LONGEST_LIST, max(high, 0) * LONGEST_LIST
            case "list.max" | "list.min":
                low, high = self._element(value.args[0])
                return min(low, 0), max(high, 0)
            case "formula":
                return self._formula(value.data[0])
        return _ANY

    def _element(self, value: Value) -> Ends:
        while value.op in ("list.of", "list.set", "list.distinct"):
            value = value.args[0]
        return self.find_ends(value.args[1]) if value.op == "gather" else _ANY

    def _column(self, table: str, column: str) -> Ends:
        """Return the minimum and maximum of a column, or the widest range unless all cells are numbers. Cached."""
        key = (table, column)
        if key not in self._columns:
            cells = [row.cells[column] for row in self._ruleset.declarations.tables[table].rows.values()]
            numbers = [cell for cell in cells if type(cell) is int]
            known = len(numbers) == len(cells) and bool(numbers)
            if key in self._program.parameters.columns:
                numbers = [end for number in numbers for end in find_limits(number)]
            self._columns[key] = (min(numbers), max(numbers)) if known else _ANY
        return self._columns[key]

    def _formula(self, identity: str) -> Ends:
        if identity not in self._formulas:
            self._formulas[identity] = self.find_ends(self._program.get_formula(identity).value)
        return self._formulas[identity]

    def is_harmless(self, value: Value) -> bool:
        """Return whether skipping a value is unobservable: it cannot fail and costs no operations."""
        return self._all(value, self._alone)

    def _all(self, value: Value, test: Callable[[Value], bool]) -> bool:
        return all(test(part) for part in value.walk())

    def _alone(self, value: Value) -> bool:
        """Return whether the operation of a value can neither fail nor charge. Its arguments do not count."""
        match value.op:
            case "field":
                return value.data[0] == PLAYER_KIND or value.args[0].op == "ref"
            case "gather":
                return not any(value.data[3:])
            case "int.add" | "int.sub" | "int.mul":
                return not self.may_overflow(value)
            case "list.sum":
                return not self.may_overflow(value)
            case "formula":
                return self._formula_harmless(value.data[0])
            case "int.div" | "int.mod":
                return value.args[1].op == "int" and value.args[1].data[0] != 0
        risky = ("after", "dice.", "walk.", "options", "int.mul.checked", "list.join", "list.flat", "list.rotate")
        return not value.op.startswith(risky)

    def may_have_left(self, kind: str) -> bool:
        """Return whether objects of a kind ever leave a game."""
        if self._leaving is None:
            operations = (each for routine in self._program.routines.values() for each in routine.walk())
            self._leaving = {find_kind(each.entity.type) for each in operations if isinstance(each, Remove)}
        return kind in self._leaving

    def free(self, value: Value) -> bool:
        """Return whether evaluating a value charges nothing."""
        for part in value.walk():
            if part.op == "after" or part.op.startswith("walk.") or (part.op == "gather" and any(part.data[3:])):
                return False
            if part.op == "formula" and not self._formula_free(part.data[0]):
                return False
        return True

    def _formula_free(self, identity: str) -> bool:
        """Return whether evaluating a formula charges nothing. Cached."""
        if identity not in self._free:
            formula = self._program.get_formula(identity)
            self._free[identity] = all(
                map(self.free, [*(value for _, value in formula.memoized_values), formula.value])
            )
        return self._free[identity]

    def find_inlined(self, identity: str) -> LoweredFormula | None:
        """Return a formula if it is small enough to be inlined, else None."""
        formula = self._program.get_formula(identity)
        return formula if not formula.memoized_values and self._size(formula.value) <= _SMALL else None

    def _size(self, value: Value) -> int:
        """Return the number of operations of a value, with small formulas inlined.

        The result is above the limit for small values if it iterates over lists.
        """
        if value.op == "list.first" and is_first_player(value.args[0]):
            return 1
        if value.op.startswith(("after", "gather", "walk.", "list", "options", "dice.", "deck.")):
            return _SMALL + 1
        if value.op == "formula":
            identity = value.data[0]
            if identity not in self._sizes:
                formula = self._program.get_formula(identity)
                self._sizes[identity] = _SMALL + 1 if formula.memoized_values else self._size(formula.value)
            own = self._sizes[identity]
            own = 1 if own > _SMALL else own
        else:
            own = 1
        return own + sum(map(self._size, value.args))

    def _formula_harmless(self, identity: str) -> bool:
        """Return whether evaluating a formula can neither fail nor charge. Cached."""
        if identity not in self._harmless:
            formula: LoweredFormula = self._program.get_formula(identity)
            parts = [*(value for _, value in formula.memoized_values), formula.value]
            self._harmless[identity] = all(map(self.is_harmless, parts))
        return self._harmless[identity]
