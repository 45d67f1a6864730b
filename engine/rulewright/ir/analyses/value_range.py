"""Range analysis: bounds on the numbers that a game can reach.

Stored values (fields, names of procedures, arguments and results) are cells. A cell is bounded by the cells it is
computed from, and cells that feed each other grow. They grow slowly if each round adds a fixed amount to one of them,
and without bound if one is computed from two of them or from a multiple of itself. The analysis visits cells in the
order of their dependencies, with those that feed each other together (strongly connected components), and gives each
the largest amount that it can reach in a game of `LONGEST_GAME` changes.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.static_bounds import reach
from rulewright.ir.program import LoweredFormula, Program, Routine, build_program
from rulewright.ir.strongly_connected import find_components
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.expressions.evaluator import LARGEST
from rulewright.language.expressions.expression_cost import LONGEST_LIST
from rulewright.language.operations import MOST_OPTIONS, Operation
from rulewright.language.types import Integer
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Code
from rulewright.source.span import Span

LONGEST_GAME = 100_000_000
"""The assumed maximum number of changes in a game."""

MAY_GROW = Code(
    "number-may-grow-too-large",
    "A number that may become too large",
    f"Numbers in games have at most {len(str(LARGEST)) - 1} digits, and a game stops at a larger one. "
    "This value may feed back into itself, or grow for as long as the game lasts.",
    "If that can happen, limit it: `min(…, 1000000)` if it is never negative, otherwise "
    "`max(-1000000, min(…, 1000000))`. Amounts that players pass on to each other are also reported, although they do "
    "not grow; ignore the warning for these.",
    severity="warning",
)

Cell = tuple[str, ...]
"""A field of a kind, a slot of a procedure, or a result of a procedure."""

_MOST_WAYS = 64


@dataclass(frozen=True, slots=True)
class Amount:
    """The upper bound of a number: `fixed` plus multiples of the bounds of cells.

    Each of the `ways` is an alternative.
    """

    fixed: float
    ways: frozenset[frozenset[tuple[Cell, float]]] = frozenset()

    @property
    def certain(self) -> bool:
        """Whether it depends on no cell."""
        return not any(self.ways)


_NOTHING = Amount(0)


@dataclass(frozen=True, slots=True)
class GrowingNumber:
    """A location in the rules with a number that may exceed the limit: a step, a result or a measure.

    With `unbounded`, the number may depend on itself and has no known bound. Numbers computed from it are not
    reported as well, because fixing this location fixes them.
    """

    rule: str
    span: Span
    unbounded: bool


def check_numbers(ruleset: Ruleset) -> Diagnostics:
    """Return a diagnostic for every location with a number that may become too large. Empty if there is none.

    Builds the program of the ruleset.
    """
    numbers = Diagnostics()
    for each in find_growing_numbers(build_program(ruleset), ruleset):
        grows = "may grow without bound" if each.unbounded else f"may exceed {LARGEST:,} in a long game"
        numbers.add(MAY_GROW, f"a number that `{each.rule}` computes {grows}", each.span)
    return numbers


def find_growing_numbers(program: Program, ruleset: Ruleset) -> list[GrowingNumber]:
    """Return the locations in a ruleset with numbers that may become too large, in order."""
    return _RangeAnalysis(program, ruleset).find_growing()


def _any(amounts: Iterable[Amount]) -> Amount:
    """Return an amount that is at least each of these. Above `_MOST_WAYS` ways, they are joined into a larger one."""
    fixed, ways = 0.0, set[frozenset[tuple[Cell, float]]]()
    for amount in amounts:
        fixed = max(fixed, amount.fixed)
        ways |= amount.ways
    if len(ways) > _MOST_WAYS:
        most: dict[Cell, float] = {}
        for way in ways:
            for cell, times in way:
                most[cell] = max(most.get(cell, 0), times)
        ways = {frozenset(most.items())}
    return Amount(fixed, frozenset(ways))


def _sum(one: Amount, other: Amount) -> Amount:
    """Return the bound of the sum of two numbers, with every combination of the cells that they grow from."""
    ways = set()
    for these in one.ways or {frozenset()}:
        for theirs in other.ways or {frozenset()}:
            both = dict(these)
            for cell, times in theirs:
                both[cell] = both.get(cell, 0) + times
            ways.add(frozenset(both.items()))
    # One of the two may be an amount without cells, and then only the cells of the other count.
    ways |= one.ways | other.ways
    return _any([Amount(one.fixed + other.fixed, frozenset(ways))])


def _times(amount: Amount, times: float) -> Amount:
    """Return a multiple of an amount, which is 0 if either is 0, even if the other is infinite."""
    fixed = 0 if not (amount.fixed and times) else amount.fixed * times
    return Amount(fixed, frozenset(frozenset((cell, each * times) for cell, each in way) for way in amount.ways))


def _product(one: Amount, other: Amount) -> Amount:
    """Return the product of two amounts. If both depend on cells, it is unbounded."""
    for these, theirs in ((one, other), (other, one)):
        if these.certain:
            return _times(theirs, these.fixed)
    # Both depend on cells: a cell that feeds such a product and depends on it grows without bound.
    return Amount(math.inf, _times(_any((one, other)), math.inf).ways)


Source = tuple["_Place | None", Callable[[], Amount]]
"""The place that writes a value (None for a default), and a function that computes the value's bound."""


