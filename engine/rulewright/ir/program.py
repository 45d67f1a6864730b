"""The program of a ruleset with its procedures and formulas in operations, and nothing of how they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from threading import RLock
from types import MappingProxyType
from typing import Any

from rulewright.base.lazy import lazy_property, make_once
from rulewright.ir import parameters as f
from rulewright.ir.analyses.information_flow import Secrets, find_secrets
from rulewright.ir.lower_expressions import Translate
from rulewright.ir.parameters import Parameters
from rulewright.ir.values import Value
from rulewright.language import operations as op
from rulewright.language.checked_steps import Procedure
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND, Declarations
from rulewright.language.expressions.evaluator import may_be_large
from rulewright.language.expressions.typed_ast import Arithmetic, Constant, Local, Typed
from rulewright.language.lowering import lower_block
from rulewright.language.operations import Operation, Region
from rulewright.language.types import PLAYER, Type
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.measures import Measure
from rulewright.ruleset.sections.weights import WHO


class StateLayout:
    """Numbers for kinds and fields. The game is kind 0 and the players kind 1, in every ruleset."""

    __slots__ = ("defaults", "fields", "kinds", "names", "places")

    def __init__(self, declarations: Declarations) -> None:
        others = [k for k in declarations.kinds if k not in (GAME_KIND, PLAYER_KIND)]
        self.names: tuple[str, ...] = (GAME_KIND, PLAYER_KIND, *others)
        self.kinds = {name: number for number, name in enumerate(self.names)}
        self.fields = {name: tuple(declarations.kinds[name].fields) for name in self.names}
        self.places = {
            (kind, field): place for kind in self.names for place, field in enumerate(self.fields[kind], start=1)
        }
        self.defaults: dict[str, list[Any]] = {
            kind: [self.kinds[kind], *(field.default for field in declarations.kinds[kind].fields.values())]
            for kind in self.names
        }


@dataclass(frozen=True, slots=True, eq=False)
class Routine:
    """The lowered form of a procedure. Its frame has `size` slots, with the parameters first.

    `gives` are its results by name. `names` and `types` are those of slots with a name in the rules.
    """

    id: str
    parameters: tuple[tuple[str, Type], ...]
    size: int
    names: Mapping[int, str]
    types: Mapping[int, Type]
    body: Region[Value]
    gives: tuple[tuple[str, Value], ...]

    def walk(self) -> Iterator[Operation[Value]]:
        """Yield every operation."""
        for each in self.body:
            yield from each.walk()


@dataclass(frozen=True, slots=True, eq=False)
class LoweredFormula:
    """A formula with its parameters and its value. `memoized_values` are values that it reads repeatedly, by name."""

    id: str
    parameters: tuple[tuple[str, Type], ...]
    memoized_values: tuple[tuple[str, Value], ...]
    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        """The memoized values, and the value computed from them."""
        return (*(value for _, value in self.memoized_values), self.value)


class Program:
    """The procedures and formulas of a ruleset, each lowered on first use.

    Parameters are read at run time, and all other numbers are constants.
    """

    def __init__(self, ruleset: Ruleset, parameters: Parameters = f.NONE) -> None:
        self.reference = str(ruleset.reference)
        self.layout = StateLayout(ruleset.declarations)
        self.parameters = parameters
        self._ruleset = ruleset
        self._translate = Translate(ruleset.declarations, parameters)
        self._formulas: dict[str, LoweredFormula] = {}
        self._frames: dict[str, int] = {}
        # The translator has state, so only one thread may use it at a time.
        self._translating = RLock()

    @lazy_property
    def routines(self) -> Mapping[str, Routine]:
        """Every procedure, by its id."""
        return MappingProxyType(
            {name: self._routine(procedure) for name, procedure in self._ruleset.procedures.items()}
        )

    def measure_frames(self, procedure: str) -> int:
        """Return the words of the frames of a procedure and of those that it calls, at their deepest. Cached."""

        def measure() -> int:
            routine = self.routines[procedure]
            inner = (self.measure_frames(each.procedure) for each in routine.walk() if isinstance(each, op.Call))
            return routine.size + 1 + max(inner, default=0)

        return make_once(self._frames, procedure, measure)

    def get_formula(self, identity: str) -> LoweredFormula:
        """Return a formula, or a derived field, of the ruleset. Cached. Raises `KeyError` for an unknown id."""
        formula = self._ruleset.declarations.formulas[identity]
        return make_once(
            self._formulas,
            identity,
            lambda: self.build_formula(formula.body, identity, tuple(formula.parameters.items())),
        )

    @lazy_property
    def terms(self) -> Mapping[tuple[str, str], LoweredFormula]:
        """Return the features of the learned evaluations, by evaluation and feature, each a formula of a player."""
        return MappingProxyType(
            {
                (weights.id, term.id): self.build_formula(term.value, f"{weights.id}.{term.id}", ((WHO, PLAYER),))
                for weights in self._ruleset.weights.values()
                for term in weights.terms.values()
            }
        )

    def build_formula(
        self, value: Typed, identity: str = "", parameters: tuple[tuple[str, Type], ...] = ()
    ) -> LoweredFormula:
        """Return the lowered form of an expression over the game and its parameters."""
        with self._translating:
            saved, result = self._translate.lower_body(value, dict(parameters))
        return LoweredFormula(identity, parameters, saved, result)

    def get_measure(self, measure: Measure) -> LoweredFormula:
        """Return the lowered form of a measure's value, whose parameters are the names of the result that it reads."""
        return self.build_formula(measure.value, parameters=measure.parameters)

    def iterate_values(self) -> Iterator[Value]:
        """Yield every value of a whole game: of steps, formulas, measures and learned evaluations."""
        for routine in self.routines.values():
            for each in routine.walk():
                yield from each.values
            yield from (value for _, value in routine.gives)
        for identity in self._ruleset.declarations.formulas:
            yield from self.get_formula(identity).values
        for measure in self._ruleset.measures.values():
            yield self.get_measure(measure).value
            if measure.per is not None:
                yield self.build_formula(measure.per).value
        for formula in self.terms.values():
            yield from formula.values

    def find_field_type(self, kind: str, name: str) -> Type:
        """Return the type of a field."""
        return self._ruleset.declarations.kinds[kind].fields[name].type

    def count_rows(self, table: str) -> int:
        """Return how many rows a table has."""
        return len(self._ruleset.declarations.tables[table].rows)

    def _routine(self, procedure: Procedure) -> Routine:
        """Return the lowered form of a procedure. Other threads wait while it is translated."""
        region = _settle(lower_block(procedure.body), find_secrets(self._ruleset))
        with self._translating:
            body = tuple(each.map_values(self._translate.lower_value) for each in region)
            gives = tuple((name, self._translate.lower_value(value)) for name, value in procedure.gives.items())
        parameters = tuple(procedure.parameters.items())
        return Routine(procedure.id, parameters, procedure.size, procedure.names, procedure.types, body, gives)


