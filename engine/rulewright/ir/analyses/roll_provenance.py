"""Provenance analysis: the fields and names that contain only results of known rolls.

A field may also contain constants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulewright.dice.ast import Roll
from rulewright.dice.format_notation import format_roll
from rulewright.language import operations as op
from rulewright.language.expressions.typed_ast import Constant, Local, Typed
from rulewright.language.lowering import lower_block
from rulewright.ruleset.ruleset import Ruleset

Rolls = tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class RollOrigins:
    """The rolls that fields (kind, name) and slots (procedure, slot) come from: rolls that the rules fix."""

    fields: Mapping[tuple[str, str], Rolls]
    slots: Mapping[tuple[str, int], Rolls]


class _Origins:
    """The flow of roll results through procedures. A location with another source is `mixed`.

    Constants are such a source of names, but not of fields.
    """

    def __init__(self) -> None:
        self.fields: dict[tuple[str, str], dict[Roll, None]] = {}
        self.slots: dict[tuple[str, int], dict[Roll, None]] = {}
        self.mixed: set[tuple[str, str] | tuple[str, int]] = set()

    def procedure(self, identity: str, region: op.Region[Typed]) -> None:
        """Add the rolls that the fields and slots of a procedure come from, and mark the mixed ones.

        A name may turn out to be mixed after another location was assigned from it. So clear `fields` and go through
        all procedures again until `mixed` no longer grows. Constants written to a field do not make it mixed.
        """
        rolls: dict[int, Roll] = {}
        bound: dict[int, Roll] = {}

        def of(value: Typed) -> Roll | None:
            match value:
                case op.Temporary(number=number):
                    return rolls.get(number)
                case Local(slot=slot) if (identity, slot) not in self.mixed:
                    return bound.get(slot)
            return None

        for each in (inner for outer in region for inner in outer.walk()):
            match each:
                case op.Chance(into=into, dice=Constant(value=Roll() as dice), table=None):
                    rolls[into] = dice
                case op.Keep(into=into, value=value):
                    if (result := of(value)) is not None:
                        rolls[into] = result
                case op.Bind(slot=slot, value=value):
                    if (result := of(value)) is not None and bound.get(slot, result) == result:
                        bound[slot] = result
                        self.slots.setdefault((identity, slot), {})[result] = None
                    else:
                        bound.pop(slot, None)
                        self.mixed.add((identity, slot))
                case op.Write(kind=kind, field=name, value=value, row=row):
                    self._put((kind, name), value, of(value) if row is None else None)
                case op.Create(kind=kind, given=given):
                    for name, value in given:
                        self._put((kind, name), value, of(value))

    def _put(self, field: tuple[str, str], value: Typed, roll: Roll | None) -> None:
        if roll is not None:
            self.fields.setdefault(field, {})[roll] = None
        elif not isinstance(value, Constant):
            self.mixed.add(field)


def analyze_rolls(ruleset: Ruleset) -> RollOrigins:
    """Return the locations that contain roll results. Cached in the ruleset."""
    return ruleset.get_or_make(_find_rolls)


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


def _find_rolls(ruleset: Ruleset) -> RollOrigins:
    """Return the locations that contain nothing but results of known rolls. Not cached."""
    origins = _Origins()
    known = -1
    # A location that turns out to be mixed makes others mixed that come from it, also those before it in a loop.
    while len(origins.mixed) > known:
        known = len(origins.mixed)
        origins.fields.clear()
        for identity, procedure in ruleset.procedures.items():
            origins.procedure(identity, lower_block(procedure.body))
    fields = {field: tuple(rolls) for field, rolls in origins.fields.items() if field not in origins.mixed}
    slots = {slot: tuple(rolls) for slot, rolls in origins.slots.items() if slot not in origins.mixed}
    return RollOrigins(MappingProxyType(fields), MappingProxyType(slots))
