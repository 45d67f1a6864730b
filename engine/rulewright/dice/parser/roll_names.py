"""The names of rolls during parsing: the roll of each, and the dice of it that are used one by one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rulewright.dice.ast import Roll, Variable


@dataclass(slots=True)
class NameBinding:
    """The names of a roll, or of the parameters of a function if `source` is None.

    `dice` are the names of its single dice, once they are used.
    """

    names: tuple[str, ...]
    source: Roll | None = None
    dice: tuple[str, ...] = ()

    def name_dice(self, count: int, used: Collection[str]) -> None:
        """Give each of `count` dice a name that is not among `used`: `pool_1` is the highest of `pool`."""
        between = "_"
        while any(f"{self.names[0]}{between}{number}" in used for number in range(1, count + 1)):
            between += "_"
        self.dice = tuple(f"{self.names[0]}{between}{number}" for number in range(1, count + 1))


def list_in_reach(bindings: Sequence[NameBinding]) -> list[str]:
    """Return every name of `bindings`, the names of single dice included."""
    return [name for each in bindings for name in (*each.names, *each.dice)]


def find_binding(roll: Roll, bindings: Sequence[NameBinding]) -> NameBinding | None:
    """Return the innermost binding that `roll` is the name of, or None for any other roll."""
    if not isinstance(roll, Variable):
        return None
    return next((each for each in reversed(bindings) if roll.name in each.names), None)


def make_fresh_name(name: str, used: Collection[str]) -> str:
    """Return `name`, with underscores behind it as long as it is among `used`."""
    while name in used:
        name += "_"
    return name