def _settle(region: Region[Typed], secrets: Secrets) -> Region[Typed]:
    """Return the operations of a region without bound checks that can never fail, and mark what is always asked.

    A number that grows only by rolls and constants of the rules cannot become too large within a game.
    """
    every = [each for outer in region for each in outer.walk()]
    totals = {each.into for each in every if isinstance(each, op.Chance)}
    rolled = {
        each.slot
        for each in every
        if isinstance(each, op.Bind) and isinstance(each.value, op.Temporary) and each.value.number in totals
    }

    saved = {each.into: each.value for each in every if isinstance(each, op.Keep)}

    def grows_slowly(value: Typed) -> bool:
        if isinstance(value, op.Temporary):
            value = saved.get(value.number, value)
        if not isinstance(value, Arithmetic) or value.operator not in "+-":
            return False
        sides = (value.left, value.right)
        return any(isinstance(side, Constant) or (isinstance(side, Local) and side.slot in rolled) for side in sides)

    def settle(each: Operation[Typed]) -> Operation[Typed]:
        result: Any = each
        match each:
            case op.Bind(value=value) | op.Write(value=value):
                bounded = each.bounded and may_be_large(each.type)
                result = replace(
                    result, bounded=bounded and not isinstance(value, Constant) and not grows_slowly(value)
                )
            case op.Ask(step=step):
                result = replace(result, always=secrets.asks_always(step.number))
        inner = {name: tuple(settle(one) for one in getattr(result, name)) for name in result.inside}
        return replace(result, **inner) if inner else result

    return tuple(settle(each) for each in region)


def build_program(ruleset: Ruleset) -> Program:
    """Return the program of a ruleset. Cached, so that the same ruleset has the same program."""
    return ruleset.get_or_make(Program)
