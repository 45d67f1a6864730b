"""Order statistics: the odds of results at certain positions of their order, and of equal results.

Both iterate over the values from lowest to highest, and track only the number of results still to come and the
partial result. The combinations are never listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb, gcd, log2, prod

from rulewright.dice.exact.combine import build_even, check_size
from rulewright.dice.exact.counts import field_width, unpack
from rulewright.dice.exact.distribution import Distribution
from rulewright.dice.limits import DiceLimits

Members = Sequence[tuple[int, Distribution]]
"""Separate results by kind: how many there are, and the distribution of a single one."""


def compute_in_places(
    members: Members, low: int, high: int, map_value: Callable[[int], int], limits: DiceLimits
) -> Distribution:
    """Return the distribution of the summed `map_value` of results, without the `low` lowest and the `high` highest.

    It starts at the end with fewer excluded results. Once enough results have come, the others may have any value
    beyond the current one, which is one power for each kind. Raises `DiceError` above `limits`.
    """
    number = sum(times for times, _ in members)
    values = _values(members)
    mapped = [map_value(value) for value in values]
    least = min(mapped)
    step = gcd(*[each - least for each in mapped]) or 1
    saved = number - low - high
    length = saved * ((max(mapped) - least) // step) + 1
    bits = sum(times * log2(of.denominator) for times, of in members)
    check_size(length, bits, limits)
    denominator = _denominator(members)
    width = field_width(denominator.bit_length())

    skipped, order = (low, 1) if low < high else (high, -1)
    looked_at = skipped + saved
    total = 0
    states: dict[tuple[int, ...], int] = {tuple(times for times, _ in members): 1}
    beyond = [of.denominator for _, of in members]
    for value, its_worth in list(zip(values, mapped, strict=True))[::order]:
        shift = (its_worth - least) // step * width
        for place, (_, of) in enumerate(members):
            ways = of.count(value)
            if not ways:
                continue
            beyond[place] -= ways
            after: dict[tuple[int, ...], int] = {}
            for left, counts in states.items():
                seen = number - sum(left)
                waiting, missing = left[place], looked_at - seen
                others = left[:place], left[place + 1 :]
                for count in range(0 if beyond[place] else waiting, min(waiting + 1, missing)):
                    among = max(seen + count, skipped) - max(seen, skipped)
                    result = counts * (comb(waiting, count) * ways**count) << shift * among
                    key = (*others[0], waiting - count, *others[1])
                    after[key] = after.get(key, 0) + result
                if waiting >= missing:
                    free = prod(beyond[at] ** left[at] for at in range(len(left)) if at != place)
                    enough = _at_least(waiting, missing, ways, beyond[place])
                    total += counts * (free * enough) << shift * (looked_at - max(seen, skipped))
            states = after
    return build_even(saved * least, step, unpack(total, length, width), denominator)


def estimate_placing_work(numbers: Sequence[int], values: int, looked_at: int, length: int, bits: float) -> float:
    """Return the estimated work of `compute_in_places`, in nanoseconds.

    `numbers` are the results of each kind, with `values` different values in total. `looked_at` is the number of
    results tracked from one end of the order, `length` the number of possible sums, and `bits` the size of their
    counts.
    """
    states = min(prod(times + 1 for times in numbers), comb(looked_at - 1 + len(numbers), len(numbers)))
    mean_states = sum(min(times, looked_at) + 1 for times in numbers) / 2
    rest = sum(min(times, sum(numbers) - looked_at) + 1 for times in numbers)
    return values * states * (mean_states * (900 + length * bits / 13) + rest * (1_000 + 4 * bits))


def _at_least(number: int, least: int, ways: int, others: int) -> int:
    """Return in how many ways at least `least` of `number` results are one of `ways`, and the rest one of `others`."""
    return sum(comb(number, count) * ways**count * others ** (number - count) for count in range(least, number + 1))


SeenCounts = tuple[int, ...]


def compute_matching(members: Members, what: str, number: int) -> Distribution:
    """Return the distribution of a function of equal results, such as the size of the largest group.

    `what` and `number` are those of `rulewright.dice.ast.Matching`.
    """
    if len(members) == 1 and what in OF_ONE_KIND:
        [(times, of)] = members
        faces = Counter(of.counts)
        if estimate_one_kind_work(times, faces, what, number) < estimate_matching_work([times], len(of), what):
            return Distribution.from_counts(OF_ONE_KIND[what](times, faces, number))
    return compute_value_by_value(members, what, number)


def estimate_matching_work(numbers: Sequence[int], values: int, what: str) -> float:
    """Return the estimated work of iterating over all values, in nanoseconds."""
    states = prod(times + 1 for times in numbers)
    ways = prod((times + 2) / 2 for times in numbers)
    saved = sum(numbers)
    return values * states * saved * (saved if what == "run" else 1) * ways * 2_000


def estimate_one_kind_work(times: int, faces: Mapping[int, int], what: str, number: int) -> float:
    """Return the estimated work for results of one kind, in nanoseconds.

    `faces` has the number of values by their number of ways. `times` is the number of results, and `what` the question
    about them: `alike`, `sets` or another.
    """
    bits = times * log2(sum(ways * several for ways, several in faces.items()))
    joined = times * times / 2 * (300 + bits / 10)
    if what == "alike":
        return times / 2 * sum(2 * log2(several) + 1 for several in faces.values()) * joined
    most = times // (number if what == "sets" else 1)
    pairs = sum(min(several, most) + 1 for several in faces.values()) * (most + 1) if len(faces) > 1 else 1
    return (sum(faces.values()) + most * len(faces) + pairs) * joined


Ways = list[int]
"""The numbers of ways in which 0, 1, 2, … results occur, as coefficients of an exponential generating function.
Independent results combine by binomial convolution.
"""


def _join(left: Ways, right: Ways) -> Ways:
    return [
        sum(comb(number, first) * left[first] * right[number - first] for first in range(number + 1) if left[first])
        for number in range(len(left))
    ]


def _power(ways: Ways, several: int) -> Ways:
    """Return the polynomial `ways` to the power `several`, truncated to its length."""
    total = [1] + [0] * (len(ways) - 1)
    while several:
        if several & 1:
            total = _join(total, ways)
        several >>= 1
        if several:
            ways = _join(ways, ways)
    return total


def _alike_of_one_kind(times: int, faces: Mapping[int, int], _: int) -> dict[int, int]:
    """Return the number of ways by size of the largest group of equal results, from the ways up to each size.

    `faces` has the number of values by their number of ways. Only one value can be shown by more than half of the
    results. Sizes that are impossible are left out.
    """
    together = sum(ways * several for ways, several in faces.items())
    results: dict[int, int] = {}
    reached = 0
    for most in range(1, times + 1):
        if 2 * most >= times:
            beyond = sum(
                several * comb(times, count) * ways**count * (together - ways) ** (times - count)
                for ways, several in faces.items()
                for count in range(most + 1, times + 1)
            )
            up_to = together**times - beyond
        else:
            total = [1] + [0] * times
            for ways, several in faces.items():
                shows = [ways**count if count <= most else 0 for count in range(times + 1)]
                total = _join(total, _power(shows, several))
            up_to = total[times]
        if up_to > reached:
            results[most] = up_to - reached
        reached = up_to
    return results


def _sets_of_one_kind(times: int, faces: Mapping[int, int], number: int) -> dict[int, int]:
    """Return the number of ways by how many values show on at least `number` of `times` results.

    `faces` has the number of values by their number of ways.
    """
    most = times // number
    total: list[Ways] = []
    for ways, several in faces.items():
        few = [ways**count if count < number else 0 for count in range(times + 1)]
        many = [0 if count < number else ways**count for count in range(times + 1)]
        without, within = _powers(few, several), _powers(many, min(several, most))
        here = [
            [comb(several, sets) * each for each in _join(without[several - sets], within[sets])]
            for sets in range(len(within))
        ]
        total = _add_tables(total, here, most) if total else here
    return {sets: ways[times] for sets, ways in enumerate(total) if ways[times]}


def _add_tables(left: list[Ways], right: list[Ways], most: int) -> list[Ways]:
    """Return the table of ways by number of sets for two disjoint groups of values, up to `most` sets."""
    total = [[0] * len(left[0]) for _ in range(min(len(left) + len(right) - 1, most + 1))]
    for before, ways in enumerate(left):
        for more, those in enumerate(right[: len(total) - before]):
            both = _join(ways, those)
            total[before + more] = [a + b for a, b in zip(total[before + more], both, strict=True)]
    return total


def _powers(ways: Ways, most: int) -> list[Ways]:
    powers = [[1] + [0] * (len(ways) - 1)]
    for _ in range(most):
        powers.append(_join(powers[-1], ways))
    return powers


def _different_of_one_kind(times: int, faces: Mapping[int, int], _: int) -> dict[int, int]:
    """Return how many values show at all."""
    return _sets_of_one_kind(times, faces, 1)


OF_ONE_KIND = {"alike": _alike_of_one_kind, "sets": _sets_of_one_kind, "different": _different_of_one_kind}
"""The recurrences for equal dice by kind of `Matching`, which are faster than iterating over the values."""


def compute_value_by_value(members: Members, what: str, number: int) -> Distribution:
    """Return the distribution of a function of equal or consecutive results, by dynamic programming over their values.

    `what` names the function in `_RULES`, and `number` is its argument.
    """
    step, start, read = _RULES[what]
    values = _values(members)
    states: dict[tuple[tuple[int, ...], SeenCounts], int] = {(tuple(times for times, _ in members), start): 1}
    before: int | None = None
    for value in values:
        apart = before is not None and value != before + 1
        before = value
        after: dict[tuple[tuple[int, ...], SeenCounts], int] = {}
        for (left, seen), counts in states.items():
            for remaining, count, ways in _falls(members, left, value):
                key = remaining, step(seen, count, number, apart)
                after[key] = after.get(key, 0) + counts * ways
        states = after
    results: dict[int, int] = {}
    for (_, seen), counts in states.items():
        results[read(seen)] = results.get(read(seen), 0) + counts
    return Distribution.from_counts(results)


def _falls(members: Members, left: tuple[int, ...], value: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield how many of the results in `left` may show `value`: the results that remain, that number, and its ways.

    `left` has the number of results of each member that show no lower value, and so have the results that remain.
    """
    results: list[tuple[tuple[int, ...], int, int]] = [((), 0, 1)]
    for waiting, (_, of) in zip(left, members, strict=True):
        ways = of.count(value)
        last = of.outcomes[-1] == value
        most = waiting if ways else 0
        results = [
            ((*remaining, waiting - more), count + more, counts * comb(waiting, more) * ways**more)
            for remaining, count, counts in results
            for more in range(waiting if last else 0, most + 1)
        ]
    yield from results


