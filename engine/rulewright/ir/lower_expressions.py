"""The lowering of typed expressions to values of programs.

Constants are computed here, and a quantifier over a constant list is unrolled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.ir import parameters as f
from rulewright.ir.parameters import Parameters
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.builtin import list_functions, list_functions_of_values, list_walks, spell_out
from rulewright.language.declarations import GAME, PLAYER_KIND, Declarations
from rulewright.language.expressions import typed_ast as t
from rulewright.language.expressions.evaluator import Evaluate, may_explode
from rulewright.language.expressions.typed_ast import Typed, build_path
from rulewright.language.types import (
    BOOLEAN,
    DICE,
    INTEGER,
    NOTHING,
    PLAYER,
    Boolean,
    Choice,
    Dice,
    Entity,
    Integer,
    ListOf,
    MapOf,
    Optional,
    RecordOf,
    Row,
    Text,
    Type,
    present,
)

MOST_UNROLLED = 32
"""The maximum number of elements of a constant list that is unrolled."""

MOST_WRITTEN_OUT = 2_000
"""The maximum number of operations of an unrolled quantifier, including the quantifiers inside it."""

_COMPARED = {"==": "same", "!=": "differ", "<": "less", "<=": "at-most", ">": "more", ">=": "at-least"}
_ARITHMETIC = {"+": "int.add", "-": "int.sub", "*": "int.mul", "%": "int.mod"}
_DICE = {"+": "dice.add", "-": "dice.sub", "*": "dice.mul"}


class Translate:
    """Translates expressions of one ruleset. `known` maps loop variables to constants. `figures` stay to be read."""

    def __init__(self, declarations: Declarations, parameters: Parameters = f.NONE) -> None:
        self.declarations = declarations
        self.parameters = parameters
        self.evaluate = Evaluate(declarations)
        self.known: dict[str, t.Constant] = {}
        self.fixed_formulas: dict[str, bool] = {}
        self.cached_fields: dict[FieldRead, str] = {}
        self.risks = 0

    def lower_value(self, node: Typed) -> Value:
        """Return the lowered value of an expression. A constant one is computed now, unless that fails.

        Counts the parts that may fail at run time in `self.risks`.
        """
        if not isinstance(node, t.Constant) and self.is_constant(node):
            # A constant that cannot be computed is left to run time, so that the error has a position.
            with suppress(RulewrightError, OverflowError, ZeroDivisionError):
                return build_literal(self._worked_out(node), node.type)
        self.risks += may_fail(node)
        value: Value = _METHODS[type(node)](self, node)
        return value

    def lower_body(self, node: Typed, parameters: Mapping[str, Type]) -> tuple[tuple[tuple[str, Value], ...], Value]:
        """Return the values that a formula reads repeatedly, by name, and the value computed from them.

        `parameters` are the types of its parameters.
        """
        before: list[tuple[str, Value]] = []
        for field, as_set in find_repeated_fields(node, parameters, self._length).items():
            read = Value("var", parameters.get(field.of, NOTHING), data=(field.of,))
            if field.name:
                kind = self.declarations.kinds[field.kind].fields[field.name].type
                base = read if field.of else Value("ref", NOTHING, data=(GAME,))
                read = Value("field", kind, (base,), (field.kind, field.name))
            name = f"k{len(before)}"
            self.cached_fields[field] = name
            before.append((name, Value("list.set", read.type, (read,)) if as_set else read))
        value = self.lower_value(node)
        self.cached_fields = {}
        return tuple(before), value

    def _length(self, source: Typed) -> int:
        """Return the number of elements of a list, or a guess if the rules do not fix it."""
        elements = self._elements(source)
        return 3 if elements is None else len(elements)

    def is_constant(self, node: Typed) -> bool:
        """Return whether `node` is worked out from nothing but the rules."""
        return self._fixed(node, frozenset(self.known))

    def _fixed(self, node: Typed, bound: frozenset[str]) -> bool:
        """Return whether `node` depends on nothing but the rules and the variables in `bound`. Cached for formulas."""
        if node.READS_GAME or self.parameters.reads_parameter(node):
            return False
        match node:
            case t.Local() | op.Temporary():
                return False
            case op.Offered() | op.Subsets() | op.Range() | op.OrNone() | op.RowFor():
                return False
            case t.Variable(name=name):
                return name in bound
            case t.Invoke(formula=formula, arguments=arguments):
                if formula not in self.fixed_formulas:
                    result = self.declarations.formulas[formula]
                    self.fixed_formulas[formula] = self._fixed(result.body, frozenset(result.parameters))
                return self.fixed_formulas[formula] and all(self._fixed(argument, bound) for argument in arguments)
            case t.Travel(variable=variable):
                within = bound | {variable}
                return all(self._fixed(part, bound) for part in node.outside) and all(
                    self._fixed(part, within) for part in node.inside
                )
            case t.Aggregate(variable=variable, source=source):
                inner = bound | {variable}
                rest = (node.element, node.condition, node.order)
                return self._fixed(source, bound) and all(self._fixed(n, inner) for n in rest if n is not None)
        return all(self._fixed(child, bound) for child in node.children)

    def _worked_out(self, node: Typed) -> Any:
        return self.evaluate.value(node, (), {name: constant.value for name, constant in self.known.items()})

    def _all(self, nodes: Iterable[Typed]) -> tuple[Value, ...]:
        return tuple(self.lower_value(node) for node in nodes)

    # -- leaves ----------------------------------------------------------------------------

    def _constant(self, node: t.Constant) -> Value:
        if self.parameters.reads_parameter(node):
            return Value("figure", node.type, data=(node.name, node.value))
        return build_literal(node.value, node.type)

    def _local(self, node: t.Local) -> Value:
        return Value("slot", node.type, data=(node.slot,))

    def _temporary(self, node: op.Temporary) -> Value:
        return Value("temp", node.type, data=(node.number,))

    def _variable(self, node: t.Variable) -> Value:
        if node.name in self.known:
            return self.lower_value(self.known[node.name])
        field = find_field(node)
        return Value("var", node.type, data=(self.cached_fields.get(field, node.name) if field else node.name,))

    def _objects(self, node: t.Objects) -> Value:
        return Value("objects", node.type, data=(node.kind,))

    def _stored(self, node: t.Stored) -> Value:
        field = find_field(node)
        if field is not None and field in self.cached_fields:
            return Value("var", node.type, data=(self.cached_fields[field],))
        return Value("field", node.type, (self.lower_value(node.base),), (node.kind, node.field))

    def _cardcount(self, node: t.CardCount) -> Value:
        owner = () if node.owner is None else (self.lower_value(node.owner),)
        return Value("deck.count", INTEGER, owner, (node.deck,))

    def _deckcards(self, node: t.DeckCards) -> Value:
        return self.lower_value(node.stored)

    def _cell(self, node: t.Cell) -> Value:
        if node.column == t.ROW_RANK:
            return Value("row.rank", INTEGER, (self.lower_value(node.base),), (node.table,))
        return Value("cell", node.type, (self.lower_value(node.base),), (node.table, node.column))

    def _lookup(self, node: t.Lookup) -> Value:
        return self.lower_value(node.key)

    def _entry(self, node: t.Entry) -> Value:
        return Value("map.at", node.type, (self.lower_value(node.base), self.lower_value(node.key)), (node.table,))

    def _listelement(self, node: t.ListElement) -> Value:
        index = self.lower_value(node.key)
        if node.among is not None:
            index = Value("list.index", INTEGER, (index, self.lower_value(node.among)))
        return Value("list.nth", node.type, (index, self.lower_value(node.source)))

    def _partof(self, node: t.PartOf) -> Value:
        return Value("record.part", node.type, (self.lower_value(node.base),), (node.record, node.part, node.place))

    # -- operators -------------------------------------------------------------------------

    def _arithmetic(self, node: t.Arithmetic) -> Value:
        sides = self.lower_value(node.left), self.lower_value(node.right)
        if isinstance(node.type, Dice):
            return Value(_DICE[node.operator], DICE, sides)
        if may_explode(node):
            return Value("int.mul.checked", INTEGER, sides)
        if isinstance(node.type, ListOf):
            return Value("list.join" if node.operator == "+" else "list.minus", node.type, sides)
        if node.operator == "/":
            return Value("int.div", INTEGER, sides, (node.rounding or "truncate",))
        return Value(_ARITHMETIC[node.operator], INTEGER, sides)

    def _comparison(self, node: t.Comparison) -> Value:
        sides = self.lower_value(node.left), self.lower_value(node.right)
        if node.table is not None:
            sides = self._rank(sides[0], node.table), self._rank(sides[1], node.table)
        return Value(_COMPARED[node.operator], BOOLEAN, sides)

    def _rank(self, value: Value, table: str) -> Value:
        if value.op == "row":
            rows = list(self.declarations.tables[table].rows)
            return Value("int", INTEGER, data=(rows.index(value.data[0]) + 1,))
        return Value("row.rank", INTEGER, (value,), (table,))

    def _membership(self, node: t.Membership) -> Value:
        sides = self.lower_value(node.item), self.lower_value(node.source)
        return Value("list.lacks" if node.negated else "list.has", BOOLEAN, sides)

    def _logic(self, node: t.Logic) -> Value:
        return Value(node.operator, BOOLEAN, self._all(node.operands))

    def _not(self, node: t.Not) -> Value:
        return Value("not", BOOLEAN, (self.lower_value(node.operand),))

    def _present(self, node: t.Present) -> Value:
        return Value("some", BOOLEAN, (self.lower_value(node.operand),))

    def _coalesce(self, node: t.Coalesce) -> Value:
        first = self.lower_value(node.first)
        if self.is_constant(node.first) and first.fixed:
            return self.lower_value(node.otherwise) if first.op == "none" else first
        # `again` allows reading the first value twice, and `careful` forbids evaluating the second one in vain.
        again = build_path(node.first) is not None
        careful = any(isinstance(part, (t.Stored, t.Invoke)) for part in node.otherwise.walk())
        return Value("else", node.type, (first, self.lower_value(node.otherwise)), (again, careful))

    def _if(self, node: t.If) -> Value:
        return Value("if", node.type, self._all((node.condition, node.then, node.otherwise)))

    def _items(self, node: t.Items) -> Value:
        kind = present(node.type)
        if isinstance(kind, RecordOf):
            return Value("record", kind, self._all(node.items), (kind.name, *(part for part, _ in kind.parts)))
        return Value("list", node.type, self._all(node.items))

    # -- functions -------------------------------------------------------------------------

    def _apply(self, node: t.Apply) -> Value:
        spelled = spell_out(node)
        if spelled is not None:
            return self.lower_value(spelled)
        args = self._all(node.arguments)
        kind = node.arguments[0].type
        beside = {"next": "players.after", "previous": "players.before"}.get(node.function)
        if beside and kind == PLAYER and node.arguments[1] == t.Objects(ListOf(PLAYER), PLAYER_KIND):
            # Players never leave the game, and have consecutive numbers.
            return Value(beside, PLAYER, args)
        operation = list_functions_of_values()[node.function].operation
        assert operation is not None
        name = operation(tuple(argument.type for argument in node.arguments), node.type)
        return Value(name, node.type, args, _table_of(name, kind))

    def _invoke(self, node: t.Invoke) -> Value:
        return Value("formula", node.type, self._all(node.arguments), (node.formula,))

    def _after(self, node: t.After) -> Value:
        arguments = self._all(node.arguments)
        # Values that were read before the procedure do not hold after it.
        outer, self.cached_fields = self.cached_fields, {}
        condition = self.lower_value(node.condition)
        self.cached_fields = outer
        return Value("after", BOOLEAN, (*arguments, condition), (node.procedure,))

    def _aggregate(self, node: t.Aggregate) -> Value:
        unrolled = self._unroll(node)
        if unrolled is not None:
            return unrolled
        # The loop variable shadows an outer constant with the same name.
        outer = self.known.pop(node.variable, None)
        condition = self.lower_value(node.condition) if node.condition is not None else None
        element = self.lower_value(node.element)
        order = self.lower_value(node.order) if node.order is not None else None
        if outer is not None:
            self.known[node.variable] = outer
        source = self.lower_value(node.source)
        costs = self.evaluate.costs.estimate_each(node)
        if node.order is not None and order is not None and isinstance(node.order.type, Row):
            order = self._rank(order, node.order.type.table)
        value = source
        plain = element == Value("var", element.type, data=(node.variable,)) and condition is None and order is None
        if not plain or any(costs):
            args = (source, element, *(part for part in (condition, order) if part is not None))
            data = (node.variable, condition is not None, order is not None, *costs)
            value = Value("gather", ListOf(element.type), args, data)
        operation = list_functions()[node.function].operation
        assert operation is not None
        name = operation((node.element.type,), node.type)
        return Value(name, node.type, (value,), _table_of(name, node.element.type))

    def _travel(self, node: t.Travel) -> Value:
        # The variable for places shadows an outer constant with the same name.
        outer = self.known.pop(node.variable, None)
        inside = [
            None if part is None else self.lower_value(part)
            for part in (node.onward, node.condition, node.cost, node.until)
        ]
        if outer is not None:
            self.known[node.variable] = outer
        outside = [None if part is None else self.lower_value(part) for part in (node.source, node.limit, node.goal)]
        parts = (outside[0], *inside[:3], *outside[1:], inside[3])
        has = tuple(part is not None for part in parts[2:])
        operation = list_walks()[node.function].operation
        assert operation is not None
        name = operation((node.type,), node.type)
        data = (node.variable, *has, self.evaluate.costs.estimate_each_place(node))
        return Value(name, node.type, tuple(part for part in parts if part is not None), data)

    def _unroll(self, node: t.Aggregate) -> Value | None:
        """Return a quantifier or sum over a constant list, written out element by element.

        None if the list is not constant or has an order, if that would be too long, and for other functions.
        """
        kind = node.element.type
        truth = node.function in ("any", "none", "all") and isinstance(kind, Boolean)
        if node.order is not None or not (truth or (node.function == "sum" and isinstance(kind, Integer))):
            return None
        if any(self.evaluate.costs.estimate_each(node)) or self.evaluate.costs.estimate(node) > MOST_WRITTEN_OUT:
            return None
        elements = self._elements(node.source)
        if elements is None or len(elements) > MOST_UNROLLED:
            return None
        outer = self.known.get(node.variable)
        risks = self.risks
        parts = []
        for element in elements:
            self.known[node.variable] = element
            value = self.lower_value(node.element)
            if node.condition is not None:
                where = self.lower_value(node.condition)
                match node.function:
                    case "sum":
                        value = Value("if", INTEGER, (where, value, build_literal(0, INTEGER)))
                    case "all":
                        value = Value("or", BOOLEAN, (Value("not", BOOLEAN, (where,)), value))
                    case _:
                        value = Value("and", BOOLEAN, (where, value))
            parts.append(value)
        self.known.pop(node.variable, None)
        if outer is not None:
            self.known[node.variable] = outer
        # A loop evaluates every part, so stop early only if no part can fail.
        safe = self.risks == risks
        match node.function:
            case "sum":
                return _sum(parts)
            case "any" | "none":
                result = (
                    Value("or" if safe else "any", BOOLEAN, tuple(parts)) if parts else build_literal(False, BOOLEAN)
                )
                return result if node.function == "any" else Value("not", BOOLEAN, (result,))
        return Value("and" if safe else "all", BOOLEAN, tuple(parts)) if parts else build_literal(True, BOOLEAN)

    def _elements(self, source: Typed) -> list[t.Constant] | None:
        """Return the elements of a list that the rules fix, each as a constant."""
        if isinstance(source.type, ListOf) and self.is_constant(source):
            with suppress(RulewrightError, OverflowError, ZeroDivisionError):
                return [t.Constant(source.type.inner, value) for value in self._worked_out(source)]
        return None

    # -- nodes of operations only ------------------------------------------------------------

    def _offered(self, node: op.Offered) -> Value:
        args = []
        kind = node.type.inner if isinstance(node.type, ListOf) else node.type
        for offer in node.offers:
            args += [build_literal(offer.id, kind), *([] if offer.when is None else [self.lower_value(offer.when)])]
        conditional = tuple(offer.when is not None for offer in node.offers)
        if not any(conditional):
            return Value("list", node.type, tuple(args))
        return Value("options", node.type, tuple(args), conditional)

    def _subsets(self, node: op.Subsets) -> Value:
        args = self._all(part for part in (node.source, node.low, node.high) if part is not None)
        name = "options.sequences" if node.in_order else "options.subsets"
        return Value(name, node.type, args, (node.low is not None, node.high is not None))

    def _range(self, node: op.Range) -> Value:
        return Value("options.range", node.type, self._all((node.low, node.high)))

    def _ornone(self, node: op.OrNone) -> Value:
        source = self.lower_value(node.source)
        if source.op == "list":
            result = Value("list", node.type, (*source.args, build_literal(None, NOTHING)))
        else:
            result = Value("options.none", node.type, (source,))
        return result if node.when is None else Value("if", node.type, (self.lower_value(node.when), result, source))

    def _cardsleft(self, node: op.CardsLeft) -> Value:
        value = () if node.held is None else (self.lower_value(node.held),)
        return Value("deck.left", node.type, value, (node.deck,))

    def _rowfor(self, node: op.RowFor) -> Value:
        return Value("row.for", node.type, (self.lower_value(node.total),), (node.table,))


_METHODS = t.map_methods_by_kind(Translate)


def build_literal(value: Any, kind: Type) -> Value:
    """Return a constant of a type as a lowered value. For None, this is `none`, whatever the type."""
    match present(kind), value:
        case _, None:
            return Value("none", NOTHING)
        case ListOf(inner=inner) | MapOf(inner=inner), tuple():
            return Value("list", kind, tuple(build_literal(item, inner) for item in value))
        case RecordOf(name=name, parts=parts) as record, tuple():
            args = tuple(build_literal(item, part) for item, (_, part) in zip(value, parts, strict=True))
            return Value("record", record, args, (name, *(part for part, _ in parts)))
        case _, bool():
            return Value("bool", BOOLEAN, data=(value,))
        case Entity(), int():
            return Value("ref", kind, data=(value,))
        case _, int():
            return Value("int", INTEGER, data=(value,))
        case Row(table=table), str():
            return Value("row", Row(table), data=(value,))
        case Choice() | Optional(), str():
            return Value("symbol", kind, data=(value,))
        case Text(), str():
            return Value("text", kind, data=(value,))
        case _, str():
            return Value("symbol", kind, data=(value,))
        case _, tuple():
            return Value("list", kind, tuple(build_literal(item, kind) for item in value))
    return Value("dice", DICE, data=(value,))


def _sum(parts: list[Value]) -> Value:
    total = parts[0] if parts else build_literal(0, INTEGER)
    for part in parts[1:]:
        total = Value("int.add", INTEGER, (total, part))
    return total


def _table_of(operation: str, kind: Type) -> tuple[str, ...]:
    """Return the table as additional data of an operation on rows, or nothing for other operations."""
    inner = present(kind)
    return (inner.table,) if isinstance(inner, Row) and "row" in operation.split(".") else ()


SEVERAL = 8
"""The assumed number of places that a traversal visits."""

MANY = 16
"""The number of membership tests on a list from which on a set is faster, however short the list is."""


@dataclass(frozen=True, slots=True)
class FieldRead:
    """A field of the game, or of the player in a formula's parameter `of`. Without a name, that parameter itself."""

    of: str
    kind: str
    name: str


