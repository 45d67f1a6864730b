"""Provenance analysis: the fields and names that contain only results of known rolls, or only answers of decisions.

A field may also contain constants, and so may a name with answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.language import operations as op
from rulewright.language.expressions.typed_ast import Arithmetic, Constant, Items, Local, Typed
from rulewright.language.lowering import lower_block
from rulewright.ruleset.ruleset import Ruleset

Rolls = tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class AnswerOrigin:
    """A decision with its options, which are an expression of the procedure that asks. `step` is a number."""

    procedure: str
    step: int
    options: Typed


Place = tuple[str, str] | tuple[str, int]
"""A field (kind, name) or a slot (procedure, slot)."""


@dataclass(frozen=True, slots=True)
class Origins:
    """The places that contain nothing but results of rolls that the rules fix, or nothing but answers of decisions."""

    rolls: Mapping[Place, Rolls]
    answers: Mapping[Place, tuple[AnswerOrigin, ...]]


class _OriginAnalysis:
    """The flow of results and answers through procedures. A location with another source is `mixed`.

    Constants are such a source of names with results, but not of fields.
    """

    def __init__(self) -> None:
        self.found: dict[Place, dict[Roll | AnswerOrigin, None]] = {}
        self.mixed: set[Place] = set()
        self.constant: set[Place] = set()

    def procedure(self, identity: str, region: op.Region[Typed]) -> None:
        """Add the origins of the fields and slots of a procedure, and mark the mixed ones.

        A name may turn out to be mixed after another location was assigned from it. So clear `found` and go through
        all procedures again until `mixed` and `constant` no longer grow. Constants written to a field do not make it
        mixed.
        """
        origins: dict[int, Roll | AnswerOrigin] = {}
        bound: dict[int, Roll | AnswerOrigin] = {}

        def of(value: Typed) -> Roll | AnswerOrigin | None:
            match value:
                case op.Temporary(number=number):
                    return origins.get(number)
                case Local(slot=slot) if (identity, slot) not in self.mixed:
                    result = bound.get(slot)
                    return None if isinstance(result, Roll) and (identity, slot) in self.constant else result
                case Arithmetic(operator="+", left=Local(), right=Items(items=(last,))):
                    # The answers of several players, one after the other.
                    answer = of(last)
                    return answer if isinstance(answer, AnswerOrigin) else None
            return None

        for each in (inner for outer in region for inner in outer.walk()):
            match each:
                case op.Chance(into=into, dice=Constant(value=Roll() as dice), table=None):
                    origins[into] = dice
                case op.Ask(into=into, options=options):
                    origins[into] = AnswerOrigin(identity, each.step.number, options)
                case op.Keep(into=into, value=value):
                    if (result := of(value)) is not None:
                        origins[into] = result
                case op.Bind(slot=slot, value=Constant() | Items(items=())):
                    self.constant.add((identity, slot))
                case op.Bind(slot=slot, value=value, row=row):
                    result = of(value) if row is None else None
                    if result is not None and bound.get(slot, result) == result:
                        bound[slot] = result
                        self.found.setdefault((identity, slot), {})[result] = None
                    else:
                        bound.pop(slot, None)
                        self.mixed.add((identity, slot))
                case op.Write(kind=kind, field=name, value=value, row=row):
                    self._put((kind, name), value, of(value) if row is None else None)
                case op.Create(kind=kind, given=given):
                    for name, value in given:
                        self._put((kind, name), value, of(value))

    def _put(self, field: Place, value: Typed, origin: Roll | AnswerOrigin | None) -> None:
        if origin is not None:
            self.found.setdefault(field, {})[origin] = None
        elif not isinstance(value, Constant):
            self.mixed.add(field)


def analyze_origins(ruleset: Ruleset) -> Origins:
    """Return the locations that contain roll results or answers. Cached in the ruleset."""
    return ruleset.get_or_make(_find_origins)


def find_any_roll(ruleset: Ruleset) -> Roll | None:
    """Return one of the named rolls of the rules, always the same, as a substitute for an unknown roll. Cached."""
    return ruleset.get_or_make(_some_roll)


def _some_roll(ruleset: Ruleset) -> Roll | None:
    """Return the first roll in the rules by notation, or None if they have no roll. Not cached."""
    declared = ruleset.declarations
    bodies = [lower_block(procedure.body) for procedure in ruleset.procedures.values()]
    values = [value for body in bodies for outer in body for each in outer.walk() for value in each.values]
    values += [formula.body for formula in declared.formulas.values()]
    results: list[Any] = [part.value for value in values for part in value.walk() if isinstance(part, Constant)]
    results += [field.default for kind in declared.kinds.values() for field in kind.fields.values()]
    results += [table.roll for table in declared.tables.values()]
    results += [
        cell for table in declared.tables.values() for row in table.rows.values() for cell in row.cells.values()
    ]
    return min((each for each in results if isinstance(each, Roll)), key=format_roll, default=None)


def _find_origins(ruleset: Ruleset) -> Origins:
    """Return the locations that contain nothing but results of known rolls, or nothing but answers. Not cached."""
    analysis = _OriginAnalysis()
    known = -1
    # A location that turns out to be mixed makes others mixed that come from it, also those before it in a loop.
    while (size := len(analysis.mixed) + len(analysis.constant)) > known:
        known = size
        analysis.found.clear()
        for identity, procedure in ruleset.procedures.items():
            analysis.procedure(identity, lower_block(procedure.body))
    rolls: dict[Place, Rolls] = {}
    answers: dict[Place, tuple[AnswerOrigin, ...]] = {}
    for place, origins in analysis.found.items():
        results = tuple(each for each in origins if isinstance(each, Roll))
        decisions = tuple(each for each in origins if isinstance(each, AnswerOrigin))
        if place in analysis.mixed or (results and decisions):
            continue
        if decisions:
            answers[place] = decisions
        elif place not in analysis.constant:
            rolls[place] = results
    return Origins(MappingProxyType(rolls), MappingProxyType(answers))
