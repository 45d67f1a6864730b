"""Compute which dice a game needs, from all rolls in its rules and formulas."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING, Any

from rulewright.base.errors import RulewrightError
from rulewright.dice.ast import Die, Roll
from rulewright.dice.sampling.roll_dice import list_pools
from rulewright.language.expressions.evaluator import Evaluate
from rulewright.language.expressions.typed_ast import Comparison, Constant, Logic, Not, Objects, Stored, Typed
from rulewright.language.lowering import list_operations, list_step_expressions
from rulewright.language.operations import Chance
from rulewright.language.types import DICE, Optional, Row, present
from rulewright.ruleset.elaborate.node_readers import walk_all

if TYPE_CHECKING:
    from rulewright.language.declarations import Declarations, Formula
    from rulewright.ruleset.ruleset import Ruleset


MOST_CASES = 10_000
"""The maximum number of argument combinations for which a formula is evaluated.

For a formula with more combinations, only the rolls in its text count.
"""


def count_dice_needed(ruleset: Ruleset) -> dict[str, int]:
    """Return how many of each die the largest roll takes, by name, sorted by highest face.

    Includes rolls of numbers, tables, steps and formulas, and the values of formulas whose parameters are rows.
    Excludes rolls that only happen with a non-default setting. Rolls that are summed during play may take more dice.
    """
    return dict(ruleset.get_or_make(_DiceNeeded).content)


class _DiceNeeded:
    """The largest number of each die in a roll with default settings."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._counts = {die.name: many for die, many in _most(_by_default(ruleset))}

    @property
    def content(self) -> Mapping[str, int]:
        """The numbers by the name of the die, sorted by highest face."""
        return self._counts


def list_dice_needed(ruleset: Ruleset) -> list[tuple[Die, int]]:
    """Return every die with the largest number of it in one roll, under any settings, sorted by highest face."""
    return _most(_rolls(ruleset, frozenset()))


def _most(rolls: Iterable[Roll]) -> list[tuple[Die, int]]:
    """Return every die with the largest number of it in one of the rolls, sorted by highest face.

    A die that is made of another one counts as that.
    """
    most: dict[str, int] = {}
    dice: dict[str, Die] = {}
    for roll in rolls:
        total: dict[str, int] = {}
        for pool in list_pools(roll):
            die, count = pool.die.made_of or pool.die, pool.count
            total[die.name] = total.get(die.name, 0) + count
            dice[die.name] = die
        for name, count in total.items():
            most[name] = max(most.get(name, 0), count)
    ordered = sorted(dice.values(), key=lambda die: (max(die.faces), len(die.faces), die.name))
    return [(die, most[die.name]) for die in ordered]


def _by_default(ruleset: Ruleset) -> Iterator[Roll]:
    """Yield the rolls of a game in which no setting is changed. Only settings that are fixed before the game count."""
    options = ruleset.declarations.options.values()
    defaults = {f"options.{option.id}": option.default for option in options if option.may_change is None}
    steps = [step for procedure in ruleset.procedures.values() for step in procedure.iterate_steps()]
    idle = {
        inner.rule
        for step in steps
        if step.when is not None and _truth(step.when, defaults) is False
        for inner in (step, *(below for block in step.blocks for below in block.walk()))
    }
    yield from _rolls(ruleset, idle)


def _truth(condition: Typed, defaults: Mapping[str, str]) -> bool | None:
    """Return whether a condition is true with default settings, or None if it depends on anything else.

    `defaults` has the default choice of each setting, by `options.<id>`.
    """
    match condition:
        case Comparison(operator="==" | "!=" as operator, left=Stored(field=name), right=Constant(value=value)) if (
            name in defaults
        ):
            return bool(defaults[name] == value) == (operator == "==")
        case Not(operand=operand):
            inner = _truth(operand, defaults)
            return None if inner is None else not inner
        case Logic(operator=operator, operands=operands):
            results = {_truth(operand, defaults) for operand in operands}
            decisive = operator == "or"
            return decisive if decisive in results else None if None in results else not decisive
    return None


def _rolls(ruleset: Ruleset, idle: AbstractSet[str]) -> Iterator[Roll]:
    """Yield every roll in numbers, tables, defaults, formulas and steps, except in steps that are `idle`.

    `idle` has the rules of these steps. The roll of a table is left out if only idle steps roll on it. A roll may
    occur more than once.
    """
    declared = ruleset.declarations
    steps = [step for procedure in ruleset.procedures.values() for step in procedure.iterate_steps()]
    rolled: dict[str, bool] = {}
    for step in steps:
        for each in list_operations(step):
            if isinstance(each, Chance) and each.table is not None:
                rolled[each.table] = step.rule in idle and rolled.get(each.table, True)
    values: list[Any] = [number.value for number in declared.numbers.values()]
    for table in declared.tables.values():
        if not rolled.get(table.id):
            values.append(table.roll)
        values += [cell for row in table.rows.values() for cell in row.cells.values()]
    values += [field.default for kind in declared.kinds.values() for field in kind.fields.values()]
    trees = [formula.body for formula in declared.formulas.values()]
    for step in steps:
        if step.rule not in idle:
            trees += list_step_expressions(step)
    values += [node.value for tree in trees for node in tree.walk() if isinstance(node, Constant)]
    for formula in declared.formulas.values():
        values += _cases(formula, declared)
    for value in values:
        yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Roll))


def _cases(formula: Formula, declared: Declarations) -> Iterator[Any]:
    """Yield the values of a dice formula for every combination of row arguments, each row or, if optional, None too.

    Yields nothing if the formula has no or other parameters, reads the game's state, or has more than `MOST_CASES`
    combinations, or if a table lacks a cell. Combinations that fail are skipped.
    """
    if present(formula.type) != DICE or not formula.parameters:
        return
    if any(
        row.cells.get(column) is None and not isinstance(kind, Optional)
        for table in declared.tables.values()
        for row in table.rows.values()
        for column, kind in table.columns.items()
    ):
        return  # the rules are invalid, so a formula cannot read the missing cell
    given: list[list[str | None]] = []
    for kind in formula.parameters.values():
        row = present(kind)
        if not isinstance(row, Row):
            return
        given.append([*([None] if isinstance(kind, Optional) else []), *declared.tables[row.table].rows])
    if math.prod(map(len, given)) > MOST_CASES:
        return
    if any(isinstance(part, (Objects, Stored)) for part in walk_all(formula.body, declared)):
        return
    work = Evaluate(declared)
    for case in product(*given):
        with suppress(RulewrightError, OverflowError):  # combinations that never occur in play may fail
            yield work.value(formula.body, [], dict(zip(formula.parameters, case, strict=True)))