def may_fail(node: Typed) -> bool:
    """Return whether evaluating `node` itself, without its parts, can fail, so that skipping it would be observable."""
    match node:
        case t.Stored(base=base):
            # The game and its players never leave, but other objects may have left.
            return not _is_game(base) and base.type != PLAYER
        case t.Arithmetic(operator=operator):
            return not isinstance(node.type, Integer) or operator not in "+-*" or may_explode(node)
        case t.Aggregate(function=function):
            return function not in ("any", "all", "none", "count")
        case t.Apply() | t.Invoke() | t.Travel() | t.After():
            return True
    return False


def find_field(node: Typed) -> FieldRead | None:
    """Return the field of the game or of a player that `node` reads, or the variable with a list. None otherwise.

    Only the value of such a read can be kept for a whole formula.
    """
    if isinstance(node, t.Stored):
        if _is_game(node.base):
            return FieldRead("", node.kind, node.field)
        if isinstance(node.base, t.Variable) and node.base.type == PLAYER:
            return FieldRead(node.base.name, node.kind, node.field)
    if isinstance(node, t.Variable) and isinstance(node.type, ListOf):
        return FieldRead(node.name, "", "")
    return None


def find_repeated_fields(
    body: Typed, parameters: Iterable[str], length: Callable[[Typed], int]
) -> dict[FieldRead, bool]:
    """Return the fields that a formula reads more than once, and whether it only searches them, and often.

    Lists among its parameters are included only in the latter case, because they need not be read again. `length`
    returns or guesses the number of elements of a list.
    """
    hidden = {node.variable for node in body.walk() if isinstance(node, t.Aggregate | t.Travel)}
    known = {"", *parameters} - hidden
    reads: dict[FieldRead, int] = {}
    searches: dict[FieldRead, int] = {}
    for node, times in _list_repeated(body, 1, length):
        if (
            isinstance(node, t.Membership)
            and (result := find_field(node.source)) is not None
            and _sortable(node.source)
        ):
            searches[result] = searches.get(result, 0) + times
        if (result := find_field(node)) is not None and result.of in known:
            reads[result] = reads.get(result, 0) + times
    again = {field: count == searches.get(field, 0) and count >= MANY for field, count in reads.items() if count > 1}
    return {field: as_set for field, as_set in again.items() if field.name or as_set}


def _list_repeated(node: Typed, times: int, length: Callable[[Typed], int]) -> Iterator[tuple[Typed, int]]:
    """Yield `node` and every node below it, with the approximate number of times it is evaluated.

    `times` is the number for `node`, and `length` returns the number of elements of a list.
    """
    yield node, times
    if isinstance(node, t.After):
        for argument in node.arguments:
            yield from _list_repeated(argument, times, length)
        return
    if isinstance(node, t.Travel):
        for once in node.outside:
            yield from _list_repeated(once, times, length)
        for again in node.inside:
            yield from _list_repeated(again, times * SEVERAL, length)
        return
    if not isinstance(node, t.Aggregate):
        for child in node.children:
            yield from _list_repeated(child, times, length)
        return
    yield from _list_repeated(node.source, times, length)
    for part in (node.element, node.condition, node.order):
        if part is not None:
            yield from _list_repeated(part, times * length(node.source), length)


def _is_game(base: Typed) -> bool:
    return isinstance(base, t.Constant) and base.value == GAME


def _sortable(source: Typed) -> bool:
    return isinstance(source.type, ListOf) and isinstance(source.type.inner, Integer | Row | Choice | Entity)