def _alike(seen: SeenCounts, count: int, number: int, apart: bool) -> SeenCounts:
    return (max(seen[0], count),)


def _sets(seen: SeenCounts, count: int, number: int, apart: bool) -> SeenCounts:
    return (seen[0] + (count >= number),)


def _run(seen: SeenCounts, count: int, number: int, apart: bool) -> SeenCounts:
    current = (0 if apart else seen[1]) + 1 if count else 0
    return max(seen[0], current), current


def _different(seen: SeenCounts, count: int, number: int, apart: bool) -> SeenCounts:
    return (seen[0] + (count > 0),)


def _first(seen: SeenCounts) -> int:
    return seen[0]


_RULES: dict[
    str, tuple[Callable[[SeenCounts, int, int, bool], SeenCounts], SeenCounts, Callable[[SeenCounts], int]]
] = {
    "alike": (_alike, (0,), _first),
    "sets": (_sets, (0,), _first),
    "different": (_different, (0,), _first),
    "run": (_run, (0, 0), _first),
}


def list_sequences(members: Members) -> dict[tuple[int, ...], int]:
    """Return every ordered result, the highest first, with the number of ways that lead to it."""
    states: dict[tuple[tuple[int, ...], SeenCounts], int] = {(tuple(times for times, _ in members), ()): 1}
    for value in _values(members):
        after: dict[tuple[tuple[int, ...], SeenCounts], int] = {}
        for (left, seen), counts in states.items():
            for remaining, count, ways in _falls(members, left, value):
                key = remaining, (value,) * count + seen
                after[key] = after.get(key, 0) + counts * ways
        states = after
    return {seen: counts for (_, seen), counts in states.items()}


def _values(members: Members) -> list[int]:
    return sorted({outcome for _, of in members for outcome in of.outcomes})


def _denominator(members: Members) -> int:
    return prod(of.denominator**times for times, of in members)
