"""The plain evaluator: walks a typed tree. It is the oracle against which compiled expressions are tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Protocol

from rulewright.base.errors import RulewrightError
from rulewright.dice.rounding import divide
from rulewright.language.builtin import list_functions, list_functions_of_values, list_walks
from rulewright.language.builtins.aggregates import check_limits, find_extreme_roll
from rulewright.language.builtins.distances import iterate_walk
from rulewright.language.declarations import FIRST_PLAYER, GAME, PLAYER_KIND, Declarations
from rulewright.language.expressions import typed_ast as t
from rulewright.language.expressions.expression_cost import LONGEST_LIST, Budget, ExpressionCosts
from rulewright.language.expressions.typed_ast import Typed
from rulewright.language.types import Boolean, Dice, Integer, ListOf, MapOf, Optional, RecordOf, Row, Type


class World(Protocol):
    """The view of a game that expressions have."""

    def objects(self, kind: str) -> tuple[int, ...]: ...
    def read_field(self, entity: int, kind: str, name: str) -> Any: ...
    def spend(self, operations: int) -> None: ...
    def hold(self, elements: int) -> None: ...
    def look_ahead(self, procedure: str, arguments: tuple[Any, ...], judge: Callable[[Evaluate], Any]) -> Any: ...


class NoSuchPlaceError(RulewrightError):
    """A list has fewer elements than are asked for."""


class Evaluate:
    """Evaluates against one ruleset's declarations and one world. Without a world, only constants."""

    def __init__(self, declarations: Declarations, world: World | None = None) -> None:
        self.declarations = declarations
        self.world = world
        self.costs = ExpressionCosts.for_declarations(declarations)
        self.spend = world.spend if world is not None else Budget().spend

    def value(self, node: Typed, frame: Sequence[Any] = (), variables: Mapping[str, Any] | None = None) -> Any:
        """Return the value of `node`. Locals are read from `frame`, loop variables and parameters from `variables`."""
        return _METHODS[type(node)](self, node, frame, variables or {})

    def _constant(self, node: t.Constant, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        return node.value

    def _local(self, node: t.Local, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        return frame[node.slot]

    def _variable(self, node: t.Variable, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        return variables[node.name]

    def _objects(self, node: t.Objects, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        assert self.world is not None
        return self.world.objects(node.kind)

    def _stored(self, node: t.Stored, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        assert self.world is not None
        return self.world.read_field(self.value(node.base, frame, variables), node.kind, node.field)

    def _cardcount(self, node: t.CardCount, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        assert self.world is not None
        deck = self.declarations.decks[node.deck]
        owner = GAME if node.owner is None else self.value(node.owner, frame, variables)
        return sum(len(self.world.read_field(owner, deck.kind, name)) for name in deck.fields)

    def _deckcards(self, node: t.DeckCards, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        return self.value(node.stored, frame, variables)

    def _cell(self, node: t.Cell, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        row = self.value(node.base, frame, variables)
        if node.column == t.ROW_RANK:
            return self.rank(node.table, row) + 1
        return self.declarations.tables[node.table].rows[row].cells[node.column]

    def rank(self, table: str, row: str) -> int:
        """Return the place of a row in its table, from 0."""
        return list(self.declarations.tables[table].rows).index(row)

    def _lookup(self, node: t.Lookup, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        return self.value(node.key, frame, variables)

    def _entry(self, node: t.Entry, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        value, key = self.value(node.base, frame, variables), self.value(node.key, frame, variables)
        return value[key - FIRST_PLAYER if node.table == PLAYER_KIND else self.rank(node.table, key)]

    def _partof(self, node: t.PartOf, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        return self.value(node.base, frame, variables)[node.place]

    def _nth(self, node: t.Nth, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        """Return an element of a list by its number, from 1. Raises `NoSuchPlaceError` if the list is shorter."""
        result = self.value(node.source, frame, variables)
        if node.place > len(result):
            elements = "1 element" if len(result) == 1 else f"{len(result)} elements"
            raise NoSuchPlaceError(f"the list has {elements}, so there is no element {node.place}")
        return result[node.place - 1]

    def _listelement(self, node: t.ListElement, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        values, key = self.value(node.source, frame, variables), self.value(node.key, frame, variables)
        return find_element(
            key if node.among is None else find_index(key, self.value(node.among, frame, variables)), values
        )

    def _arithmetic(self, node: t.Arithmetic, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        """Return the result of an operator between numbers, dice or lists.

        Raises `ZeroDivisionError`, `OverflowError` for a product or list that is too large, and `DiceError` for too
        many dice.
        """
        left, right = self.value(node.left, frame, variables), self.value(node.right, frame, variables)
        if may_explode(node):
            return multiply(left, right)
        if isinstance(left, tuple):
            return self._hold(join_lists(left, right)) if node.operator == "+" else remove_elements(left, right)
        return compute_arithmetic(node.operator, left, right, node.rounding)

    def _hold(self, joined: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.world is not None:
            self.world.hold(len(joined))
        return joined

    def _comparison(self, node: t.Comparison, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        left, right = self.value(node.left, frame, variables), self.value(node.right, frame, variables)
        if node.table is not None:
            left, right = self.rank(node.table, left), self.rank(node.table, right)
        match node.operator:
            case "==":
                return left == right
            case "!=":
                return left != right
            case "<":
                return left < right
            case "<=":
                return left <= right
            case ">":
                return left > right
        return left >= right

    def _membership(self, node: t.Membership, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        result = self.value(node.item, frame, variables) in self.value(node.source, frame, variables)
        return result != node.negated

    def _logic(self, node: t.Logic, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        if node.operator == "and":
            return all(self.value(operand, frame, variables) for operand in node.operands)
        return any(self.value(operand, frame, variables) for operand in node.operands)

    def _not(self, node: t.Not, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        return not self.value(node.operand, frame, variables)

    def _present(self, node: t.Present, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        return self.value(node.operand, frame, variables) is not None

    def _coalesce(self, node: t.Coalesce, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        first = self.value(node.first, frame, variables)
        return first if first is not None else self.value(node.otherwise, frame, variables)

    def _if(self, node: t.If, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        chosen = node.then if self.value(node.condition, frame, variables) else node.otherwise
        return self.value(chosen, frame, variables)

    def _items(self, node: t.Items, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        return tuple(self.value(item, frame, variables) for item in node.items)

    def _apply(self, node: t.Apply, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        """Return the result of a built-in function of values.

        Rows are compared by rank, and a last row has no next one.

        Raises `DiceError` for too many dice.
        """
        values = [self.value(argument, frame, variables) for argument in node.arguments]
        kind = node.arguments[0].type
        if isinstance(node.type, Dice) and node.function in ("max", "min"):
            return find_extreme_roll(node.function, *values)
        if isinstance(kind, Row) and node.function in ("max", "min"):
            return list_functions_of_values()[node.function].evaluate(
                *values, key=lambda row: self.rank(kind.table, row)
            )
        if isinstance(kind, Row) and node.function in ("next", "previous") and len(values) == 1:
            rows = list(self.declarations.tables[kind.table].rows)
            place = rows.index(values[0]) + (1 if node.function == "next" else -1)
            return rows[place] if 0 <= place < len(rows) else None
        return list_functions_of_values()[node.function].evaluate(*values)

    def _invoke(self, node: t.Invoke, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        formula = self.declarations.formulas[node.formula]
        values = (self.value(argument, frame, variables) for argument in node.arguments)
        return self.value(formula.body, (), dict(zip(formula.parameters, values, strict=True)))

    def _after(self, node: t.After, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        """Return whether a condition would be true after a procedure. Needs a world, which itself is not changed."""
        assert self.world is not None
        arguments = tuple(self.value(argument, frame, variables) for argument in node.arguments)
        return self.world.look_ahead(
            node.procedure, arguments, lambda ahead: ahead.value(node.condition, frame, variables)
        )

    def _aggregate(self, node: t.Aggregate, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        """Return the result of a function of a list.

        Charges for the elements if their number is not known beforehand. `max` and `min` of an empty list give 0, or
        the first row of the table.
        """
        results: list[tuple[Any, Any]] = []
        source = self.value(node.source, frame, variables)
        each, kept_cost = self.costs.estimate_each(node)
        if each:
            self.spend(len(source) * each)
        for item in source:
            inner = {**variables, node.variable: item}
            if node.condition is not None and not self.value(node.condition, frame, inner):
                continue
            if kept_cost:
                self.spend(kept_cost)
            order = self.value(node.order, frame, inner) if node.order is not None else 0
            results.append((order, self.value(node.element, frame, inner)))
        if node.order is not None:
            kind = node.order.type
            results.sort(key=lambda pair: self.rank(kind.table, pair[0]) if isinstance(kind, Row) else pair[0])
        values = tuple(value for _, value in results)
        kind = node.element.type
        if node.function in ("max", "min"):
            if isinstance(kind, Row):
                rows = list(self.declarations.tables[kind.table].rows)
                return list_functions()[node.function].evaluate(values, key=rows.index) if values else rows[0]
            return list_functions()[node.function].evaluate(values) if values else 0
        if node.function in ("any", "none") and not isinstance(kind, Boolean):
            return bool(values) == (node.function == "any")
        if node.function == "flatten":
            return self._hold(flatten_lists(values))
        return list_functions()[node.function].evaluate(values)

    def _travel(self, node: t.Travel, frame: Sequence[Any], variables: Mapping[str, Any]) -> Any:
        """Return the result of a function that walks from place to place, and charge for each place that it visits."""

        def at(place: Any, part: Typed) -> Any:
            return self.value(part, frame, {**variables, node.variable: place})

        def compute_cost(place: Any) -> int | None:
            if node.condition is not None and not at(place, node.condition):
                return None
            return 1 if node.cost is None else int(at(place, node.cost))

        starts = self.value(node.source, frame, variables)
        limit = None if node.limit is None else self.value(node.limit, frame, variables)
        goal = () if node.goal is None else (self.value(node.goal, frame, variables),)
        each = self.costs.estimate_each_place(node)
        function = list_walks()[node.function]
        until = node.until
        ends = None if until is None else lambda place: at(place, until)
        steps = iterate_walk(
            starts,
            lambda place: at(place, node.onward),
            compute_cost,
            self.spend,
            each,
            limit,
            ends,
            apart=function.parts_only,
        )
        return function.evaluate(steps, *goal)


_METHODS = t.map_methods_by_kind(Evaluate)


def compute_arithmetic(operator: str, left: Any, right: Any, rounding: str | None) -> Any:
    """Return `left operator right` for numbers and dice. Dice can only be added, subtracted and multiplied.

    `rounding` is for divisions, and None means `truncate`. Raises `ZeroDivisionError`, and `DiceError` for too many
    dice.
    """
    if isinstance(left, int) and isinstance(right, int):
        match operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "%":
                return left - right * divide(left, right, "down")
        return divide(left, right, rounding or "truncate")
    return compute_dice_arithmetic(operator, left, right)


def find_element(index: int, values: Sequence[Any]) -> Any:
    """Return the element with an index, from 1, or None if there is no such element."""
    return values[index - 1] if 0 < index <= len(values) else None


def find_index(item: Any, values: Sequence[Any]) -> int:
    """Return the index, from 1, of an item in a list, or 0 if it is not in it."""
    return values.index(item) + 1 if item in values else 0


def with_entry(held: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """Return a map with another value for the row at a place of its table, from 0."""
    return (*held[:place], value, *held[place + 1 :])


def join_lists(left: tuple[Any, ...], right: Sequence[Any]) -> tuple[Any, ...]:
    """Return two lists as one. Raises `OverflowError` if it is too long."""
    if len(left) + len(right) > LONGEST_LIST:
        raise _too_long()
    return left + tuple(right)


def flatten_lists(lists: Collection[Sequence[Any]]) -> tuple[Any, ...]:
    """Return the elements of all lists as one list. Raises `OverflowError` if it is too long."""
    if sum(map(len, lists)) > LONGEST_LIST:
        raise _too_long()
    return tuple(chain.from_iterable(lists))


def _too_long() -> OverflowError:
    return OverflowError(f"a list may have at most {LONGEST_LIST:,} elements")


def remove_elements(values: Sequence[Any], removed: Iterable[Any]) -> tuple[Any, ...]:
    """Return `values` without those in `removed`. Each of these removes the first equal value, if there is one."""
    counter = Counter(removed)
    left = []
    for value in values:
        if counter[value]:
            counter[value] -= 1
        else:
            left.append(value)
    return tuple(left)


LARGEST = 10**18
"""The largest absolute value of a number: without a limit, repeated multiplication could fill the memory."""

_SMALL = 1_000


def refuse_large(value: Any) -> None:
    """Raise `OverflowError` for a number beyond `LARGEST`, or a list that contains one."""
    if isinstance(value, tuple):
        for each in value:
            refuse_large(each)
    elif type(value) is int and not -LARGEST <= value <= LARGEST:
        raise OverflowError(f"a number has more than {len(str(LARGEST)) - 1} digits")


def may_be_large(kind: Type) -> bool:
    """Return whether values of a type are numbers, or hold some."""
    if isinstance(kind, ListOf | MapOf | Optional):
        return may_be_large(kind.inner)
    if isinstance(kind, RecordOf):
        return any(may_be_large(part) for _, part in kind.parts)
    return isinstance(kind, Integer)


def may_explode(node: t.Arithmetic) -> bool:
    """Return whether `node` multiplies two numbers neither of which is small and written out."""
    if node.operator != "*" or not isinstance(node.type, Integer):
        return False
    sides = (node.left, node.right)
    return not any(isinstance(side, t.Constant) and -_SMALL <= side.value <= _SMALL for side in sides)


def multiply(left: int, right: int) -> int:
    """Return `left * right`. Raises `OverflowError` beyond `LARGEST`."""
    product = left * right
    refuse_large(product)
    return product


def as_roll(value: Any) -> Any:
    """Return a roll, or the roll that always comes out as this number."""
    from rulewright.dice.ast import Constant

    return Constant(value) if isinstance(value, int) else value


def compute_dice_arithmetic(operator: str, left: Any, right: Any) -> Any:
    """Return `+`, `-` or `*` of two dice or numbers. `n * dice` is one roll multiplied, not several rolls.

    Raises `DiceError` for too many dice.
    """
    from rulewright.dice.ast import Constant, add, multiply_roll, negate

    if isinstance(left, int) and isinstance(right, int):
        return compute_arithmetic(operator, left, right, None)
    if operator == "*":
        factor, roll = (left, right) if isinstance(left, int) else (right, left)
        return multiply_roll(factor, roll)
    first = Constant(left) if isinstance(left, int) else left
    second = Constant(right) if isinstance(right, int) else right
    return check_limits(add(first, negate(second) if operator == "-" else second))
