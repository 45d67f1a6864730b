"""What the odds of a whole tree will cost, before any of it is spent.

The size of each distribution is checked where it is made; this adds up the work of all of them, so that a thousand
rolls that are each allowed cannot take an hour together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, log2

from rulewright.dice.errors import limit_error
from rulewright.dice.limits import SPARSE, Limits
from rulewright.dice.tree import Comparison, Constant, Keep, Maximum, Minimum, Negation, Pool, Product, Roll, Sum

# Steps of work for a value that is listed, counted and looked at: about as many nanoseconds, as all steps are.
_VALUE = 200

# No roll that `_small` lets through takes more steps than this.
_SMALL_WORK = 1 << 30

# Greater figures are all the same: refused.
_HUGE = 10**18


@dataclass(frozen=True, slots=True)
class _Cost:
    """At most `values` outcomes within a `span`, all a multiple of `step` apart, counts of `bits` bits, after `work`.

    `step` is 0 for a single outcome, and None where only the outcomes themselves would tell.
    """

    values: int
    span: int
    step: int | None
    bits: float
    work: float


def check_work(roll: Roll, limits: Limits) -> None:
    """Raise DiceError where the odds of `roll` would take more steps of work than `limits` allow."""
    if limits.work >= _SMALL_WORK and _small(roll):
        return
    work = _cost(roll).work
    if work > limits.work:
        raise limit_error(int(work), "steps of work for the odds", limits.work)


def odds_work(roll: Roll) -> int:
    """Steps of work, about as many nanoseconds, that the odds of `roll` take at most."""
    return int(_cost(roll).work)


def _small(roll: Roll) -> bool:
    """Whether `roll` is so plain that adding up its cost would take longer than its odds."""
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
            if not isinstance(faces, range) or faces.step > 10:
                return False
            size += node.count * len(faces)
        elif not isinstance(node, Constant):
            return False
    return size <= 1_000 and len(waiting) <= 64


def _cost(roll: Roll) -> _Cost:
    match roll:
        case Pool(count, die):
            return _pool(count, die.faces)
        case Keep():
            return _keep(roll)
        case Sum(terms):
            return _sum([_cost(term) for term in terms])
        case Negation(inner):
            return _cost(inner)
        case Product(factor, inner):
            cost = _cost(inner)
            step = None if cost.step is None else cost.step * abs(factor)
            return _Cost(cost.values, cost.span * abs(factor), step, cost.bits, cost.work + cost.values * _VALUE)
        case Maximum(rolls) | Minimum(rolls):
            parts = [_cost(each) for each in rolls]
            values = sum(part.values for part in parts)
            bits = sum(part.bits for part in parts)
            work = sum(part.work for part in parts) + len(parts) * values * (_VALUE + bits / 30)
            return _Cost(values, max(part.span for part in parts), None, bits, work)
        case Comparison(_, left, right):
            first, second = _cost(left), _cost(right)
            work = first.work + second.work + (first.values + second.values) * _VALUE
            return _Cost(2, 1, None, first.bits + second.bits, work)
    return _Cost(1, 0, 0, 0.0, 0.0)


def _pool(count: int, faces: Sequence[int]) -> _Cost:
    bits = count * log2(len(faces))
    if isinstance(faces, range):
        values = count * (len(faces) - 1) + 1
        return _Cost(values, count * (faces[-1] - faces[0]), _step(faces), bits, values * (_VALUE + bits / 4))
    span = count * (max(faces) - min(faces))
    values = min(span + 1, len(faces) ** min(count, 64), _HUGE)
    work = _product(min(span + 1, SPARSE * values) * bits) + len(faces) * _VALUE
    return _Cost(values, span, _step(faces), bits, work)


def _keep(roll: Keep) -> _Cost:
    count, keep, faces = roll.pool.count, roll.number, roll.pool.die.faces
    even = isinstance(faces, range)
    span = faces[-1] - faces[0] if even else max(faces) - min(faces)
    length = keep * (len(faces) - 1 if even else span) + 1
    bits = count * log2(len(faces))
    if count - keep == 1:
        # For each face a power of all dice above it.
        work = len(faces) * _product(length * bits)
    else:
        # For each face, a product for each die above: a packed integer that grows, times that of one die.
        die_bits = (length / keep + 1) * bits
        work = len(faces) * ((keep - 1) * (keep - 2) // 2 * die_bits**2 / 4096 + keep * length * bits / 64)
    return _Cost(length, keep * span, _step(faces), bits, work + length * _VALUE)


def _sum(parts: list[_Cost]) -> _Cost:
    span = sum(part.span for part in parts)
    bits = sum(part.bits for part in parts)
    values = 1
    for part in parts:
        values = min(values * part.values, span + 1, _HUGE)
    moving = [part for part in parts if part.span]
    steps = [part.step for part in parts if part.step is not None]
    step = gcd(*steps) if len(steps) == len(parts) else None
    pairs = 1
    for part in moving:
        pairs = min(pairs * part.values, _HUGE)
    length = span // step + 1 if step else 1
    if len(moving) < 2:
        joined = 0.0
    elif step is not None and length > SPARSE * pairs:
        # Too far apart to be laid out: one pair at a time, and less and less of them for each part before the last.
        joined = 2 * pairs * (_VALUE + bits / 30)
    else:
        joined = _product(min(length, SPARSE * pairs) * bits)
    return _Cost(values, span, step, bits, sum(part.work for part in parts) + joined + values * _VALUE)


def _step(faces: Sequence[int]) -> int:
    return gcd(*[face - faces[0] for face in faces]) if not isinstance(faces, range) else faces.step * (len(faces) > 1)


def _product(bits: float) -> float:
    """The work of multiplying integers into one of `bits` bits, by Karatsuba's method as Python does it."""
    return 2 * float((bits / 30) ** 1.585)
