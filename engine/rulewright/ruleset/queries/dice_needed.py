"""Which dice a game needs: those of every roll that its rules write down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulewright.dice.roll import pools
from rulewright.dice.tree import Die, Roll
from rulewright.language.expression.typed import Constant
from rulewright.language.verb import expressions

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset


def dice_needed(ruleset: Ruleset) -> dict[str, int]:
    """Every die by name, from few sides to many, and the most of it that any one written roll takes.

    What rules add up in play, such as the dice of a crowd, may take more.
    """
    return {die.name: many for die, many in needed(ruleset)}


def needed(ruleset: Ruleset) -> list[tuple[Die, int]]:
    """The same, with the dice themselves."""
    most: dict[str, int] = {}
    dice: dict[str, Die] = {}
    for roll in _rolls(ruleset):
        taken: dict[str, int] = {}
        for pool in pools(roll):
            die, count = pool.die.made_of or pool.die, pool.count
            taken[die.name] = taken.get(die.name, 0) + count
            dice[die.name] = die
        for name, count in taken.items():
            most[name] = max(most.get(name, 0), count)
    ordered = sorted(dice.values(), key=lambda die: (max(die.faces), len(die.faces), die.name))
    return [(die, most[die.name]) for die in ordered]


def _rolls(ruleset: Ruleset) -> Iterator[Roll]:
    """Every roll in numbers, tables, starting values, formulas and steps."""
    declared = ruleset.declarations
    values: list[Any] = [number.value for number in declared.numbers.values()]
    for table in declared.tables.values():
        values.append(table.roll)
        values += [cell for row in table.rows.values() for cell in row.cells.values()]
    values += [field.default for kind in declared.kinds.values() for field in kind.fields.values()]
    trees = [formula.body for formula in declared.formulas.values()]
    for procedure in ruleset.procedures.values():
        for step in procedure.steps():
            trees += [*expressions(step.action), *([step.when] if step.when is not None else [])]
    values += [node.value for tree in trees for node in tree.walk() if isinstance(node, Constant)]
    for value in values:
        yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Roll))
