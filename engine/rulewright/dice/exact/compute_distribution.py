"""The exact distribution of a roll, by the structure of its tree.

The parts of a roll are independent, because each node rolls its own dice. Results are not cached, because callers
know best how long to keep them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from math import gcd, log2
from operator import mul
from typing import Any

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
    Variable,
    split_trimmed,
)
from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.combine import (
    add_independent,
    build_certain,
    build_even,
    check_counted,
    check_size,
    combine_extreme,
    combine_pairs,
    compare,
    map_outcomes,
    mix,
    multiply_outcomes,
    shift,
)
from rulewright.dice.exact.conditioning import list_cases
from rulewright.dice.exact.cost import check_work, estimate_work
from rulewright.dice.exact.counts import equal_dice
from rulewright.dice.exact.distribution import Distribution
from rulewright.dice.exact.keep_highest import count_highest_dice, estimate_keeping_work
from rulewright.dice.exact.order_statistics import compute_in_places, compute_matching, estimate_placing_work
from rulewright.dice.format_notation import format_roll
from rulewright.dice.limits import DEFAULT, DiceLimits
from rulewright.dice.rounding import divide
from rulewright.dice.substitute import OPERATORS

__all__ = ["Distribution", "compute_distribution"]

_AT_ONCE = 100_000
"""The steps of work up to which the default method is used without comparing it with the alternative."""


def compute_distribution(roll: Roll, *, limits: DiceLimits = DEFAULT) -> Distribution:
    """Return the exact distribution of `roll`. Raises DiceError, before any work, if it exceeds `limits`.

    >>> from rulewright.dice.ast import Pool, build_die
    >>> two = compute_distribution(Pool(2, build_die(6)))
    >>> two.get_probability(7), two.compute_at_least(11), two.mean
    (Fraction(1, 6), Fraction(1, 12), Fraction(7, 1))
    """
    if not _is_plain(roll):
        check_work(roll, limits, _build_folds(limits))
    return _fold(roll, limits)


def _is_plain(roll: Roll) -> bool:
    """Return whether `roll` is a pool of evenly spaced faces or a sum of such pools.

    Its size alone then bounds the cost of its odds.
    """
    if type(roll) is Pool:
        return roll.die.weights is None and type(roll.die.faces) is range
    return type(roll) is Constant or (type(roll) is Sum and roll.depth == 2 and all(map(_is_plain, roll.terms)))


def estimate_odds_work(roll: Roll, *, limits: DiceLimits = DEFAULT) -> int:
    """Return the maximum steps of work (about one nanosecond each) that the odds of `roll` take."""
    return estimate_work(roll, _build_folds(limits))


@lru_cache(maxsize=16)
def _build_folds(limits: DiceLimits) -> Callable[[Roll], Distribution]:
    """Return a function that computes distributions within `limits`, for rolls that passed the check."""
    return lambda roll: _fold(roll, limits)


def _fold(roll: Roll, limits: DiceLimits) -> Distribution:
    return _BY_SHAPE[type(roll)](roll, limits)


def _constant(roll: Constant, limits: DiceLimits) -> Distribution:
    return build_certain(roll.value)


def _pool(roll: Pool, limits: DiceLimits) -> Distribution:
    return _dice(roll.count, roll.die, limits)


def _dice(count: int, die: Die, limits: DiceLimits, offset: int = 0) -> Distribution:
    """Return the distribution of the sum of `count` dice, plus `offset`. Raises `DiceError` above `limits`."""
    faces = die.faces
    if not isinstance(faces, range) or die.weights is not None:
        # Faces may be repeated, and come in any order.
        total = add_independent([(Distribution.from_counts(die.count_ways()), count)], limits)
        return shift(total, offset) if offset else total
    sides = len(faces)
    length = count * (sides - 1) + 1
    bits = count * sides.bit_length()
    if length > limits.outcomes or length * bits > limits.bits or bits > limits.digits:
        # The quick estimate, which is too high, exceeds a limit, so check the exact size.
        check_counted(length, count * log2(sides), limits)
    first, step = faces.start, faces.step
    lowest = count * first + offset
    outcomes = range(lowest, lowest + step * length, step)
    return Distribution(outcomes, equal_dice(count, sides), sides**count)


def _keep(roll: Keep, limits: DiceLimits) -> Distribution:
    """Return the distribution of the sum of the kept dice. Raises `DiceError` above `limits`."""
    count, keep, die = roll.pool.count, roll.number, roll.pool.die
    if keep == count:
        return _dice(count, die, limits)
    # The lowest dice are the highest of the mirrored die.
    faces = die.faces
    step: int
    if isinstance(faces, range) and die.weights is None:
        first, last, step = faces[0], faces[-1], faces.step
        positions = [(position, 1) for position in range(len(faces))]
    else:
        times = list(die.count_ways().items())
        first, last = times[0][0], times[-1][0]
        step = gcd(*[face - first for face, _ in times]) or 1
        positions = [((face - first) // step, number) for face, number in times]
        if not roll.highest:
            positions = [(positions[-1][0] - position, number) for position, number in reversed(positions)]
    length, bits = keep * ((last - first) // step) + 1, count * log2(die.ways)
    check_size(length, bits, limits)
    work = estimate_keeping_work(count, keep, len(positions), length, bits)
    if work > _AT_ONCE and estimate_placing_work([count], len(positions), keep, length, bits) < work:
        left_out = (count - keep, 0) if roll.highest else (0, count - keep)
        return compute_in_places([(count, _dice(1, die, limits))], *left_out, int, limits)
    counts = count_highest_dice(count, keep, positions)
    if not roll.highest:
        counts.reverse()
    return build_even(keep * first, step, counts, die.ways**count)


def _sum(roll: Sum, limits: DiceLimits) -> Distribution:
    """Return the distribution of a sum, with all equal dice taken together. Raises `DiceError` above `limits`."""
    offset = 0
    dice: dict[Die, int] = {}
    others: list[Roll] = []
    for term in roll.terms:
        if isinstance(term, Pool):
            dice[term.die] = dice.get(term.die, 0) + term.count
        elif isinstance(term, Constant):
            offset += term.value
        else:
            others.append(term)
    if len(dice) == 1 and not others:
        [(die, count)] = dice.items()
        return _dice(count, die, limits, offset)
    parts = [(_dice(count, die, limits), 1) for die, count in dice.items()]
    if others:
        parts += _repeated(others, limits)
    if len(parts) == 1 and parts[0][1] == 1:
        total = parts[0][0]
    else:
        total = add_independent(parts, limits) if parts else build_certain(0)
    return shift(total, offset) if offset else total


def _repeated(rolls: Iterable[Roll], limits: DiceLimits) -> list[tuple[Distribution, int]]:
    """Return the distribution of each different roll, and how often it comes."""
    return [(_fold(each, limits), times) for each, times in Counter(rolls).items()]


def _negation(roll: Negation, limits: DiceLimits) -> Distribution:
    return multiply_outcomes(_fold(roll.term, limits), -1)


def _product(roll: Product, limits: DiceLimits) -> Distribution:
    return multiply_outcomes(_fold(roll.roll, limits), roll.factor) if roll.factor else build_certain(0)


def _maximum(roll: Maximum, limits: DiceLimits) -> Distribution:
    return combine_extreme(_repeated(roll.rolls, limits), limits, greatest=True)


def _minimum(roll: Minimum, limits: DiceLimits) -> Distribution:
    return combine_extreme(_repeated(roll.rolls, limits), limits, greatest=False)


def _comparison(roll: Comparison, limits: DiceLimits) -> Distribution:
    left = _fold(roll.left, limits)
    return compare(roll.operator, left, _fold(roll.right, limits), limits)


def _absolute(roll: Absolute, limits: DiceLimits) -> Distribution:
    return map_outcomes(_fold(roll.roll, limits), abs, limits)


def _multiplied(roll: Multiplied, limits: DiceLimits) -> Distribution:
    return reduce(
        lambda left, right: combine_pairs(left, right, mul, limits), [_fold(each, limits) for each in roll.rolls]
    )


def _quotient(roll: Quotient, limits: DiceLimits) -> Distribution:
    left, right, rounding = _fold(roll.left, limits), _fold(roll.right, limits), roll.rounding
    if right.count(0):
        raise DiceError("dice-count", f"division by 0: {format_roll(roll.right)} can be 0")
    return combine_pairs(left, right, lambda over, under: divide(over, under, rounding), limits)


def _either(roll: Either, limits: DiceLimits) -> Distribution:
    condition = _fold(roll.condition, limits)
    otherwise = condition.count(0)
    cases = [(condition.denominator - otherwise, roll.then), (otherwise, roll.otherwise)]
    return mix([(ways, _fold(each, limits)) for ways, each in cases if ways], limits)


def _named(roll: Named, limits: DiceLimits) -> Distribution:
    cases = list_cases(roll, _build_folds(limits))
    return mix([(ways, _fold(body, limits)) for body, ways in cases.items()], limits)


def _several(roll: Several, limits: DiceLimits) -> Distribution:
    """Return the distribution of a roll repeated a rolled number of times, where a negative number counts as 0.

    Raises `DiceError` above `limits`.
    """
    count, one = _fold(roll.count, limits), _fold(roll.roll, limits)
    cases = Counter({0: 0})
    for times, ways in zip(count.outcomes, count.counts, strict=True):
        cases[max(times, 0)] += ways
    check_size(len(one), max(cases) * log2(one.denominator), limits)
    return mix(
        [
            (ways, add_independent([(one, times)], limits) if times else build_certain(0))
            for times, ways in cases.items()
            if ways
        ],
        limits,
    )


def _members(pool: Pool | Group, limits: DiceLimits) -> list[tuple[int, Distribution]]:
    """Return the results of a pool or group, as how many equal ones there are and their distribution.

    Raises `DiceError` above `limits`.
    """
    if isinstance(pool, Pool):
        return [(pool.count, _dice(1, pool.die, limits))]
    counter: Counter[Roll] = Counter()
    for times, roll in pool.members:
        counter[roll] += times
    return [(times, _fold(roll, limits)) for roll, times in counter.items()]


def _group(roll: Group, limits: DiceLimits) -> Distribution:
    parts = [(part, times) for times, part in _members(roll, limits)]
    return add_independent(parts, limits)


def _trim(roll: Trim, limits: DiceLimits) -> Distribution:
    return compute_in_places(_members(roll.pool, limits), roll.low, roll.high, int, limits)


def _count(roll: Count, limits: DiceLimits) -> Distribution:
    """Return the distribution of a count. Raises `DiceError` above `limits`.

    Its threshold must be a number, because a variable has been replaced by then.
    """
    assert isinstance(roll.threshold, Constant)
    holds, threshold = OPERATORS[roll.operator], roll.threshold.value

    def shows(value: int) -> int:
        return int(holds(value, threshold))

    pool, low, high = split_trimmed(roll.pool)
    members = _members(pool, limits)
    if low or high:
        return compute_in_places(members, low, high, shows, limits)
    return add_independent([(map_outcomes(of, shows, limits), times) for times, of in members], limits)


def _matching(roll: Matching, limits: DiceLimits) -> Distribution:
    return compute_matching(_members(roll.pool, limits), roll.what, roll.number)


def _variable(roll: Variable, limits: DiceLimits) -> Distribution:
    raise DiceError("unknown-die", f"{roll.name} does not name a roll here")


# A lookup by type instead of a `match`: for small rolls, the dispatch would cost as much as the work itself.
_BY_SHAPE: dict[type[Roll], Callable[[Any, DiceLimits], Distribution]] = {
    Constant: _constant,
    Pool: _pool,
    Keep: _keep,
    Sum: _sum,
    Negation: _negation,
    Product: _product,
    Maximum: _maximum,
    Minimum: _minimum,
    Comparison: _comparison,
    Absolute: _absolute,
    Multiplied: _multiplied,
    Quotient: _quotient,
    Either: _either,
    Named: _named,
    Several: _several,
    Group: _group,
    Trim: _trim,
    Count: _count,
    Matching: _matching,
    Variable: _variable,
}
