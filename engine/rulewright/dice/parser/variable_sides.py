"""Dice with a rolled number of sides, as a case for each number.

The roll for the number of sides is made once and named, so that all operations on named rolls support these dice:
`1d(1d3)` is `1d3 as sides: 1d1 if sides == 1 else 1d2 if sides == 2 else 1d3`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.dice.ast import Comparison, Constant, Either, Named, Pool, Roll, Variable
from rulewright.dice.parser.roll_names import NameBinding
from rulewright.dice.static_bounds import Ends, bound_names, reach
from rulewright.dice.substitute import free_names

MOST_SIDES = 100
"""The maximum number of different numbers of sides that one roll may have."""


def count_sides(sides: Roll, bindings: Sequence[NameBinding]) -> Sequence[int] | None:
    """Return the possible numbers of sides, ascending, or None if a name in `sides` is unknown.

    For anything but a single die, this is the whole range between bounds that need not be tight. It may begin below 1.
    """
    ends: dict[str, Ends] = {}
    unknown: set[str] = set()
    for each in bindings:
        if each.source is None:
            unknown |= set(each.names)
        else:
            ends |= bound_names(Named(each.names, each.source, Constant(0)), ends)
            unknown -= set(each.names)
    if free_names(sides) & unknown:
        return None
    if isinstance(sides, Pool) and sides.count == 1:
        return sorted(set(sides.die.faces))
    low, high = reach(sides, ends)
    return range(low, high + 1)


def map_over_sides(sides: Roll, values: Sequence[int], of: Callable[[int], Roll], name: str) -> Roll:
    """Return a roll that applies `of` to the result of `sides`, which is rolled once.

    `values` are all possible results. `name` binds the result if `sides` is not a name itself.
    """
    variable = sides if isinstance(sides, Variable) else Variable(name)
    *others, last = values
    body = of(last)
    for value in reversed(others):
        body = Either(Comparison("==", variable, Constant(value)), of(value), body)
    return body if variable is sides else Named((name,), sides, body)


def by_sides(roll: Roll, make: Callable[[Roll], Roll]) -> Roll:
    """Return `roll`, a result of `map_over_sides`, with `make` applied to the dice of each case."""
    match roll:
        case Named(names, source, body):
            return Named(names, source, by_sides(body, make))
        case Either(condition, then, otherwise):
            return Either(condition, make(then), by_sides(otherwise, make))
    return make(roll)
