"""Odds of results side by side: of those in some places of their order, and of equal ones.

Both go through the values from the least to the greatest, and remember only how many results of each kind are still to
come and what has been made so far: the ways to fall are never listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import comb, gcd, log2, prod

from rulewright.dice.exact import Distribution
from rulewright.dice.limits import Limits
from rulewright.dice.reckoning.combine import check_size, evenly
from rulewright.dice.reckoning.counts import field_width, unpack

Members = Sequence[tuple[int, Distribution]]
"""Results side by side: how many there are of each kind, and how one of the kind falls."""


def in_places(members: Members, low: int, high: int, worth: Callable[[int], int], limits: Limits) -> Distribution:
    """The sum of what the results are `worth`, without the `low` lowest and the `high` highest."""
    number = sum(times for times, _ in members)
    values = _values(members)
    worths = [worth(value) for value in values]
    least = min(worths)
    step = gcd(*[each - least for each in worths]) or 1
    kept = number - low - high
    length = kept * ((max(worths) - least) // step) + 1
    bits = sum(times * log2(of.denominator) for times, of in members)
    check_size(length, bits, limits)
    denominator = _denominator(members)
    width = field_width(denominator.bit_length())

    states: dict[tuple[int, ...], int] = {tuple(times for times, _ in members): 1}
    for value, its_worth in zip(values, worths, strict=True):
        shift = (its_worth - least) // step * width
        for place, (_, of) in enumerate(members):
            ways = of.count(value)
            last = of.outcomes[-1] == value
            if not ways:
                continue
            after: dict[tuple[int, ...], int] = {}
            for left, counts in states.items():
                # The results below this one in their order are all that are no longer to come.
                below = number - sum(left)
                waiting = left[place]
                for taken in range(waiting if last else 0, waiting + 1):
                    among = min(below + taken, number - high) - max(below, low)
                    made = counts * (comb(waiting, taken) * ways**taken) << shift * max(among, 0)
                    key = (*left[:place], waiting - taken, *left[place + 1 :])
                    after[key] = after.get(key, 0) + made
            states = after
    [packed] = states.values()
    return evenly(kept * least, step, unpack(packed, length, width), denominator)


Seen = tuple[int, ...]


def matching(members: Members, what: str, number: int) -> Distribution:
    """What equal results come to, by `what` and `number` as in `rulewright.dice.tree.Matching`."""
    step, start, read = _RULES[what]
    values = _values(members)
    states: dict[tuple[tuple[int, ...], Seen], int] = {(tuple(times for times, _ in members), start): 1}
    before: int | None = None
    for value in values:
        apart = before is not None and value != before + 1
        before = value
        after: dict[tuple[tuple[int, ...], Seen], int] = {}
        for (left, seen), counts in states.items():
            for remaining, shown, ways in _falls(members, left, value):
                key = remaining, step(seen, shown, number, apart)
                after[key] = after.get(key, 0) + counts * ways
        states = after
    found: dict[int, int] = {}
    for (_, seen), counts in states.items():
        found[read(seen)] = found.get(read(seen), 0) + counts
    return Distribution.from_counts(found)


def _falls(members: Members, left: tuple[int, ...], value: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Of results still to come, how many may show `value`: what is left then, how many they are, in how many ways."""
    found: list[tuple[tuple[int, ...], int, int]] = [((), 0, 1)]
    for waiting, (_, of) in zip(left, members, strict=True):
        ways = of.count(value)
        last = of.outcomes[-1] == value
        most = waiting if ways else 0
        found = [
            ((*remaining, waiting - taken), shown + taken, counts * comb(waiting, taken) * ways**taken)
            for remaining, shown, counts in found
            for taken in range(waiting if last else 0, most + 1)
        ]
    yield from found


def _alike(seen: Seen, shown: int, number: int, apart: bool) -> Seen:
    return (max(seen[0], shown),)


def _sets(seen: Seen, shown: int, number: int, apart: bool) -> Seen:
    return (seen[0] + (shown >= number),)


def _run(seen: Seen, shown: int, number: int, apart: bool) -> Seen:
    current = (0 if apart else seen[1]) + 1 if shown else 0
    return max(seen[0], current), current


def _different(seen: Seen, shown: int, number: int, apart: bool) -> Seen:
    return (seen[0] + (shown > 0),)


def _first(seen: Seen) -> int:
    return seen[0]


_RULES: dict[str, tuple[Callable[[Seen, int, int, bool], Seen], Seen, Callable[[Seen], int]]] = {
    "alike": (_alike, (0,), _first),
    "sets": (_sets, (0,), _first),
    "different": (_different, (0,), _first),
    "run": (_run, (0, 0), _first),
}


def sequences(members: Members) -> dict[tuple[int, ...], int]:
    """Every way the results may lie, the highest first, with how many ways of falling lead to it."""
    states: dict[tuple[tuple[int, ...], Seen], int] = {(tuple(times for times, _ in members), ()): 1}
    for value in _values(members):
        after: dict[tuple[tuple[int, ...], Seen], int] = {}
        for (left, seen), counts in states.items():
            for remaining, shown, ways in _falls(members, left, value):
                key = remaining, (value,) * shown + seen
                after[key] = after.get(key, 0) + counts * ways
        states = after
    return {seen: counts for (_, seen), counts in states.items()}


def _values(members: Members) -> list[int]:
    return sorted({outcome for _, of in members for outcome in of.outcomes})


def _denominator(members: Members) -> int:
    return prod(of.denominator**times for times, of in members)