@dataclass(frozen=True, slots=True, order=True)
class _Place:
    """A place of the rules. `after` is the number of the step that it is, or that it comes after."""

    after: int
    rule: str
    span: Span = dataclasses.field(compare=False)

    @classmethod
    def of(cls, step: Step) -> _Place:
        """Return the place of a step."""
        return cls(step.number, step.rule, step.span)


_READ = frozenset({"field", "slot", "temp", "var", "formula"})
_OVER_A_LIST = frozenset({"gather", "walk.reach", "walk.ray", "walk.groups", "walk.distance", "walk.path"})


def _either(value: Value) -> Iterator[Value]:
    """Yield the alternatives of a value, or the values from which its elements come.

    Joining lists does not make their elements larger.
    """
    if value.op in ("list.join", "if"):
        for each in value.args[value.op == "if" :]:
            yield from _either(each)
    else:
        yield value


class _RangeAnalysis:
    def __init__(self, program: Program, ruleset: Ruleset) -> None:
        self._program = program
        self._ruleset = ruleset
        self._most: dict[Cell, float] = {}
        self._formulas: dict[tuple[str, tuple[Amount, ...]], Amount] = {}
        self._temporaries: dict[int, Callable[[], Amount]] = {}
        self._routine = ""
        self._too_large = False
        self._roots: dict[_Place, GrowingNumber] = {}

    # -- writes ----------------------------------------------------------------------------------

    def _writes(self, routine: Routine) -> Iterator[tuple[Cell | None, Operation[Value], Callable[[], Amount]]]:
        """Yield every cell that a procedure writes, with the bound of the value.

        The cell is None for a value that is not stored.
        """
        self._routine, self._temporaries = routine.id, {}
        for each in routine.walk():
            yield from self._writes_of(each)

    def _writes_of(
        self, each: Operation[Value]
    ) -> Iterator[tuple[Cell | None, Operation[Value], Callable[[], Amount]]]:
        """Yield the cells that an operation writes, and None for each value that it evaluates, with the bounds.

        Also stores the bound of its temporary for later operations.
        """
        saved = self._temporaries
        match each:
            case op.Keep(into=into, value=value):
                saved[into] = partial(self.of, value)
            case op.Ask(into=into, options=options):
                saved[into] = partial(self.of, options)
            case op.Chance(into=into, dice=dice):
                saved[into] = partial(self.of, dice)
            case op.Draw(into=into, among=among):
                saved[into] = partial(self.of, among)
            case op.Create(into=into, kind=kind, given=given):
                saved[into] = partial(Amount, 0)
                for name, value in given:
                    yield ("field", kind, name), each, partial(self.of, value)
            case op.Bind(slot=slot, value=value):
                for one in _either(value):
                    yield self._slot(slot), each, partial(self.of, one)
            case op.Write(kind=kind, field=name, value=value):
                for one in _either(value):
                    yield ("field", kind, name), each, partial(self.of, one)
            case op.Each(source=source, item=item, rest=rest):
                yield self._slot(item), each, partial(self.of, source)
                yield self._slot(rest), each, partial(self.of, source)
            case op.Call(procedure=procedure, arguments=arguments, fills=fills):
                for place, argument in enumerate(arguments, start=1):
                    yield self._slot(place, procedure), each, partial(self.of, argument)
                for slot, (name, _) in zip(fills, self._program.routines[procedure].gives, strict=False):
                    yield self._slot(slot), each, partial(self._cell, ("gives", procedure, name))
        for value in each.values:
            yield None, each, partial(self.of, value)

    def _slot(self, slot: int, routine: str = "") -> Cell:
        return "slot", routine or self._routine, str(slot)

    # -- bounds of values ------------------------------------------------------------------------

    def of(self, value: Value, given: Mapping[str, Amount] | None = None) -> Amount:
        """Return the bound of a value or of its largest element. `given` has the bounds of variables.

        Also checks the values it is computed from, and sets `self._too_large` if one may be too large.
        """
        known = given or {}
        if value.op in _OVER_A_LIST:
            # A variable takes the values of the list. The places of a walk are rows or objects, not numbers.
            known = {**known, value.data[0]: self.of(value.args[0], known) if value.op == "gather" else _NOTHING}
        parts = [self.of(arg, known) for arg in value.args]
        amount = self._bound_operation(value, parts, known)
        if value.op not in _READ and all(part.fixed <= LARGEST for part in parts):
            # Readers of a number that is too large are not reported, because fixing its source fixes them.
            self._too_large |= amount.certain and LARGEST < amount.fixed < math.inf
        return amount

    def _bound_operation(self, value: Value, parts: list[Amount], known: Mapping[str, Amount]) -> Amount:
        """Return the bound of the result of an operation. `parts` are the bounds of its arguments."""
        match value.op:
            case "int":
                return Amount(abs(value.data[0]))
            case "dice":
                return Amount(_largest(value.data[0]))
            case "figure":
                return Amount(_largest(value.data[1]))
            case "slot":
                return self._cell(self._slot(value.data[0]))
            case "temp":
                return self._temporaries[value.data[0]]()
            case "var":
                return known.get(value.data[0], _NOTHING)
            case "field":
                return self._cell(("field", value.data[0], value.data[1]))
            case "cell":
                return Amount(self._column(*value.data))
            case "row.rank":
                return Amount(self._program.count_rows(value.data[0]))
            case "list.count" | "list.index" | "deck.count":
                return Amount(max(LONGEST_LIST, MOST_OPTIONS))
            case "gather":
                return parts[1]
            case "walk.distance":
                _, has_where, has_cost, *_ = value.data
                return _times(parts[2 + has_where] if has_cost else Amount(1), LONGEST_LIST)
            case "list.sum" | "list.sum.dice":
                return _times(parts[0], self._length(value.args[0]))
            case "formula":
                return self._formula(value.data[0], parts)
            case "int.add" | "int.sub" | "dice.add" | "dice.sub":
                return _sum(*parts)
            case "int.mul" | "int.mul.checked" | "dice.mul" | "dice.each":
                return _product(*parts)
            case "int.mod" | "list.nth" | "list.after" | "list.before" | "list.head" | "list.tail" | "list.rotate":
                return parts[1]
            case "int.div":
                return parts[0]
            case "if":
                return _any(parts[1:])
            case "int.min" | "int.max" if math.inf not in map(abs, ends := self._ends(value)):
                return Amount(max(map(abs, ends)))
        # Other operations pass on numbers; booleans, rows and objects are not numbers.
        return _any(parts)

    def _ends(self, value: Value) -> tuple[float, float]:
        """Return the minimum and the maximum of a number for all states, as far as caps and counts imply them.

        Any other end is infinite.
        """
        match value.op:
            case "int":
                return value.data[0], value.data[0]
            case "int.min":
                ends = [self._ends(arg) for arg in value.args]
                return min(low for low, _ in ends), min(high for _, high in ends)
            case "int.max":
                ends = [self._ends(arg) for arg in value.args]
                return max(low for low, _ in ends), max(high for _, high in ends)
            case "int.add" | "int.mul" | "int.mul.checked" | "int.div":
                counts = all(self._ends(arg)[0] >= 0 for arg in value.args)
            case "field":
                kind, name = value.data
                field = self._ruleset.declarations.kinds[kind].fields[name]
                counts = field.minimum is not None and isinstance(field.type, Integer)
            case "list.count" | "deck.count" | "row.rank":
                counts = True
            case _:
                counts = False
        return (0 if counts else -math.inf), math.inf

    def _formula(self, identity: str, arguments: list[Amount]) -> Amount:
        """Return the bound of a formula for arguments with these bounds.

        Cached while the bounds of cells stay the same.
        """
        key = identity, tuple(arguments)
        if key not in self._formulas:
            formula = self._program.get_formula(identity)
            given = {name: amount for (name, _), amount in zip(formula.parameters, arguments, strict=True)}
            self._formulas[key] = self._body(formula, given)
        return self._formulas[key]

    def _body(self, formula: LoweredFormula, given: Mapping[str, Amount]) -> Amount:
        known = dict(given)
        for name, value in formula.memoized_values:
            known[name] = self.of(value, known)
        return self.of(formula.value, known)

    def _length(self, source: Value) -> int:
        """Return the maximum number of elements of a list, or `LONGEST_LIST` if the rules do not bound it."""
        if source.op in ("gather", "list.of", "list.set", "list.distinct"):
            return self._length(source.args[0])
        if source.op == "objects" and source.data[0] == PLAYER_KIND:
            return self._ruleset.players[1]
        if source.op == "list":
            return len(source.args)
        return LONGEST_LIST

    def _column(self, table: str, column: str) -> float:
        rows = self._ruleset.declarations.tables[table].rows.values()
        return max((_largest(row.cells[column]) for row in rows), default=0)

    def _cell(self, cell: Cell) -> Amount:
        most = self._most.get(cell)
        return Amount(0, frozenset({frozenset({(cell, 1.0)})})) if most is None else Amount(most)

    # -- the whole program -------------------------------------------------------------------------

    def find_growing(self) -> list[GrowingNumber]:
        """Return the locations with numbers that may become too large, in the order of the rules. Call it once."""
        written = self._list_writes()
        reads = {
            cell: {read for _, amount in amounts for way in amount().ways for read, _ in way}
            for cell, amounts in written.items()
        }
        for group in find_components(reads, lambda cell: sorted(reads.get(cell, ()))):
            self._settle(group, written)
        return self._judge()

    def _list_writes(self) -> dict[Cell, list[Source]]:
        """Return all writes to each cell, each with its place and a function that computes the bound.

        They include the results of procedures, and the initial values of fields, which have no place.
        """
        results: dict[Cell, list[Source]] = {}
        for routine in self._program.routines.values():
            for cell, each, amount in self._writes(routine):
                if cell is not None:
                    place = _Place.of(each.step)
                    results.setdefault(cell, []).append((place, self._within(routine.id, self._temporaries, amount)))
            for name, value in routine.gives:
                given = self._within(routine.id, self._temporaries, partial(self.of, value))
                results.setdefault(("gives", routine.id, name), []).append((self._end_of(routine), given))
        for kind in self._ruleset.declarations.kinds.values():
            for field in kind.fields.values():
                start = Amount(_largest(field.default))
                results.setdefault(("field", kind.id, field.name), []).append((None, partial(Amount, start.fixed)))
        return results

    def _within(
        self, routine: str, temporaries: dict[int, Callable[[], Amount]], amount: Callable[[], Amount]
    ) -> Callable[[], Amount]:
        """Return a function that computes `amount` with the given routine and temporaries as the current ones."""

        def bound_answer() -> Amount:
            self._routine, self._temporaries = routine, temporaries
            return amount()

        return bound_answer

    def _settle(self, group: list[Cell], written: Mapping[Cell, list[Source]]) -> None:
        """Store the bounds of a group of cells that feed each other, and the locations where they may grow too large.

        `written` has the writes to each cell. The bounds of all other cells that these read must be stored already.
        """
        self._formulas.clear()
        inside, most, bounded = set(group), 0.0, True
        adding: list[tuple[float, _Place | None]] = []
        for cell in group:
            for place, amount in written.get(cell, ()):
                result = amount()
                most = max(most, result.fixed)
                for way in result.ways:
                    among = [(each, times) for each, times in way if each in inside]
                    # 0 times infinity is not a number, so evaluate only once.
                    if len(among) > 1 or not all(times <= 1 for _, times in among):
                        bounded = False
                        if place is not None:
                            self._roots[place] = GrowingNumber(place.rule, place.span, unbounded=True)
                    if among:
                        adding.append((result.fixed, place))
        for added, place in adding if bounded else ():
            if place is not None and LARGEST < most + added * LONGEST_GAME < math.inf:
                self._roots.setdefault(place, GrowingNumber(place.rule, place.span, unbounded=False))
        in_all = most + max((added for added, _ in adding), default=0) * LONGEST_GAME if bounded else math.inf
        self._most.update(dict.fromkeys(group, in_all))
        self._formulas.clear()

    def _judge(self) -> list[GrowingNumber]:
        """Return the locations with a stored or intermediate value that may be too large, in the order of the rules."""
        result = dict(self._roots)
        for place, amount in self._worked_out():
            self._too_large = False
            self._formulas.clear()
            amount()
            if self._too_large:
                result.setdefault(place, GrowingNumber(place.rule, place.span, unbounded=False))
        return [result[place] for place in sorted(result)]

    def _worked_out(self) -> Iterator[tuple[_Place, Callable[[], Amount]]]:
        """Yield everything the rules compute: in steps, as results of procedures, and as measures and evaluations."""
        for routine in self._program.routines.values():
            for _, each, amount in self._writes(routine):
                yield _Place.of(each.step), amount
            for _, value in routine.gives:
                yield self._end_of(routine), partial(self.of, value)
        last = 1 + max(self._ruleset.steps, default=0)
        for measure in self._ruleset.measures.values():
            place = _Place(last, f"measures.{measure.id}", measure.span)
            yield place, partial(self._body, self._program.get_measure(measure), {})
            if measure.per is not None:
                yield place, partial(self._body, self._program.build_formula(measure.per), {})
        for (weights, term), formula in self._program.terms.items():
            place = _Place(last, f"weights.{weights}", self._ruleset.weights[weights].terms[term].span)
            yield place, partial(self._body, formula, {})
        for identity in filter(None, (self._ruleset.payoff, self._ruleset.evaluate)):
            place = _Place(last, identity, self._ruleset.declarations.formulas[identity].span)
            yield place, partial(self._body, self._program.get_formula(identity), {})

    def _end_of(self, routine: Routine) -> _Place:
        """Return the location of a procedure's results."""
        procedure = self._ruleset.procedures[routine.id]
        steps = [each.number for each in procedure.body.walk()]
        return _Place(max(steps, default=-1), routine.id, procedure.span)


def _largest(value: Any) -> float:
    """Return the largest absolute number in a constant, or 0 if it has none."""
    match value:
        case bool() | str() | None:
            return 0
        case int():
            return abs(value)
        case Roll():
            return max(map(abs, reach(value)))
        case tuple() | list():
            return max(map(_largest, value), default=0)
    return 0
