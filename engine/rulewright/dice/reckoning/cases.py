"""What may come of a roll that is made once and used by its name: the different rolls that are left to make.

Values after which the same is rolled are one case: of a d20 that counts only as a hit or a miss, there are two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from rulewright.dice.distribution_value import Distribution
from rulewright.dice.reckoning.together import sequences
from rulewright.dice.replace import replaced
from rulewright.dice.tree import Named, Pool, Roll, trimmed

CASE = 20_000
"""Steps of work, as `Limits.work` counts them, for putting one value in place of its name."""


@lru_cache(maxsize=16)
def cases_of(roll: Named, odds: Callable[[Roll], Distribution]) -> Mapping[Roll, int]:
    """The rolls that `roll` may become, each with the ways that lead to it; `odds` gives those of what is rolled first.

    The last few are kept, since what it costs to go on is asked before the odds are.
    """
    found: dict[Roll, int] = {}
    if len(roll.names) == 1:
        [name] = roll.names
        first = odds(roll.source)
        for value, ways in zip(first.outcomes, first.counts, strict=True):
            body = replaced(roll.body, {name: value})
            found[body] = found.get(body, 0) + ways
        return MappingProxyType(found)
    pool, low, high = trimmed(roll.source)  # type: ignore[arg-type]
    members = [(pool.count, Pool(1, pool.die))] if isinstance(pool, Pool) else pool.members
    for values, ways in sequences([(times, odds(each)) for times, each in members]).items():
        kept = values[high : len(values) - low]
        body = replaced(roll.body, dict(zip(roll.names, kept, strict=True)))
        found[body] = found.get(body, 0) + ways
    return MappingProxyType(found)
