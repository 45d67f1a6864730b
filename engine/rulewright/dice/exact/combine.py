"""Distributions of independent parts put together: sums, greatest and least, comparisons."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import gcd, lcm, log2, prod
from operator import mul

from rulewright.dice.dice_error import limit_error
from rulewright.dice.exact.counts import convolve, convolve_sparse, power, spread_out
from rulewright.dice.exact.distribution import Distribution
from rulewright.dice.limits import SPARSE, DiceLimits

_BITS_PER_DIGIT = log2(10)

COUNTED = 8
"""The factor by which counts that are listed one by one may exceed the limit on bits."""

_FEW_COUNTS = 500


def check_size(outcomes: int, bits: float, limits: DiceLimits) -> None:
    """Raise DiceError for a distribution that is above `limits`.

    The limits are those of the outcomes, of the digits of the denominator, which has `bits` bits, and of all bits.
    """
    if outcomes > limits.outcomes:
        raise limit_error(outcomes, "outcomes", limits.outcomes)
    if bits > limits.digits * _BITS_PER_DIGIT:
        raise limit_error(int(bits / _BITS_PER_DIGIT), "digits in the odds", limits.digits)
    if outcomes * bits > limits.bits:
        raise limit_error(int(outcomes * bits), "bits of odds", limits.bits)


def check_counted(outcomes: int, bits: float, limits: DiceLimits) -> None:
    """Check the cost of counts that are listed one by one, which takes no longer than listing them."""
    check_size(outcomes, bits / COUNTED, limits)
    if bits > limits.digits * _BITS_PER_DIGIT:
        raise limit_error(int(bits / _BITS_PER_DIGIT), "digits in the odds", limits.digits)


def build_certain(value: int) -> Distribution:
    """Return the distribution of a number."""
    return Distribution((value,), (1,), 1)


def build_even(lowest: int, step: int, counts: list[int], denominator: int) -> Distribution:
    """Return the distribution with `counts` in equal steps from `lowest`. Outcomes with a count of 0 are left out."""
    outcomes: Sequence[int] = range(lowest, lowest + step * (len(counts) - 1) + 1, step)
    if 0 in counts:
        outcomes = tuple([outcome for outcome, count in zip(outcomes, counts, strict=True) if count])
        counts = [count for count in counts if count]
    return Distribution(outcomes, counts, denominator)


def shift(distribution: Distribution, offset: int) -> Distribution:
    """Return the distribution of the roll plus `offset`."""
    outcomes = distribution.outcomes
    moved: Sequence[int]
    if isinstance(outcomes, range):
        moved = range(outcomes.start + offset, outcomes.stop + offset, outcomes.step)
    else:
        moved = tuple([outcome + offset for outcome in outcomes])
    return Distribution(moved, distribution.counts, distribution.denominator)


def multiply_outcomes(distribution: Distribution, factor: int) -> Distribution:
    """Return the distribution of the roll times `factor`, which is not 0."""
    outcomes, counts = distribution.outcomes, distribution.counts
    if factor < 0:
        outcomes, counts = outcomes[::-1], counts[::-1]
    moved: Sequence[int]
    if isinstance(outcomes, range) and len(outcomes) > 1:
        step = outcomes.step * factor
        moved = range(outcomes[0] * factor, outcomes[-1] * factor + 1, step)
    else:
        moved = tuple([outcome * factor for outcome in outcomes])
    return Distribution(moved, counts, distribution.denominator)


def _step(outcomes: Sequence[int]) -> int:
    """Return the greatest step in which all outcomes can be reached from the first, or 0 for a single one."""
    if len(outcomes) == 1:
        return 0
    if isinstance(outcomes, range):
        return outcomes.step
    return gcd(*[right - left for left, right in pairwise(outcomes)])


def add_independent(parts: Sequence[tuple[Distribution, int]], limits: DiceLimits) -> Distribution:
    """Return the distribution of the sum of independent rolls, each taken as many times as its number says.

    Raises `DiceError` above `limits`.
    """
    step = gcd(*[_step(part.outcomes) for part, _ in parts])
    lowest = sum(part.outcomes[0] * times for part, times in parts)
    if step == 0:
        return build_certain(lowest)
    highest = sum(part.outcomes[-1] * times for part, times in parts)
    length = (highest - lowest) // step + 1
    bits = sum(times * log2(part.denominator) for part, times in parts)
    pairs = 1
    for part, times in parts:
        # The maximum number of different sums, capped because the comparison below needs no larger value.
        pairs = min(pairs * len(part) ** min(times, 64), limits.outcomes * SPARSE)
    if length > SPARSE * pairs:
        return _convolve_sparse(parts, pairs, bits, limits)
    if len(parts) == 1 and step_by_step(length, len(parts[0][0]), bits):
        [(part, times)] = parts
        check_counted(length, bits, limits)
        return build_even(lowest, step, power(_lay_out_counts(part, step), times), part.denominator**times)
    check_size(length, bits, limits)
    denominator = prod([part.denominator**times for part, times in parts])
    counts = [(_lay_out_counts(part, step), times) for part, times in parts]
    return build_even(lowest, step, convolve(counts, denominator.bit_length()), denominator)


def step_by_step(length: int, faces: int, bits: float) -> bool:
    """Return whether listing the counts of equal dice one by one is cheaper than multiplying polynomials."""
    return length > _FEW_COUNTS and estimate_listing_work(length, faces, bits) < estimate_multiplication_work(
        length * bits
    )


def estimate_listing_work(length: int, faces: int, bits: float) -> float:
    """Return the work, about in nanoseconds, of counts that take a step for each face."""
    return length * faces * (150 + bits / 8)


def estimate_multiplication_work(bits: float) -> float:
    """Return the work of multiplying integers into one of `bits` bits, by Karatsuba's method as Python does it."""
    return 2 * float((bits / 30) ** 1.585)


