"""Cost estimates for the odds of a whole tree, made before any work.

The size of each distribution is checked when it is computed. This module adds up the work of all of them, so that
many allowed rolls cannot take too long together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb, gcd, log2, prod

from rulewright.dice.ast import (
    Absolute,
    Comparison,
    Constant,
    Count,
    Die,
    Either,
    Group,
    Keep,
    Matching,
    Maximum,
    Minimum,
    Multiplied,
    Named,
    Negation,
    Pool,
    Product,
    Quotient,
    Roll,
    Several,
    Sum,
    Trim,
    list_parts,
    split_trimmed,
)
from rulewright.dice.dice_error import limit_error
from rulewright.dice.exact.combine import estimate_listing_work, estimate_multiplication_work, step_by_step
from rulewright.dice.exact.conditioning import CASE, find_tests, list_cases, merge_by_tests
from rulewright.dice.exact.distribution import Distribution
from rulewright.dice.exact.keep_highest import estimate_keeping_work
from rulewright.dice.exact.order_statistics import estimate_matching_work, estimate_one_kind_work, estimate_placing_work
from rulewright.dice.limits import SPARSE, DiceLimits
from rulewright.dice.static_bounds import reach

# The steps of work to list, count and inspect one value. A step takes about a nanosecond.
_VALUE = 200

# The maximum steps of work for a roll that `_small` accepts.
_SMALL_WORK = 1 << 30

# The steps of work for each node of a substitution with many cases.
_NODE = 1_300

# If the estimate from the first, the middle and the last case exceeds this, the other cases are not estimated.
_BEYOND = 1 << 32

# The maximum number of equal rolls that are added one by one.
_FEW = 16

# The cap on estimates, because anything this large is refused anyway.
_HUGE = 10**18


@dataclass(frozen=True, slots=True)
class _Cost:
    """The estimated size and cost of a distribution.

    It has at most `values` outcomes within a `span`, all a multiple of `step` apart, with counts of `bits` bits, and
    costs `work`. `step` is 0 for a single outcome, and None if it is unknown.
    """

    values: int
    span: int
    step: int | None
    bits: float
    work: float


Odds = Callable[[Roll], Distribution]
"""A function that returns the distribution of a roll, for costs that depend on it."""


def check_work(roll: Roll, limits: DiceLimits, odds: Odds) -> None:
    """Raise DiceError if the odds of `roll` would take more work than `limits` allow."""
    if limits.work >= _SMALL_WORK and _small(roll):
        return
    work = _cost(roll, odds).work
    if work > limits.work:
        raise limit_error(int(work), "steps of work for the odds", limits.work)


def estimate_work(roll: Roll, odds: Odds) -> int:
    """Return the maximum steps of work (about one nanosecond each) that the odds of `roll` take."""
    return int(_cost(roll, odds).work)


def _small(roll: Roll) -> bool:
    """Return whether `roll` is so simple that computing its odds is faster than estimating their cost."""
    waiting: list[Roll] = [roll]
    size = 0
    for node in waiting:
        if isinstance(node, Sum):
            waiting += node.terms
        elif isinstance(node, Comparison):
            waiting += (node.left, node.right)
        elif isinstance(node, Keep):
            waiting.append(node.pool)
        elif isinstance(node, Pool):
            faces = node.die.faces
            if not isinstance(faces, range) or faces.step > 10 or node.die.weights is not None:
                return False
            size += node.count * len(faces)
        elif not isinstance(node, Constant):
            return False
    return size <= 1_000 and len(waiting) <= 64


def _cost(roll: Roll, odds: Odds) -> _Cost:
    """Return the estimated cost of the odds of `roll`. `odds` computes those that the estimate itself needs."""
    match roll:
        case Pool(count, die):
            return _pool(count, die)
        case Keep():
            return _keep(roll)
        case Sum(terms):
            return _sum([_cost(term, odds) for term in terms])
        case Negation(inner):
            return _cost(inner, odds)
        case Product(factor, inner):
            cost = _cost(inner, odds)
            step = None if cost.step is None else cost.step * abs(factor)
            return _Cost(cost.values, cost.span * abs(factor), step, cost.bits, cost.work + cost.values * _VALUE)
        case Maximum(rolls) | Minimum(rolls):
            costs = [_cost(each, odds) for each in rolls]
            values = sum(cost.values for cost in costs)
            bits = sum(cost.bits for cost in costs)
            work = sum(cost.work for cost in costs) + len(costs) * values * (_VALUE + bits / 30)
            return _Cost(values, max(cost.span for cost in costs), None, bits, work)
        case Comparison(_, left, right):
            first, second = _cost(left, odds), _cost(right, odds)
            work = first.work + second.work + (first.values + second.values) * _VALUE
            return _Cost(2, 1, None, first.bits + second.bits, work)
        case Absolute(inner):
            cost = _cost(inner, odds)
            return _Cost(cost.values, 2 * cost.span, None, cost.bits, cost.work + cost.values * _VALUE)
        case Multiplied(rolls):
            return _limit_to_span(roll, reduce(_pairs, [_cost(each, odds) for each in rolls]))
        case Quotient(left, right, _):
            return _limit_to_span(roll, _pairs(_cost(left, odds), _cost(right, odds)))
        case Either(condition, then, otherwise):
            return _limit_to_span(roll, _add_up([_cost(condition, odds)], _cost(then, odds), _cost(otherwise, odds)))
        case Named():
            return _limit_to_span(roll, _named(roll, odds))
        case Several(count, inner):
            return _limit_to_span(roll, _several(count, inner, odds))
        case Group(members):
            return _sum([_times(_cost(each, odds), times) for times, each in members])
        case Trim(pool) | Matching(_, pool):
            return _together(pool, roll, odds)
        case Count(pool):
            inner_pool, low, high = split_trimmed(pool)
            if low or high:
                return _together(inner_pool, roll, odds)
            costs = [_cost(each, odds) for each in _kinds(inner_pool)]
            bits = sum(times * cost.bits for times, cost in zip(_numbers(inner_pool), costs, strict=True))
            values = inner_pool.count + 1
            work = sum(cost.work + cost.values * _VALUE for cost in costs) + estimate_multiplication_work(values * bits)
            return _Cost(values, values - 1, 1, bits, work + values * _VALUE)
    return _Cost(1, 0, 0, 0.0, 0.0)


def _limit_to_span(roll: Roll, cost: _Cost) -> _Cost:
    """Return the cost with the span that `roll` can have at most."""
    low, high = reach(roll)
    return _Cost(min(cost.values, high - low + 1), high - low, cost.step, cost.bits, cost.work)


def _pairs(left: _Cost, right: _Cost) -> _Cost:
    """Return the cost of an operation that visits every pair of outcomes of two rolls."""
    pairs = min(left.values * right.values, _HUGE)
    bits = left.bits + right.bits
    return _Cost(pairs, _HUGE, None, bits, left.work + right.work + pairs * (3 * _VALUE + bits / 30))


def _add_up(before: list[_Cost], *cases: _Cost) -> _Cost:
    """Return the cost of `cases` of which one is rolled, after the rolls `before` that select it."""
    values = min(sum(case.values for case in cases), _HUGE)
    bits = sum(each.bits for each in [*before, *cases])
    work = sum(each.work for each in [*before, *cases]) + values * (_VALUE + bits / 30)
    return _Cost(values, _HUGE, None, bits, work)


def _named(roll: Named, odds: Odds) -> _Cost:
    """Return the cost of the first roll and of each different roll that may follow.

    If there are too many to list, or those sampled are too expensive, the cost is only estimated.
    """
    if len(roll.names) == 1:
        first = _cost(roll.source, odds)
        cases = first.values
    else:
        pool, _, _ = split_trimmed(roll.source)  # type: ignore[arg-type]
        kinds = [_cost(each, odds) for each in _kinds(pool)]
        first = _add_up(kinds)
        values = [each.values for each in kinds]
        tests = find_tests(roll)
        if tests is not None and first.work < _SMALL_WORK:
            values = [len(merge_by_tests(odds(each), tests)) for each in _kinds(pool)]
        cases = prod(comb(each + times - 1, times) for times, each in zip(_numbers(pool), values, strict=True))
    work = first.work + cases * max(CASE, _NODE * _size(roll.body))
    if work > _SMALL_WORK:
        return _Cost(cases, _HUGE, None, first.bits, work)
    bodies = list(list_cases(roll, odds))
    if len(bodies) > _FEW:
        some = sum(_cost(bodies[at], odds).work for at in (0, len(bodies) // 2, -1)) / 3 * len(bodies)
        if some > _BEYOND:
            # This already exceeds the limit, so the other cases, which may have many cases themselves, do not matter.
            return _Cost(cases, _HUGE, None, first.bits, work + some)
    return _add_up([_Cost(1, 0, 0, first.bits, work)], *[_cost(body, odds) for body in bodies])


def _size(roll: Roll) -> int:
    """Return how many nodes `roll` has."""
    return 1 + sum(map(_size, list_parts(roll)))


def _several(count: Roll, inner: Roll, odds: Odds) -> _Cost:
    """Return the cost of a roll repeated a rolled number of times, or only that of the number if it is large."""
    first, one = _cost(count, odds), _cost(inner, odds)
    if first.work > _SMALL_WORK:
        return first
    return _add_up([first], *[_times(one, times) for times in odds(count).outcomes if times > 0])


def _times(one: _Cost, times: int) -> _Cost:
    """Return the cost of the sum of `times` equal rolls.

    Up to a few, they are added one by one. More are taken as a power.
    """
    return (
        _sum([one] * times)
        if times <= _FEW
        else _Cost(
            min(one.values ** min(times, 64), one.span * times + 1, _HUGE),
            one.span * times,
            one.step,
            one.bits * times,
            one.work + estimate_multiplication_work(min(one.span * times + 1, _HUGE) * one.bits * times),
        )
    )


def _kinds(pool: Pool | Group) -> list[Roll]:
    return [Pool(1, pool.die)] if isinstance(pool, Pool) else [each for _, each in pool.members]


def _numbers(pool: Pool | Group) -> list[int]:
    return [pool.count] if isinstance(pool, Pool) else [times for times, _ in pool.members]


def _together(pool: Pool | Group, roll: Trim | Count | Matching, odds: Odds) -> _Cost:
    """Return the cost of a value of results side by side: trimmed, counted or matched.

    The algorithm goes value by value, and its states are the numbers of results that are still to come.
    """
    kinds = [_cost(each, odds) for each in _kinds(pool)]
    numbers = _numbers(pool)
    values = min(sum(each.values for each in kinds), _HUGE)
    bits = sum(times * each.bits for times, each in zip(numbers, kinds, strict=True))
    saved = pool.count
    span = saved * max(each.span for each in kinds)
    if isinstance(roll, Matching):
        work = estimate_matching_work(numbers, values, roll.what)
        if len(numbers) == 1 and roll.what != "run":
            faces = (
                Counter(pool.die.count_ways().values())
                if isinstance(pool, Pool)
                else dict.fromkeys(range(1, values + 1), 1)
            )
            work = min(work, estimate_one_kind_work(numbers[0], faces, roll.what, roll.number))
        return _Cost(saved + 1, saved, 1, bits, sum(each.work for each in kinds) + work)
    _, low, high = split_trimmed(roll.pool if isinstance(roll, Count) else roll)
    length = saved - low - high + 1 if isinstance(roll, Count) else span + 1
    work = estimate_placing_work(numbers, values, saved - max(low, high), length, bits)
    return _Cost(min(span + 1, _HUGE), span, None, bits, sum(each.work for each in kinds) + work)


def _pool(count: int, die: Die) -> _Cost:
    faces = die.faces
    bits = count * log2(die.ways)
    if isinstance(faces, range) and die.weights is None:
        values = count * (len(faces) - 1) + 1
        return _Cost(values, count * (faces[-1] - faces[0]), _step(faces), bits, values * (_VALUE + bits / 4))
    span = count * (max(faces) - min(faces))
    step = _step(faces)
    length, sums = span // (step or 1) + 1, min(len(faces) ** min(count, 64), _HUGE)
    if length > SPARSE * sums:
        work = sums * (_VALUE + bits / 30)
    elif step_by_step(length, len(faces), bits):
        work = estimate_listing_work(length, len(faces), bits)
    else:
        work = estimate_multiplication_work(length * bits)
    return _Cost(min(length, sums), span, step, bits, work + len(faces) * _VALUE)


def _keep(roll: Keep) -> _Cost:
    count, keep, faces = roll.pool.count, roll.number, roll.pool.die.faces
    even = isinstance(faces, range)
    span = faces[-1] - faces[0] if even else max(faces) - min(faces)
    length = keep * (len(faces) - 1 if even else span) + 1
    bits = count * log2(roll.pool.die.ways)
    work = estimate_keeping_work(count, keep, len(faces), length, bits)
    if keep < count:
        work = min(work, estimate_placing_work([count], len(faces), keep, length, bits))
    return _Cost(length, keep * span, _step(faces), bits, work + length * _VALUE)


def _sum(costs: list[_Cost]) -> _Cost:
    span = sum(cost.span for cost in costs)
    bits = sum(cost.bits for cost in costs)
    values = 1
    for cost in costs:
        values = min(values * cost.values, span + 1, _HUGE)
    moving = [cost for cost in costs if cost.span]
    steps = [cost.step for cost in costs if cost.step is not None]
    step = gcd(*steps) if len(steps) == len(costs) else None
    pairs = 1
    for cost in moving:
        pairs = min(pairs * cost.values, _HUGE)
    length = span // step + 1 if step else 1
    if len(moving) < 2:
        joined = 0.0
    elif step is not None and length > SPARSE * pairs:
        # The values are too sparse for a dense array, so combine one pair at a time.
        joined = 2 * pairs * (_VALUE + bits / 30)
    else:
        joined = estimate_multiplication_work(min(length, SPARSE * pairs) * bits)
    return _Cost(values, span, step, bits, sum(cost.work for cost in costs) + joined + values * _VALUE)


def _step(faces: Sequence[int]) -> int:
    return gcd(*[face - faces[0] for face in faces]) if not isinstance(faces, range) else faces.step * (len(faces) > 1)
