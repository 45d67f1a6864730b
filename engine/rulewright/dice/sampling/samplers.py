"""From a tree to the closure that rolls it: with a generator for the total, with a trace of every die, or by a script.

Dice are rolled in the order in which they are written, and only those that count: of an `Either` one side, of a
`Several` as many as came up. Results side by side are rolled member by member. Equal single dice of a member are one
pool, as those of `Several` are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from rulewright.dice.ast import (
    Absolute,
    Comparison,
    Constant,
    Count,
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
from rulewright.dice.format_notation import format_roll
from rulewright.dice.rounding import divide
from rulewright.dice.sampling.pools import (
    Rolled,
    RolledPool,
    build_scripted_drawer,
    draw_faces,
    find_selected_places,
    record_drawer,
    total_drawer,
)
from rulewright.dice.substitute import MATCHING, OPERATORS, substitute

# The argument of a closure: a generator, or a generator or script with the trace so far.
_Step = Callable[[Any], int]
_Values = Callable[[Any], list[int]]


@dataclass(frozen=True, slots=True)
class SamplerParts:
    """The source of dice: `total` creates the closure for the value of a pool, and `faces` that for its single dice.

    `traces` is true if a context ends with a trace, to which both closures append the rolled dice.
    """

    total: Callable[[Rolled], _Step]
    faces: Callable[[Pool], Callable[[Any], Sequence[int]]]
    traces: bool


def _trace_faces(drawer: Callable[[Rolled], _Step]) -> Callable[[Pool], Callable[[Any], Sequence[int]]]:
    """Return a `faces` part that draws a pool with `drawer`, which records it in the trace, and returns its faces."""

    def faces(pool: Pool) -> Callable[[Any], Sequence[int]]:
        draw = drawer(pool)

        def drawn(context: Any) -> Sequence[int]:
            draw(context)
            record: RolledPool = context[1][-1]
            return record.faces

        return drawn

    return faces


TOTAL = SamplerParts(total_drawer, lambda pool: lambda generator: draw_faces(pool, generator), False)
"""The parts for rolling with a generator, without a trace."""

RECORD = SamplerParts(record_drawer, _trace_faces(record_drawer), True)
"""The parts for rolling with a generator and a trace."""

SCRIPT = SamplerParts(build_scripted_drawer, _trace_faces(build_scripted_drawer), True)
"""The parts for rolling from a script of faces, with a trace."""


def compile_roll(tree: Roll, draw: SamplerParts) -> _Step:
    """Return a closure that rolls `tree`, so that the tree is inspected only once.

    `draw` has the primitives for dice. The closure takes their context, and raises `DiceError` for a division by 0, and
    for a name without a value when it is rolled. Raises `TypeError` for anything but a roll.
    """
    match tree:
        case Pool() | Keep():
            return draw.total(tree)
        case Constant(value):
            return lambda context: value
        case Sum(terms):
            return _sum(terms, draw)
        case Negation(inner):
            negated = compile_roll(inner, draw)
            return lambda context: -negated(context)
        case Product(factor, inner):
            scaled = compile_roll(inner, draw)
            return lambda context: factor * scaled(context)
        case Maximum(rolls):
            highest = [compile_roll(each, draw) for each in rolls]
            return lambda context: max([step(context) for step in highest])
        case Minimum(rolls):
            lowest = [compile_roll(each, draw) for each in rolls]
            return lambda context: min([step(context) for step in lowest])
        case Comparison(symbol, left, right):
            holds, first, second = OPERATORS[symbol], compile_roll(left, draw), compile_roll(right, draw)
            return lambda context: int(holds(first(context), second(context)))
        case Absolute(inner):
            signed = compile_roll(inner, draw)
            return lambda context: abs(signed(context))
        case Multiplied(rolls):
            factors = [compile_roll(each, draw) for each in rolls]
            return lambda context: prod([step(context) for step in factors])
        case Quotient():
            return _quotient(tree, draw)
        case Either(condition, then, otherwise):
            test, yes, no = compile_roll(condition, draw), compile_roll(then, draw), compile_roll(otherwise, draw)
            return lambda context: yes(context) if test(context) else no(context)
        case Named():
            return _named(tree, draw)
        case Several(count, inner):
            return _several(count, inner, draw)
        case Group():
            return _group(tree, draw)
        case Trim(pool):
            if isinstance(pool, Pool):
                return draw.total(tree)
            values = build_results_drawer(tree, draw)
            return lambda context: sum(values(context))
        case Count():
            return _count(tree, draw)
        case Matching(what, pool, number):
            values, judge = build_results_drawer(pool, draw), MATCHING[what]
            return lambda context: judge(values(context), number)
        case Variable(name):
            # The name may be in a part that is never rolled, so raise the error only when it is rolled.
            def fail(context: Any) -> int:
                raise DiceError("unknown-die", f"{name} does not name a roll here")

            return fail
    raise TypeError(f"{type(tree).__name__} is not a roll")


def _sum(terms: tuple[Roll, ...], draw: SamplerParts) -> _Step:
    """Return a closure that rolls all terms and returns their sum."""
    bonus = sum(term.value for term in terms if isinstance(term, Constant))
    steps = [compile_roll(term, draw) for term in terms if not isinstance(term, Constant)]
    if len(steps) == 1:
        only = steps[0]
        return lambda context: only(context) + bonus
    if len(steps) == 2:
        first, second = steps
        return lambda context: first(context) + second(context) + bonus
    return lambda context: sum([step(context) for step in steps]) + bonus


def _quotient(tree: Quotient, draw: SamplerParts) -> _Step:
    """Return a closure that rolls both sides and divides. It raises `DiceError` if the divisor is 0."""
    left, right, rounding = compile_roll(tree.left, draw), compile_roll(tree.right, draw), tree.rounding

    def divide_results(context: Any) -> int:
        over = left(context)
        under = right(context)
        if under == 0:
            raise DiceError("dice-count", f"{format_roll(tree.right)} rolled 0, and division by 0 is not possible")
        return divide(over, under, rounding)

    return divide_results


def _named(tree: Named, draw: SamplerParts) -> _Step:
    """Return a closure that rolls the source, inserts the result in the body, and rolls that.

    Bodies are compiled once per result, and kept up to a limit.
    """
    # The sampler for a value is created when the value first occurs.
    following: dict[tuple[int, ...], _Step] = {}
    names, body = tree.names, tree.body

    def follow(values: tuple[int, ...], context: Any) -> int:
        step = following.get(values)
        if step is None:
            if len(following) >= _MOST_KEPT:
                following.clear()
            step = following[values] = compile_roll(substitute(body, dict(zip(names, values, strict=True))), draw)
        return step(context)

    if len(names) == 1:
        source = compile_roll(tree.source, draw)
        return lambda context: follow((source(context),), context)
    values = build_results_drawer(tree.source, draw)
    return lambda context: follow(tuple(sorted(values(context), reverse=True)), context)


_MOST_KEPT = 1024


def _several(count: Roll, inner: Roll, draw: SamplerParts) -> _Step:
    """Return a closure that rolls the count, and then sums that many rolls of `inner`.

    Dice are rolled as a single pool.

    A count below 1 gives 0.
    """
    times = compile_roll(count, draw)
    if isinstance(inner, Pool):
        pools: dict[int, _Step] = {}

        def together(context: Any) -> int:
            number = times(context) * inner.count
            if number < 1:
                return 0
            if number not in pools:
                pools[number] = draw.total(Pool(number, inner.die))
            return pools[number](context)

        return together
    one = compile_roll(inner, draw)
    return lambda context: sum([one(context) for _ in range(times(context))])


def _group(tree: Group, draw: SamplerParts) -> _Step:
    values = build_results_drawer(tree, draw)
    return lambda context: sum(values(context))


def _count(tree: Count, draw: SamplerParts) -> _Step:
    values, holds = build_results_drawer(tree.pool, draw), OPERATORS[tree.operator]
    threshold = compile_roll(tree.threshold, draw)
    return lambda context: sum([holds(value, threshold(context)) for value in values(context)])


def build_results_drawer(tree: Roll, draw: SamplerParts) -> _Values:
    """Return a closure that rolls results side by side and returns those that are kept.

    They come in the order in which they are rolled, except that trimmed ones are in ascending order without a trace.
    `tree` must be a pool or a group, which may be trimmed.
    """
    if isinstance(tree, Pool):
        faces = draw.faces(tree)
        return lambda context: list(faces(context))
    assert isinstance(tree, Keep | Trim | Group)
    pool, low, high = split_trimmed(tree)
    if isinstance(pool, Group):
        members = [_member(times, roll, draw) for times, roll in pool.members]
        return _trace_members(members, low, high) if draw.traces else _choose_members(members, low, high)
    if not draw.traces:
        faces = draw.faces(pool)
        return lambda context: sorted(faces(context))[low : pool.count - high]
    rolled = draw.total(tree)  # type: ignore[arg-type]

    def list_kept(context: Any) -> list[int]:
        rolled(context)
        record: RolledPool = context[1][-1]
        return [face for face, stays in zip(record.faces, record.kept, strict=True) if stays]

    return list_kept


@dataclass(frozen=True, slots=True)
class _Member:
    """Equal results of a group: single dice are rolled together, other rolls one after another."""

    values: _Values
    dice: bool
    times: int


def _member(times: int, roll: Roll, draw: SamplerParts) -> _Member:
    if isinstance(roll, Pool) and roll.count == 1:
        return _Member(build_results_drawer(Pool(times, roll.die), draw), True, 1)
    one = compile_roll(roll, draw)
    return _Member(lambda context: [one(context)], False, times)


def _choose_members(members: list[_Member], low: int, high: int) -> _Values:
    """Return a closure that rolls the members of a group and returns the values that are kept.

    They are sorted if any are dropped, and else in the order of rolling.
    """

    def values(context: Any) -> list[int]:
        results = [value for each in members for _ in range(each.times) for value in each.values(context)]
        return sorted(results)[low : len(results) - high] if low or high else results

    return values


def _trace_members(members: list[_Member], low: int, high: int) -> _Values:
    """Return a closure that rolls the members of a group and returns the values that are kept.

    In the trace, the dice of dropped results are marked as dropped.
    """

    def values(context: Any) -> list[int]:
        trace: list[RolledPool] = context[1]
        numbers: list[int] = []
        # The position of each result in the trace: its pools, and for single dice the index among them.
        places: list[tuple[range, int | None]] = []
        for each in members:
            for _ in range(each.times):
                before = len(trace)
                rolled = each.values(context)
                pools = range(before, len(trace))
                places += [(pools, place if each.dice else None) for place in range(len(rolled))]
                numbers += rolled
        selected_places = find_selected_places(numbers, low, high)
        for at, (pools, place) in enumerate(places):
            if at not in selected_places:
                for pool in pools:
                    trace[pool] = _without(trace[pool], place)
        return [value for at, value in enumerate(numbers) if at in selected_places]

    return values


def _without(record: RolledPool, place: int | None) -> RolledPool:
    """Return the record with one of its dice dropped, or all of them."""
    saved = tuple(stays and place is not None and at != place for at, stays in enumerate(record.kept))
    total = sum(face for face, stays in zip(record.faces, saved, strict=True) if stays)
    return RolledPool(record.roll, record.faces, saved, total)
