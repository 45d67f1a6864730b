"""Conditioning: the rolls that remain after a named roll has been made.

Values with the same remaining roll are merged into one case. A d20 that counts only as a hit or a miss has two cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from rulewright.dice.ast import Constant, Count, Group, Named, Pool, Roll, Variable, list_parts, split_trimmed
from rulewright.dice.exact.distribution import Distribution
from rulewright.dice.exact.order_statistics import list_sequences
from rulewright.dice.substitute import OPERATORS, free_names, substitute

CASE = 20_000
"""The steps of work, in the unit of `DiceLimits.work`, for replacing a name by one of its values."""


@lru_cache(maxsize=16)
def list_cases(roll: Named, odds: Callable[[Roll], Distribution]) -> Mapping[Roll, int]:
    """Return the rolls that `roll` may become, each with its number of ways.

    The values of its names are inserted. `odds` returns the distribution of a part. The latest results are cached,
    because the cost estimate needs them before the computation. Raises `DiceError` if a value makes a divisor 0, and as
    `odds` does.
    """
    results: dict[Roll, int] = {}
    if len(roll.names) == 1:
        [name] = roll.names
        first = odds(roll.source)
        for value, ways in zip(first.outcomes, first.counts, strict=True):
            body = substitute(roll.body, {name: value}, settle=True)
            results[body] = results.get(body, 0) + ways
        return MappingProxyType(results)
    pool, low, high = split_trimmed(roll.source)  # type: ignore[arg-type]
    members = [(pool.count, Pool(1, pool.die))] if isinstance(pool, Pool) else pool.members
    fallen = [(times, odds(each)) for times, each in members]
    tests = find_tests(roll)
    if tests is not None:
        fallen = [(times, merge_by_tests(of, tests)) for times, of in fallen]
    for values, ways in list_sequences(fallen).items():
        saved = values[high : len(values) - low]
        body = substitute(roll.body, dict(zip(roll.names, saved, strict=True)), settle=True)
        results[body] = results.get(body, 0) + ways
    return MappingProxyType(results)


Test = tuple[str, int]
"""A comparison of one result with a number: `(">=", 5)`."""


def find_tests(roll: Named) -> list[Test] | None:
    """Return the tests by which the body of `roll` inspects its dice, or None if it uses them in any other way.

    Values that pass the same tests can be merged: ten dice with counted hits and ones have 66 cases.
    """
    _, low, high = split_trimmed(roll.source)  # type: ignore[arg-type]
    results: list[Test] = []
    return results if not low and not high and _only_counts(roll.body, frozenset(roll.names), results) else None


def _only_counts(roll: Roll, names: frozenset[str], results: list[Test]) -> bool:
    """Return whether a roll uses `names` only to count all of them together.

    Appends the tests of its counts to `results`.
    """
    match roll:
        case Variable(name):
            return name not in names
        case Count(Group(members), symbol, Constant(value)) if free_names(Group(members)) & names:
            each = [inner.name for times, inner in members if times == 1 and isinstance(inner, Variable)]
            results.append((symbol, value))
            return len(each) == len(members) and set(each) == names
    return all(_only_counts(each, names, results) for each in list_parts(roll))


def merge_by_tests(of: Distribution, tests: list[Test]) -> Distribution:
    """Return the odds with a single value for all outcomes that pass the same of `tests`."""
    first: dict[tuple[bool, ...], int] = {}
    counts: dict[int, int] = {}
    for value, ways in zip(of.outcomes, of.counts, strict=True):
        seen = tuple(OPERATORS[symbol](value, number) for symbol, number in tests)
        like = first.setdefault(seen, value)
        counts[like] = counts.get(like, 0) + ways
    return Distribution.from_counts(counts)
