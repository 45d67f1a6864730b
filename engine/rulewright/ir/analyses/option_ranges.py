"""Option ranges: for each decision, the set of all options that it can ever offer, if the rules fix that set.

Most ranges follow from the type of the options: ids, rows, players, true and false. Numbers need bounds. The analysis
computes an interval for every stored number that such a decision reads: it starts with the empty interval, joins
the values of all writes until nothing changes, and widens an interval that keeps growing. Control flow and conditions
are ignored, so an interval may be too wide, but it contains every number of every game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple

from rulewright.dice.ast import Roll
from rulewright.dice.static_bounds import reach
from rulewright.ir.analyses.roll_provenance import Place
from rulewright.ir.program import Program, Routine, build_program
from rulewright.ir.values import Value, to_python
from rulewright.language import operations as op
from rulewright.language.declarations import GAME_KIND
from rulewright.language.operations import Operation, Region
from rulewright.language.types import (
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
    Type,
)
from rulewright.ruleset.ruleset import Ruleset

# -- ranges --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OptionRange:
    """Base of all ranges."""


@dataclass(frozen=True, slots=True)
class IdRange(OptionRange):
    """The ids of a choice."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowRange(OptionRange):
    """The rows of a table."""

    table: str


@dataclass(frozen=True, slots=True)
class ObjectRange(OptionRange):
    """The objects of a kind, or the players. The game decides which these are, and whether new ones can appear."""

    kind: str


@dataclass(frozen=True, slots=True)
class TruthRange(OptionRange):
    """False and true."""


@dataclass(frozen=True, slots=True)
class NumberRange(OptionRange):
    """The whole numbers from `low` to `high`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class RecordRange(OptionRange):
    """The records with a value of each part."""

    parts: tuple[OptionRange, ...]


@dataclass(frozen=True, slots=True)
class SubsetRange(OptionRange):
    """The lists of `low` to `high` elements, in any order. `high` is None if there is no fixed maximum.

    With `repeats`, an element may occur several times.
    """

    inner: OptionRange
    low: int
    high: int | None
    repeats: bool


@dataclass(frozen=True, slots=True)
class OptionalRange(OptionRange):
    """A range, and none."""

    inner: OptionRange


# -- shapes: a value with the bounds of the numbers in it ---------------------------------------------


class Ends(NamedTuple):
    """The bounds of a number. If `low` is greater than `high`, there is no such number."""

    low: float
    high: float


_NEVER, _ANY = Ends(math.inf, -math.inf), Ends(-math.inf, math.inf)

Shape = Any
"""The `Ends` of a number or a roll, a tuple of the shapes of a record's parts, or `()` for values without numbers.

