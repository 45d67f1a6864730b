"""Numbers in braces, `{7, 11}`. This notation adds them up, but other programs read them as a list of values."""

from __future__ import annotations

from collections.abc import Set

from rulewright.dice.ast import Comparison, Constant, Group, Multiplied, Named, Pool, Roll, Sum, Variable
from rulewright.dice.format_notation import format_roll

COUNT = "count compares each die with one number: count(6d10 >= 7)"


def list_braced_numbers(roll: Roll) -> list[int]:
    """Return the numbers of a group that contains only plain numbers, at least two of them. Empty for other rolls."""
    members = roll.members if isinstance(roll, Group) else ()
    results = [inner.value for times, inner in members if times == 1 and isinstance(inner, Constant)]
    return results if len(results) == len(members) > 1 else []


def refuse_list(comparison: Comparison, names: Set[str]) -> tuple[str, str | None]:
    """Return the message for a comparison with a list, and a roll that compares each number instead.

    The roll is None for operators other than `==` and `!=`. It does not bind any of `names`, which are in use.
    """
    numbers, other = list_braced_numbers(comparison.right), comparison.left
    if not numbers:
        numbers, other = list_braced_numbers(comparison.left), comparison.right
    message = f"{{{', '.join(map(str, numbers))}}} means the sum of its numbers, {sum(numbers)}, not a list of them"
    if comparison.operator not in ("==", "!="):
        return message, None
    roll = other if isinstance(other, Variable) else Variable(min({"x", "y", "z"} - names, default="w"))
    apart = tuple(Comparison(comparison.operator, roll, Constant(number)) for number in dict.fromkeys(numbers))
    body = Sum(apart) if comparison.operator == "==" else Multiplied(apart)
    return message, format_roll(body if roll is other else Named((roll.name,), other, body))


def suggest_counting(pool: Roll, numbers: list[int]) -> str:
    """Return how to count the dice of `pool` that show one of `numbers`, or the general advice `COUNT`."""
    if not isinstance(pool, Pool) or pool.die.made_of is not None:
        return COUNT
    ways = pool.die.count_ways()
    among = set(numbers) & set(ways)
    if not among or len(among) == len(ways):
        return COUNT
    if among == {face for face in ways if face >= min(among)}:
        return f"to count these faces: count({format_roll(pool)} >= {min(among)})"
    if among == {face for face in ways if face <= max(among)}:
        return f"to count these faces: count({format_roll(pool)} <= {max(among)})"
    hits = sum(ways[face] for face in among)
    faces = f"{{0: {pool.die.ways - hits}, 1: {hits}}}"
    return f"to count these faces, give the die a 1 on them and a 0 on the others: {pool.count}d{faces}"