def _lay_out_counts(part: Distribution, step: int) -> Sequence[int]:
    """Return the counts of `part` at equal steps from its smallest outcome, with zeros for impossible values."""
    outcomes, counts = part.outcomes, part.counts
    if len(outcomes) == 1:
        return counts  # a single outcome needs no gaps
    if isinstance(outcomes, range):
        return spread_out(counts, outcomes.step // step)
    first = outcomes[0]
    wide = [0] * ((outcomes[-1] - first) // step + 1)
    for outcome, count in zip(outcomes, counts, strict=True):
        wide[(outcome - first) // step] = count
    return wide


def _convolve_sparse(
    parts: Sequence[tuple[Distribution, int]], pairs: int, bits: float, limits: DiceLimits
) -> Distribution:
    """Return the distribution of a sum with large gaps between its outcomes, which number `pairs` at most.

    Raises `DiceError` above `limits`.
    """
    check_size(pairs, bits, limits)
    maps: list[dict[int, int]] = []
    for part, times in parts:
        maps += [dict(zip(part.outcomes, part.counts, strict=True))] * times
    counts = convolve_sparse(maps)
    outcomes = sorted(counts)
    return Distribution(tuple(outcomes), [counts[outcome] for outcome in outcomes], sum(counts.values()))


def combine_extreme(parts: Sequence[tuple[Distribution, int]], limits: DiceLimits, *, greatest: bool) -> Distribution:
    """Return the distribution of the greatest, or least, of independent rolls.

    Each is taken as many times as its number says. The chance that the greatest is at most x is the product of the
    chances that each is. The differences of these chances are the result. Raises `DiceError` above `limits`.
    """
    union: Sequence[int] = parts[0][0].outcomes
    if len(parts) > 1:
        union = tuple(sorted(set().union(*[part.outcomes for part, _ in parts])))
    bits = sum(times * log2(part.denominator) for part, times in parts)
    check_size(len(union), bits, limits)
    if not greatest:
        union = union[::-1]
    reached = [1] * len(union)
    for part, times in parts:
        ways = _count_ways_up_to(part, union) if greatest else _count_ways_down_to(part, union)
        reached = [total * way**times for total, way in zip(reached, ways, strict=True)]
    counts = [reached[0], *[after - before for before, after in pairwise(reached)]]
    results = [(outcome, count) for outcome, count in zip(union, counts, strict=True) if count]
    if not greatest:
        results.reverse()
    return Distribution(tuple([pair[0] for pair in results]), [pair[1] for pair in results], reached[-1])


def _count_ways_up_to(part: Distribution, values: Sequence[int]) -> list[int]:
    reached = [0, *accumulate(part.counts)]
    if values is part.outcomes:
        return reached[1:]
    return [reached[bisect_right(part.outcomes, value)] for value in values]


def _count_ways_down_to(part: Distribution, values: Sequence[int]) -> list[int]:
    reached = [0, *accumulate(part.counts)]
    total = reached[-1]
    return [total - reached[bisect_left(part.outcomes, value)] for value in values]


def mix(cases: Sequence[tuple[int, Distribution]], limits: DiceLimits) -> Distribution:
    """Return the mixture of `cases`, each weighted by its number of ways. Raises `DiceError` above `limits`."""
    if len(cases) == 1:
        return cases[0][1]
    common = lcm(*[case.denominator for _, case in cases])
    check_size(max(len(case) for _, case in cases), log2(common), limits)
    counts: dict[int, int] = {}
    get = counts.get
    for ways, case in cases:
        scale = ways * (common // case.denominator)
        for outcome, count in zip(case.outcomes, case.counts, strict=True):
            counts[outcome] = get(outcome, 0) + count * scale
    return _from_ways(counts, limits)


def combine_pairs(
    left: Distribution, right: Distribution, join: Callable[[int, int], int], limits: DiceLimits
) -> Distribution:
    """Return the distribution of `join` applied to two independent rolls. Raises `DiceError` above `limits`."""
    bits = log2(left.denominator) + log2(right.denominator)
    if len(left) * len(right) > limits.outcomes * SPARSE:
        raise limit_error(len(left) * len(right), "pairs of outcomes", limits.outcomes * SPARSE)
    check_size(1, bits, limits)
    counts: dict[int, int] = {}
    get = counts.get
    others = list(zip(right.outcomes, right.counts, strict=True))
    for outcome, count in zip(left.outcomes, left.counts, strict=True):
        for other, ways in others:
            result = join(outcome, other)
            counts[result] = get(result, 0) + count * ways
    return _from_ways(counts, limits)


def map_outcomes(of: Distribution, make: Callable[[int], int], limits: DiceLimits) -> Distribution:
    """Return the distribution of `make` applied to each outcome of a roll. Equal results are merged.

    Raises `DiceError` above `limits`.
    """
    counts: dict[int, int] = {}
    for outcome, count in zip(of.outcomes, of.counts, strict=True):
        result = make(outcome)
        counts[result] = counts.get(result, 0) + count
    return _from_ways(counts, limits)


def _from_ways(counts: dict[int, int], limits: DiceLimits) -> Distribution:
    check_size(len(counts), 1, limits)
    outcomes = sorted(counts)
    return Distribution(tuple(outcomes), [counts[outcome] for outcome in outcomes], sum(counts.values()))


def compare(operator: str, left: Distribution, right: Distribution, limits: DiceLimits) -> Distribution:
    """Return the distribution of a comparison of two independent rolls: 1 if it is true, else 0.

    A comparison that is always true, or never, has a single outcome. Raises `DiceError` above `limits`.
    """
    total = left.denominator * right.denominator
    # The result has only two outcomes, however many the sides have; only its two counts can be large.
    check_size(2, log2(left.denominator) + log2(right.denominator), limits)
    if operator == ">":
        holds = _count_ways_above(left, right)
    elif operator == "<":
        holds = _count_ways_above(right, left)
    elif operator == ">=":
        holds = total - _count_ways_above(right, left)
    elif operator == "<=":
        holds = total - _count_ways_above(left, right)
    else:
        equal = _count_ways_equal(left, right)
        holds = equal if operator == "==" else total - equal
    if holds == 0 or holds == total:
        return build_certain(int(holds > 0))
    return Distribution(range(2), (total - holds, holds), total)


def _count_ways_above(left: Distribution, right: Distribution) -> int:
    """Return the number of pairs of ways in which `left` is greater than `right`."""
    ours, theirs = left.outcomes, right.outcomes
    not_above = list(accumulate(left.counts))
    counts = right.counts
    if isinstance(ours, range) and isinstance(theirs, range) and ours.step == theirs.step == 1:
        # All ways of `left` exceed an outcome below its minimum; none exceed an outcome at or above its maximum.
        first = min(max(ours.start - theirs.start, 0), len(counts))
        last = min(max(ours.stop - theirs.start, 0), len(counts))
        offset = theirs.start + first - ours.start
        ways = left.denominator * sum(counts[:last])
        not_ways: int = sum(map(mul, counts[first:last], not_above[offset : offset + last - first]))
        return ways - not_ways
    not_above.insert(0, 0)
    total = left.denominator
    return sum(
        count * (total - not_above[bisect_right(ours, outcome)]) for outcome, count in zip(theirs, counts, strict=True)
    )


def _count_ways_equal(left: Distribution, right: Distribution) -> int:
    theirs = dict(zip(right.outcomes, right.counts, strict=True))
    pairs = zip(left.outcomes, left.counts, strict=True)
    return sum(count * theirs[outcome] for outcome, count in pairs if outcome in theirs)
