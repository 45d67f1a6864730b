"""Numbers in braces, `{7, 11}`: they are added up here, and other programs take them for a list of what to look for."""

from __future__ import annotations

from collections.abc import Set

from rulewright.dice.ast import Comparison, Constant, Group, Multiplied, Named, Pool, Roll, Sum, Variable
from rulewright.dice.format_notation import format_roll

COUNT = "count compares each die with one number: count(6d10 >= 7)"


def list_braced_numbers(roll: Roll) -> list[int]:
    """Return the plain numbers that stand in braces and nothing else, where there are several.

    A list to whoever wrote it.
    """
    members = roll.members if isinstance(roll, Group) else ()
    found = [inner.value for times, inner in members if times == 1 and isinstance(inner, Constant)]
    return found if len(found) == len(members) > 1 else []


def refuse_list(comparison: Comparison, names: Set[str]) -> tuple[str, str | None]:
    """Return why a comparison with a list is refused, and what says it number by number, if anything does.

    `names` are in use already.
    """
    numbers, other = list_braced_numbers(comparison.right), comparison.left
    if not numbers:
        numbers, other = list_braced_numbers(comparison.left), comparison.right
    message = f"{{{', '.join(map(str, numbers))}}} is its numbers added up, {sum(numbers)}, and not a list of them"
    if comparison.operator not in ("==", "!="):
        return message, None
    roll = other if isinstance(other, Variable) else Variable(min({"x", "y", "z"} - names, default="w"))
    apart = tuple(Comparison(comparison.operator, roll, Constant(number)) for number in dict.fromkeys(numbers))
    body = Sum(apart) if comparison.operator == "==" else Multiplied(apart)
    return message, format_roll(body if roll is other else Named((roll.name,), other, body))


def suggest_counting(pool: Roll, numbers: list[int]) -> str:
    """Return how to count the dice of `pool` that show one of `numbers`."""
    if not isinstance(pool, Pool) or pool.die.made_of is not None:
        return COUNT
    ways = pool.die.count_ways()
    among = set(numbers) & set(ways)
    if not among or len(among) == len(ways):
        return COUNT
    if among == {face for face in ways if face >= min(among)}:
        return f"for these faces: count({format_roll(pool)} >= {min(among)})"
    if among == {face for face in ways if face <= max(among)}:
        return f"for these faces: count({format_roll(pool)} <= {max(among)})"
    hits = sum(ways[face] for face in among)
    faces = f"{{0: {pool.die.ways - hits}, 1: {hits}}}"
    return f"a die with 1 on these faces and 0 on the others counts them: {pool.count}d{faces}"
