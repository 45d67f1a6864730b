"""Typed expressions → Python source.

Constant parts are worked out while compiling, tables become dictionaries of constants, and a quantifier over a
constant list is unrolled.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from rulewright.errors import RulewrightError
from rulewright.language.declarations import FIRST_PLAYER, GAME, PLAYER_KIND
from rulewright.language.expression import typed as t
from rulewright.language.expression.evaluate import Evaluate, may_explode
from rulewright.language.expression.typed import Typed, path
from rulewright.language.functions import FUNCTIONS, LIST_FUNCTIONS
from rulewright.language.types import PLAYER, Boolean, Dice, Integer, ListOf, Row
from rulewright.play.compile.constants import Constants
from rulewright.play.compile.heads import heads
from rulewright.play.compile.kept import Field, field_of, kept, may_fail

MOST_UNROLLED = 32
"""Elements a constant list may have to be unrolled."""

MOST_WRITTEN_OUT = 2_000
"""Operations an unrolled quantifier may have in all, with those inside it."""


class Expressions:
    """Writes expressions of one ruleset. `slot` writes a local; `known` maps loop variables to constants.

    `held`, unless it is None, collects the values of the game that are kept in Python variables.
    """

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        self.evaluate = Evaluate(constants.ruleset.declarations)
        self.inline = False
        self.held: set[int] | None = None
        self.known: dict[str, t.Constant] = {}
        self.fixed_formulas: dict[str, bool] = {}
        self.kept: dict[Field, str] = {}
        self.risks = 0

    def slot(self, slot: int) -> str:
        """A local: a Python variable in a procedure that never stops, else a place of the frame `f`."""
        return f"l{slot}" if self.inline else f"f[{slot}]"

    def of_game(self, place: int) -> str:
        """A value of the game."""
        if self.held is None:
            return f"g[{place}]"
        self.held.add(place)
        return f"g{place}"

    def code(self, node: Typed) -> str:
        """The source of an expression. It may read `s` (the state), `o` (its objects), `g` (the game, the first of
        them), `f` (the frame) and `seats` (how many players there are).
        """
        if not isinstance(node, t.Constant) and self.is_constant(node):
            # What cannot be worked out is left for the game to run into, so that the fault has a place in the rules.
            with suppress(RulewrightError, OverflowError):
                return self.constants.literal(self._worked_out(node))
        self.risks += may_fail(node)
        method = getattr(self, "_" + type(node).__name__.lower())
        written: str = method(node)
        return written

    def body(self, node: Typed, parameters: Iterable[str]) -> list[str]:
        """The lines of a function that works out `node`; what it reads again and again is kept in variables."""
        layout = self.constants.layout
        lines: list[str] = []
        for field, as_set in kept(node, parameters, self._length).items():
            read = f"v_{field.of}"
            if field.name:
                place = layout.places[field.kind, field.name]
                read = f"o[{read}][{place}]" if field.of else self.of_game(place)
            self.kept[field] = f"k{len(lines)}"
            lines.append(f"k{len(lines)} = {f'frozenset({read})' if as_set else read}")
        lines.append(f"return {self.code(node)}")
        return [*heads(lines), *lines]

    def _length(self, source: Typed) -> int:
        """How many elements a list has, or a guess where the rules do not fix it."""
        elements = self._elements(source)
        return 3 if elements is None else len(elements)

    def is_constant(self, node: Typed) -> bool:
        """Whether `node` is worked out from nothing but the rules."""
        return self._fixed(node, frozenset(self.known))

    def _fixed(self, node: Typed, bound: frozenset[str]) -> bool:
        match node:
            case t.Local() | t.Objects() | t.Stored():
                return False
            case t.Variable(name=name):
                return name in bound
            case t.Invoke(formula=formula, arguments=arguments):
                if formula not in self.fixed_formulas:
                    found = self.constants.ruleset.declarations.formulas[formula]
                    self.fixed_formulas[formula] = self._fixed(found.body, frozenset(found.parameters))
                return self.fixed_formulas[formula] and all(self._fixed(argument, bound) for argument in arguments)
            case t.Aggregate(variable=variable, source=source):
                inner = bound | {variable}
                rest = (node.element, node.condition, node.order)
                return self._fixed(source, bound) and all(self._fixed(n, inner) for n in rest if n is not None)
        return all(self._fixed(child, bound) for child in node.children)

    # -- leaves ----------------------------------------------------------------------------

    def _constant(self, node: t.Constant) -> str:
        return self.constants.literal(node.value)

    def _local(self, node: t.Local) -> str:
        return self.slot(node.slot)

    def _variable(self, node: t.Variable) -> str:
        if node.name in self.known:
            return self.code(self.known[node.name])
        field = field_of(node)
        return self.kept[field] if field is not None and field in self.kept else f"v_{node.name}"

    def _objects(self, node: t.Objects) -> str:
        return f"s.live[{self.constants.layout.kinds[node.kind]}]"

    def _stored(self, node: t.Stored) -> str:
        field = field_of(node)
        if field is not None and field in self.kept:
            return self.kept[field]
        place = self.constants.layout.places[node.kind, node.field]
        if isinstance(node.base, t.Constant) and node.base.value == GAME:
            return self.of_game(place)
        return f"o[{self.code(node.base)}][{place}]"

    def _cell(self, node: t.Cell) -> str:
        return f"{self.constants.column(node.table, node.column)}[{self.code(node.base)}]"

    def _lookup(self, node: t.Lookup) -> str:
        return self.code(node.key)

    # -- operators -------------------------------------------------------------------------

    def _arithmetic(self, node: t.Arithmetic) -> str:
        left, right = self.code(node.left), self.code(node.right)
        if isinstance(node.type, Dice):
            return f"dice_arithmetic({node.operator!r}, {left}, {right})"
        if may_explode(node):
            return f"times({left}, {right})"
        if isinstance(node.type, ListOf):
            return f"joined(s, {left}, {right})"
        if node.operator == "/":
            return f"({left} // {right})" if node.rounding == "down" else f"divide({left}, {right}, {node.rounding!r})"
        return f"({left} {node.operator} {right})"

    def _comparison(self, node: t.Comparison) -> str:
        left, right = self.code(node.left), self.code(node.right)
        if node.table is not None:
            ranks = self.constants.ranks(node.table)
            left, right = f"{ranks}[{left}]", f"{ranks}[{right}]"
        return f"({left} {node.operator} {right})"

    def _membership(self, node: t.Membership) -> str:
        return f"({self.code(node.item)} {'not in' if node.negated else 'in'} {self.code(node.source)})"

    def _logic(self, node: t.Logic) -> str:
        return "(" + f" {node.operator} ".join(self.code(operand) for operand in node.operands) + ")"

    def _not(self, node: t.Not) -> str:
        return f"(not {self.code(node.operand)})"

    def _present(self, node: t.Present) -> str:
        return f"({self.code(node.operand)} is not None)"

    def _coalesce(self, node: t.Coalesce) -> str:
        first = self.code(node.first)
        if self.is_constant(node.first):
            return self.code(node.otherwise) if first == "None" else first
        otherwise = self.code(node.otherwise)
        if path(node.first) is not None:
            return f"({first} if {first} is not None else {otherwise})"
        if not any(isinstance(part, (t.Stored, t.Invoke)) for part in node.otherwise.walk()):
            return f"either({first}, {otherwise})"
        # The other side may be of no use where the first is there: it may speak of an object that has left the game.
        return f"[x if x is not None else {otherwise} for x in ({first},)][0]"

    def _if(self, node: t.If) -> str:
        return f"({self.code(node.then)} if {self.code(node.condition)} else {self.code(node.otherwise)})"

    def _items(self, node: t.Items) -> str:
        return "(" + "".join(f"{self.code(item)}, " for item in node.items) + ")"

    # -- functions -------------------------------------------------------------------------

    def _apply(self, node: t.Apply) -> str:
        codes = [self.code(argument) for argument in node.arguments]
        kind = node.arguments[0].type
        if isinstance(node.type, Dice) and node.function in ("max", "min"):
            return f"extreme_roll({node.function!r}, {', '.join(codes)})"
        if isinstance(kind, Row) and node.function in ("max", "min"):
            return f"{node.function}({', '.join(codes)}, key={self.constants.ranks(kind.table)}.__getitem__)"
        if isinstance(kind, Row) and node.function == "next" and len(codes) == 1:
            return f"{self.constants.following(kind.table)}[{codes[0]}]"
        if node.function == "next" and kind == PLAYER and node.arguments[1] == t.Objects(ListOf(PLAYER), PLAYER_KIND):
            # Players never leave, and are numbered one after the other.
            seats = "seats" if self.inline else f"len({codes[1]})"
            return f"({codes[0]} % {seats} + {FIRST_PLAYER})"
        return FUNCTIONS[node.function].emit(*codes)

    def _invoke(self, node: t.Invoke) -> str:
        name = self.constants.formula(node.formula)
        return f"{name}({', '.join(['s', *(self.code(argument) for argument in node.arguments)])})"

    def _aggregate(self, node: t.Aggregate) -> str:
        unrolled = self._unrolled(node)
        if unrolled is not None:
            return unrolled
        variable = f"v_{node.variable}"
        # A loop variable hides a constant of the same name further out.
        outer = self.known.pop(node.variable, None)
        where = f" if {self.code(node.condition)}" if node.condition is not None else ""
        element = self.code(node.element)
        order = self.code(node.order) if node.order is not None else None
        if outer is not None:
            self.known[node.variable] = outer
        source = self.code(node.source)
        each = self.evaluate.costs.each(node)
        if each:
            source = f"spend(s, {source}, {each})"
        plain = element == variable and not where and order is None
        if order is not None and node.order is not None:
            if isinstance(node.order.type, Row):
                order = f"{self.constants.ranks(node.order.type.table)}[{order}]"
            values = f"ordered([({order}, {element}) for {variable} in {source}{where}])"
        else:
            values = source if plain else f"[{element} for {variable} in {source}{where}]"
        return self._gathered(node, values)

    def _gathered(self, node: t.Aggregate, values: str) -> str:
        kind = node.element.type
        match node.function:
            case "max" | "min" if isinstance(kind, Row):
                first = next(iter(self.constants.ruleset.declarations.tables[kind.table].rows))
                ranks = self.constants.ranks(kind.table)
                return f"{node.function}({values}, key={ranks}.__getitem__, default={first!r})"
            case "max" | "min":
                return f"{node.function}({values}, default=0)"
            case "any" if not isinstance(kind, Boolean):
                return f"(len({values}) > 0)"
            case "none" if not isinstance(kind, Boolean):
                return f"(len({values}) == 0)"
            case "any":
                return f"(True in {values})"
            case "none":
                return f"(True not in {values})"
            case "all":
                return f"(False not in {values})"
        return LIST_FUNCTIONS[node.function].emit(values, dice=isinstance(kind, Dice))

    def _unrolled(self, node: t.Aggregate) -> str | None:
        """A quantifier over a list that the rules fix, written out element by element."""
        kind = node.element.type
        truth = node.function in ("any", "none", "all") and isinstance(kind, Boolean)
        if node.order is not None or not (truth or (node.function == "sum" and isinstance(kind, Integer))):
            return None
        if self.evaluate.costs.each(node) or self.evaluate.costs.cost(node) > MOST_WRITTEN_OUT:
            return None
        elements = self._elements(node.source)
        if elements is None or len(elements) > MOST_UNROLLED:
            return None
        outer = self.known.get(node.variable)
        risks = self.risks
        parts = []
        for element in elements:
            self.known[node.variable] = element
            value = self.code(node.element)
            if node.condition is not None:
                where = self.code(node.condition)
                match node.function:
                    case "sum":
                        value = f"({value} if {where} else 0)"
                    case "all":
                        value = f"(not {where} or {value})"
                    case _:
                        value = f"({where} and {value})"
            parts.append(value)
        del self.known[node.variable]
        if outer is not None:
            self.known[node.variable] = outer
        # Like a list that is gone through whole, all parts are worked out, for `|` and `&` stop nowhere; unless it
        # makes no difference.
        either, both = (" or ", " and ") if self.risks == risks else (" | ", " & ")
        match node.function:
            case "sum":
                return f"({' + '.join(parts) or '0'})"
            case "any":
                return f"({either.join(parts) or 'False'})"
            case "none":
                return f"(not ({either.join(parts) or 'False'}))"
        return f"({both.join(parts) or 'True'})"

    def _elements(self, source: Typed) -> list[t.Constant] | None:
        """The elements of a list that the rules fix, each as a constant."""
        if isinstance(source.type, ListOf) and self.is_constant(source):
            with suppress(RulewrightError, OverflowError):
                return [t.Constant(source.type.inner, value) for value in self._worked_out(source)]
        return None

    def _worked_out(self, node: Typed) -> Any:
        return self.evaluate.value(node, (), {name: constant.value for name, constant in self.known.items()})