A list, a map or an optional value has the shape of its elements.
"""

_ROUNDS_BEFORE_WIDENING = 20


def _shape(kind: Type, ends: Ends) -> Shape:
    """Return the shape of a type in which every number has the same bounds. It is empty for a type without numbers."""
    match kind:
        case Integer() | Dice():
            return ends
        case Optional(inner=inner) | ListOf(inner=inner) | MapOf(inner=inner):
            return _shape(inner, ends)
        case RecordOf(parts=parts):
            return tuple(_shape(part, ends) for _, part in parts)
    return ()


def _shape_of(value: Any, kind: Type) -> Shape:
    """Return the shape of a constant of a type. Empty for a type without numbers."""
    match kind:
        case _ if value is None:
            return _shape(kind, _NEVER)
        case Integer() | Dice():
            return Ends(*reach(value)) if isinstance(value, Roll) else Ends(value, value)
        case Optional(inner=inner):
            return _shape_of(value, inner)
        case ListOf(inner=inner) | MapOf(inner=inner):
            return _join([_shape(inner, _NEVER), *(_shape_of(each, inner) for each in value)])
        case RecordOf(parts=parts):
            return tuple(_shape_of(each, part) for each, (_, part) in zip(value, parts, strict=True))
    return ()


def _join(shapes: Iterable[Shape]) -> Shape:
    """Return the smallest shape that contains all of these."""
    result: Shape = ()
    for shape in shapes:
        if not result or not shape:
            result = result or shape
        elif isinstance(shape, Ends):
            result = Ends(min(result.low, shape.low), max(result.high, shape.high))
        else:
            result = tuple(_join(pair) for pair in zip(result, shape, strict=True))
    return result


def _widen(before: Shape, after: Shape) -> Shape:
    """Return `after`, with no bound where it has grown since `before`."""
    if before == _NEVER:
        return after
    if isinstance(after, Ends):
        low = after.low if after.low >= before.low else -math.inf
        return Ends(low, after.high if after.high <= before.high else math.inf)
    return tuple(_widen(*pair) for pair in zip(before, after, strict=True))


def _product(one: Ends, other: Ends) -> Ends:
    ends = [0.0 if 0 in (a, b) else a * b for a in one for b in other]
    return Ends(min(ends), max(ends))


def _quotient(one: Ends, other: Ends) -> Ends:
    """Return bounds of a division with any rounding."""
    if other.low < 1:
        most = max(abs(one.low), abs(one.high))
        return Ends(-most, most)
    ends = [each / by for each in one for by in other if not (math.isinf(each) and math.isinf(by))]
    return Ends(
        one.low if math.isinf(one.low) else math.floor(min(ends)),
        one.high if math.isinf(one.high) else math.ceil(max(ends)),
    )


def _remainder(one: Ends, other: Ends) -> Ends:
    """Return bounds of a remainder, which has the sign of the divisor."""
    if one.low >= 0 and other.low >= 1:
        return Ends(0, min(one.high, other.high - 1))
    return Ends(min(0, other.low + 1), max(0, other.high - 1))


# -- the analysis ----------------------------------------------------------------------------------

Cell = tuple[str, ...]
"""A field of a kind, a slot of a procedure, or a result of a procedure."""

_Write = tuple["_Scope", Value]


class _Scope:
    """A procedure in which a value is computed, with the values of its temporaries."""

    def __init__(self, routine: Routine) -> None:
        self.routine = routine.id
        self.kept: dict[int, Value] = {}
        for each in routine.walk():
            match each:
                case op.Keep(into=into, value=value):
                    self.kept[into] = value
                case op.Ask(into=into, options=value) | op.Chance(into=into, dice=value):
                    self.kept[into] = value

    def slot(self, number: int) -> Cell:
        return "slot", self.routine, str(number)


def find_option_ranges(ruleset: Ruleset) -> Mapping[int, OptionRange | None]:
    """Return the range of the options of each step that asks a player, by the number of the step. Cached.

    It is None if the rules do not fix the options: numbers without bounds, lists of unknown elements, dice and texts.
    """
    return ruleset.get_or_make(_analyze)


def find_stored_numbers(ruleset: Ruleset) -> Mapping[Place, NumberRange]:
    """Return the bounds of the numbers in each field and slot that the rules fix. Cached.

    A place with a list or a map of numbers has the bounds of its elements.
    """
    return ruleset.get_or_make(_find_stored_numbers)


def _analyze(ruleset: Ruleset) -> Mapping[int, OptionRange | None]:
    analysis = _OptionRangeAnalysis(build_program(ruleset), ruleset)
    return MappingProxyType({step: analysis.find(step) for step in analysis.asks})


def _find_stored_numbers(ruleset: Ruleset) -> Mapping[Place, NumberRange]:
    return MappingProxyType(dict(_OptionRangeAnalysis(build_program(ruleset), ruleset).list_numbers()))


class _OptionRangeAnalysis:
    def __init__(self, program: Program, ruleset: Ruleset) -> None:
        self._program = program
        self._declarations = ruleset.declarations
        self.asks: dict[int, list[tuple[_Scope, Value]]] = {}
        self._writes: dict[Cell, list[_Write]] = {}
        self._shapes: dict[Cell, Shape] = {}
        self._types: dict[Cell, Type] = {}
        self._formulas: dict[tuple[Any, ...], Shape] = {}
        self._known = 0
        for routine in program.routines.values():
            scope = _Scope(routine)
            for each in routine.walk():
                if isinstance(each, op.Ask):
                    self.asks.setdefault(each.step.number, []).append((scope, each.options))
                for cell, value in self._list_writes(each, scope):
                    self._writes.setdefault(cell, []).append((scope, value))
            for name, value in routine.gives:
                self._writes.setdefault(("gives", routine.id, name), []).append((scope, value))

    def find(self, step: int) -> OptionRange | None:
        """Return the range of the options of a step, by its number. None if the rules do not fix it."""
        ranges = {self._range(options, scope) for scope, options in self.asks[step]}
        return ranges.pop() if len(ranges) == 1 else None

    def list_numbers(self) -> Iterator[tuple[Place, NumberRange]]:
        """Yield each field and slot with numbers between fixed bounds, and these bounds."""
        for cell, ((scope, value), *_) in list(self._writes.items()):
            self._cell(cell, value.type)
            self._settle(value, scope)
        for (sort, owner, *rest), shape in self._shapes.items():
            if sort != "gives" and isinstance(shape, Ends) and not math.isinf(shape.high - shape.low):
                place: Place = (owner, rest[0]) if sort == "field" else (owner, int(rest[0]))
                yield place, NumberRange(*_whole(shape))

    def _range(self, options: Value, scope: _Scope) -> OptionRange | None:
        """Return the range of the options of a decision, or None if the rules do not fix it."""
        match options.op:
            case "if" if options.args[1].op == "options.none":
                return self._range(options.args[1], scope)
            case "options.none":
                inner = self._range(options.args[0], scope)
                return None if inner is None else inner if isinstance(inner, OptionalRange) else OptionalRange(inner)
            case "options.subsets":
                return self._subsets(options, scope)
            case "options.sequences":
                return None
        kind = options.type
        assert isinstance(kind, ListOf)
        return self._range_of(kind.inner, self._settle(options, scope))

    def _subsets(self, options: Value, scope: _Scope) -> SubsetRange | None:
        """Return the range of selections from a list, or None if the rules do not fix its elements."""
        source, *bounds = options.args
        has_low, has_high = options.data
        kind = source.type
        assert isinstance(kind, ListOf)
        inner = self._range_of(kind.inner, self._settle(source, scope))
        if inner is None:
            return None
        low = self._settle(bounds[0], scope).low if has_low else 0
        high = self._settle(bounds[-1], scope).high if has_high else math.inf
        least = 0 if math.isinf(low) else max(int(low), 0)
        most = None if math.isinf(high) else max(int(high), 0)
        return SubsetRange(inner, least, most, not self._is_distinct(source, scope))

    def _range_of(self, kind: Type, shape: Shape) -> OptionRange | None:
        """Return the range of all values of a type with a shape, or None if it has no fixed range."""
        match kind:
            case Optional(inner=inner):
                result = self._range_of(inner, shape)
                return None if result is None else OptionalRange(result)
            case Choice(ids=ids):
                return IdRange(ids)
            case Row(table=table):
                return RowRange(table)
            case Entity(kind=name) if name != GAME_KIND:
                return ObjectRange(name)
            case Boolean():
                return TruthRange()
            case Integer():
                low, high = shape
                return None if math.isinf(high - low) and low <= high else NumberRange(*_whole(shape))
            case RecordOf(parts=parts):
                ranges = [self._range_of(part, each) for (_, part), each in zip(parts, shape, strict=True)]
                known = tuple(each for each in ranges if each is not None)
                return RecordRange(known) if len(known) == len(ranges) else None
        return None

    def _is_distinct(self, source: Value, scope: _Scope) -> bool:
        """Return whether a list can have no element twice, as far as its expression shows."""
        match source.op:
            case "objects" | "options.range" | "walk.reach" | "walk.ray" | "walk.groups" | "walk.path":
                return True
            case "list":
                return source.fixed and len({to_python(each) for each in source.args}) == len(source.args)
            case "list.of" | "list.set":
                return self._is_distinct(source.args[0], scope)
            case "gather":
                element = source.args[1]
                same = element.op == "var" and element.data[0] == source.data[0]
                return same and self._is_distinct(source.args[0], scope)
            case "if":
                return all(self._is_distinct(each, scope) for each in source.args[1:])
            case "temp" if source.data[0] in scope.kept:
                return self._is_distinct(scope.kept[source.data[0]], scope)
            case "formula":
                return self._is_distinct(self._program.get_formula(source.data[0]).value, scope)
        return False

    # -- writes ----------------------------------------------------------------------------------

    def _list_writes(self, each: Operation[Value], scope: _Scope) -> Iterator[tuple[Cell, Value]]:
        """Yield every cell that an operation writes, with the value."""
        match each:
            case op.Bind(slot=slot, value=value):
                yield scope.slot(slot), value
            case op.Write(kind=kind, field=name, value=value):
                yield ("field", kind, name), value
            case op.Create(kind=kind, given=given):
                for name, value in given:
                    yield ("field", kind, name), value
            case op.Each(source=source, item=item, rest=rest):
                yield scope.slot(item), source
                yield scope.slot(rest), source
            case op.Call(procedure=procedure, arguments=arguments, fills=fills):
                called = self._program.routines[procedure]
                for place, argument in enumerate(arguments, start=1):
                    yield ("slot", procedure, str(place)), argument
                for slot, (name, value) in zip(fills, called.gives, strict=False):
                    yield scope.slot(slot), Value("gives", value.type, data=(procedure, name))

    def _settle(self, value: Value, scope: _Scope) -> Shape:
        """Return the shape of a value, after those of all cells that it depends on have stopped changing."""
        for done in count():
            self._formulas.clear()
            result = self._of(value, scope, {})
            changed = False
            for cell in list(self._shapes):
                before = self._shapes[cell]
                after = _join(
                    [before, *(self._of(written, where, {}) for where, written in self._writes.get(cell, ()))]
                )
                if cell[0] == "field":
                    after = self._clip(cell, after)
                if after != before:
                    self._shapes[cell] = after if done < _ROUNDS_BEFORE_WIDENING else _widen(before, after)
                    changed = True
            if not changed and self._known == len(self._shapes):
                return result
            self._known = len(self._shapes)
        raise AssertionError  # not reached, because an interval grows at most a fixed number of times

    def _clip(self, cell: Cell, shape: Shape) -> Shape:
        """Return the shape of a field without the numbers below its minimum, which no field can hold."""
        minimum = self._declarations.kinds[cell[1]].fields[cell[2]].minimum
        if minimum is None or not isinstance(shape, Ends) or shape == _NEVER:
            return shape
        return Ends(max(shape.low, minimum), max(shape.high, minimum))

    def _cell(self, cell: Cell, kind: Type) -> Shape:
        """Return the shape of a cell as known so far.

        A new cell begins with the default of its field, or with no value.
        """
        if cell not in self._shapes:
            start = _shape(kind, _NEVER)
            if cell[0] == "field":
                field = self._declarations.kinds[cell[1]].fields[cell[2]]
                start = _join([start, _shape_of(field.default, field.type)])
            self._shapes[cell] = start
        return self._shapes[cell]

    # -- values ----------------------------------------------------------------------------------

    def _of(self, value: Value, scope: _Scope, known: Mapping[str, Shape]) -> Shape:
        """Return the shape of a value, which is empty for a type without numbers.

        `known` has the shapes of variables.
        """
        anything = _shape(value.type, _ANY)
        if not anything:
            return ()
        if value.op in ("gather", "walk.reach", "walk.ray", "walk.groups", "walk.path"):
            if value.op != "gather":
                return anything
            inside = {**known, value.data[0]: self._of(value.args[0], scope, known)}
            return self._of(value.args[1], scope, inside)
        match value.op:
            case "int":
                return Ends(value.data[0], value.data[0])
            case "dice":
                return _shape_of(value.data[0], value.type)
            case "figure":
                # The value in play may differ from the published one.
                return anything
            case "none":
                return _shape(value.type, _NEVER)
            case "slot":
                return self._cell(scope.slot(value.data[0]), value.type)
            case "gives":
                return self._cell(("gives", *value.data), value.type)
            case "field":
                return self._cell(("field", *value.data), value.type)
            case "temp":
                expression = scope.kept.get(value.data[0])
                return anything if expression is None else self._of(expression, scope, known)
            case "var":
                return known.get(value.data[0], anything)
            case "cell":
                rows = self._declarations.tables[value.data[0]].rows.values()
                shapes = [_shape_of(row.cells[value.data[1]], value.type) for row in rows]
                return _join([_shape(value.type, _NEVER), *shapes])
            case "row.rank":
                return Ends(1, self._program.count_rows(value.data[0]))
            case "deck.count" | "walk.distance":
                return Ends(0, math.inf)
            case "list.count":
                return Ends(0, self._length(value.args[0]))
            case "formula":
                return self._formula(value.data[0], tuple(self._of(arg, scope, known) for arg in value.args))
            case "if":
                return _join(self._of(arg, scope, known) for arg in value.args[1:])
            case "list.sum" | "list.sum.dice":
                one = self._of(value.args[0], scope, known)
                return Ends(0, 0) if one == _NEVER else _product(Ends(0, self._length(value.args[0])), one)
            case "list.max" | "list.min":
                return _join([Ends(0, 0), self._of(value.args[0], scope, known)])
            case "record":
                return tuple(self._of(arg, scope, known) for arg in value.args)
            case "record.part":
                return self._of(value.args[0], scope, known)[value.data[2]]
            case "map.at" | "list.first" | "list.last" | "list.of" | "list.set" | "options.none":
                return self._of(value.args[0], scope, known)
            case "list.nth":
                return self._of(value.args[1], scope, known)
            case "list" | "list.join" | "list.after" | "else" | "dice.of":
                return _join([_shape(value.type, _NEVER), *(self._of(arg, scope, known) for arg in value.args)])
        return self._arithmetic(value, scope, known, anything)

    def _arithmetic(self, value: Value, scope: _Scope, known: Mapping[str, Shape], anything: Shape) -> Shape:
        """Return the shape of an operation on numbers or rolls, or `anything` for any other operation."""
        known_ops = ("options.range", "int.", "dice.")
        if not value.op.startswith(known_ops):
            return anything
        parts = [self._of(arg, scope, known) for arg in value.args]
        if not all(isinstance(part, Ends) for part in parts):
            return anything
        if _NEVER in parts:
            return _NEVER
        match value.op.rpartition(".")[2] if value.op != "int.mul.checked" else "mul":
            case "range":
                return Ends(parts[0].low, parts[1].high)
            case "add":
                return Ends(parts[0].low + parts[1].low, parts[0].high + parts[1].high)
            case "sub":
                return Ends(parts[0].low - parts[1].high, parts[0].high - parts[1].low)
            case "mul" | "each":
                return _product(*parts)
            case "div":
                return _quotient(*parts)
            case "mod":
                return _remainder(*parts)
            case "max":
                return Ends(max(part.low for part in parts), max(part.high for part in parts))
            case "min":
                return Ends(min(part.low for part in parts), min(part.high for part in parts))
        return anything

    def _formula(self, identity: str, arguments: tuple[Shape, ...]) -> Shape:
        """Return the shape of a formula for arguments with these shapes.

        Cached until shapes of cells may have changed.
        """
        key = identity, arguments
        if key not in self._formulas:
            formula = self._program.get_formula(identity)
            known = {name: shape for (name, _), shape in zip(formula.parameters, arguments, strict=True)}
            scope = _NO_ROUTINE
            for name, value in formula.memoized_values:
                known[name] = self._of(value, scope, known)
            self._formulas[key] = self._of(formula.value, scope, known)
        return self._formulas[key]

    def _length(self, source: Value) -> float:
        """Return the maximum number of elements of a list. Infinite if it is not known."""
        match source.op:
            case "gather" | "list.of" | "list.set":
                return self._length(source.args[0])
            case "list":
                return len(source.args)
            case "list.join":
                return sum(map(self._length, source.args))
        return math.inf


_NO_ROUTINE = _Scope(Routine("", (), 0, {}, {}, (), ()))
"""The scope of formulas, which read no slots."""


def _whole(ends: Ends) -> tuple[int, int]:
    """Return the bounds of a number as integers. An empty interval becomes 0 to -1."""
    return (int(ends.low), int(ends.high)) if ends.low <= ends.high else (0, -1)


# -- objects -----------------------------------------------------------------------------------------


def find_later_creations(program: Program, stack: Iterable[tuple[str, int]]) -> frozenset[str]:
    """Return the kinds of which objects may be created after a pause.

    `stack` has the running procedures, from the first to the innermost, each with the number of its current step.
    """
    frames = list(stack)
    left: list[Operation[Value]] = []
    for depth, (procedure, step) in enumerate(frames):
        left += _list_rest(program.routines[procedure].body, step, calling=depth < len(frames) - 1)
    called: set[str] = set()
    kinds = set()
    while left:
        for inner in left.pop().walk():
            if isinstance(inner, op.Create):
                kinds.add(inner.kind)
            elif isinstance(inner, op.Call) and inner.procedure not in called:
                called.add(inner.procedure)
                left += program.routines[inner.procedure].body
    return frozenset(kinds)


def _list_rest(region: Region[Value], step: int, *, calling: bool) -> Iterator[Operation[Value]]:
    """Yield the operations that may follow in a region from a step on, that step included. Loops run again.

    If the step is `calling` a procedure, that call does not begin again, unless it is in a loop.
    """
    for place, each in enumerate(region):
        if not any(inner.step.number == step for inner in each.walk()):
            continue
        if isinstance(each, op.Branch) and (calling or each.step.number != step):
            for arm in each.regions:
                yield from _list_rest(arm, step, calling=calling)
        elif not (calling and isinstance(each, op.Call)):
            yield each
        yield from region[place + 1 :]
        return
