"""Rolling: a tree and a generator make a result with a trace of every die, or the total alone."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from rulewright.dice.bounds import maximum, minimum
from rulewright.dice.distribution import distribution
from rulewright.dice.errors import DiceError
from rulewright.dice.generator import Generator
from rulewright.dice.limits import DEFAULT, Limits
from rulewright.dice.pools import RolledPool, record_drawer, scripted_drawer, total_drawer
from rulewright.dice.text import text
from rulewright.dice.tree import Comparison, Constant, Keep, Maximum, Minimum, Negation, Pool, Product, Roll, Sum

_Context = TypeVar("_Context")
_Step = Callable[[_Context], int]
_Trace = list[RolledPool]

_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True, slots=True)
class Result:
    """What a roll came to: the roll, its total, and the dice of each pool in the order they were rolled."""

    roll: Roll
    total: int
    trace: tuple[RolledPool, ...]


def roll(tree: Roll, generator: Generator) -> Result:
    """Roll `tree`, with a record of every die.

    >>> from rulewright.dice.parse import parse
    >>> result = roll(parse("2d6 +6"), Generator(7))
    >>> result.total, faces(result)
    (16, [[4, 6]])
    """
    trace: _Trace = []
    total = _tracer(tree)((generator, trace))
    return Result(tree, total, tuple(trace))


def total(tree: Roll, generator: Generator) -> int:
    """The total alone: what `roll` gives for the same generator, several times faster."""
    try:
        sample = tree._sampler
    except AttributeError:
        sample = sampler(tree)
    return sample(generator)


def sampler(tree: Roll) -> Callable[[Generator], int]:
    """The function that `total` uses for `tree`: generator in, total out. Equal trees share one."""
    sample = _total_sampler(tree)
    # On the node too, so that rolling the same tree again does not even hash it.
    object.__setattr__(tree, "_sampler", sample)
    return sample


def faces(result: Result) -> list[list[int]]:
    """The faces of every die, a list for each pool, in the order they were rolled."""
    return [list(rolled.faces) for rolled in result.trace]


def pools(tree: Roll) -> list[Pool]:
    """The pools of `tree`, in the order they are rolled."""
    match tree:
        case Pool():
            return [tree]
        case Keep(pool):
            return [pool]
        case Sum(rolls) | Maximum(rolls) | Minimum(rolls):
            return [pool for each in rolls for pool in pools(each)]
        case Negation(inner) | Product(_, inner):
            return pools(inner)
        case Comparison(_, left, right):
            return pools(left) + pools(right)
    return []


def result_from_faces(tree: Roll, faces: Sequence[int]) -> Result:
    """The result when the dice of `tree`, in the order they are rolled, show `faces`.

    Raises DiceError (`dice-scripted`) for too few faces, too many, or one that its die does not have.
    """
    expected = [die for pool in pools(tree) for die in [pool.die] * pool.count]
    if len(faces) != len(expected):
        needs = "1 die" if len(expected) == 1 else f"{len(expected)} dice"
        raise DiceError("dice-scripted", f"{text(tree)} rolls {needs}, but {len(faces)} faces are given")
    for face, die in zip(faces, expected, strict=True):
        # To Python, 6.0 is 6, and yes is 1; the total would be what the face is.
        if type(face) is not int or face not in die.faces:
            raise DiceError("dice-scripted", f"{face} is not a face of {die.name}, in the roll {text(tree)}")
    trace: _Trace = []
    total = _scripted(tree)((iter(faces), trace))
    return Result(tree, total, tuple(trace))


def total_from_faces(tree: Roll, faces: Sequence[int]) -> int:
    """The total when the dice of `tree`, in the order they are rolled, show `faces`; raises as `result_from_faces`."""
    return result_from_faces(tree, faces).total


def reachable(tree: Roll, total: int, *, limits: Limits = DEFAULT) -> bool:
    """Whether `tree` can come to `total`. Raises DiceError where telling that needs odds beyond `limits`."""
    if not minimum(tree, limits=limits) <= total <= maximum(tree, limits=limits):
        return False
    return distribution(tree, limits=limits).count(total) > 0


def dice_bonus(tree: Roll) -> int | None:
    """What `tree` adds to the sum of its dice, where its total is that sum and a constant; else None."""
    if isinstance(tree, Pool):
        return 0
    if isinstance(tree, Constant):
        return tree.value
    if isinstance(tree, Sum):
        bonuses = [dice_bonus(term) for term in tree.terms]
        return None if None in bonuses else sum(bonus for bonus in bonuses if bonus is not None)
    return None


def dice_sum_bounds(tree: Roll) -> tuple[int, int] | None:
    """The least and greatest sum that the dice of `tree` can show, before its bonus is added.

    None where the sum of the dice does not decide the total (dice are dropped, multiplied, compared).
    """
    bonus = dice_bonus(tree)
    return None if bonus is None else (minimum(tree) - bonus, maximum(tree) - bonus)


@lru_cache(maxsize=4096)
def _total_sampler(tree: Roll) -> Callable[[Generator], int]:
    return _compile(tree, total_drawer)


@lru_cache(maxsize=1024)
def _tracer(tree: Roll) -> Callable[[tuple[Generator, _Trace]], int]:
    return _compile(tree, record_drawer)


@lru_cache(maxsize=1024)
def _scripted(tree: Roll) -> Callable[[tuple[Iterator[int], _Trace]], int]:
    return _compile(tree, scripted_drawer)


def _compile(tree: Roll, draw: Callable[[Pool | Keep], _Step[_Context]]) -> _Step[_Context]:
    """A closure that rolls `tree`; `draw` makes those for its pools. Closures need no second look at the tree."""
    match tree:
        case Pool() | Keep():
            return draw(tree)
        case Constant(value):
            return lambda context: value
        case Sum(terms):
            return _compile_sum(terms, draw)
        case Negation(inner):
            negated = _compile(inner, draw)
            return lambda context: -negated(context)
        case Product(factor, inner):
            scaled = _compile(inner, draw)
            return lambda context: factor * scaled(context)
        case Maximum(rolls):
            highest = [_compile(each, draw) for each in rolls]
            return lambda context: max([step(context) for step in highest])
        case Minimum(rolls):
            lowest = [_compile(each, draw) for each in rolls]
            return lambda context: min([step(context) for step in lowest])
        case Comparison(symbol, left, right):
            holds, first, second = _OPERATORS[symbol], _compile(left, draw), _compile(right, draw)
            return lambda context: int(holds(first(context), second(context)))
    raise TypeError(f"{type(tree).__name__} is no roll")


def _compile_sum(terms: tuple[Roll, ...], draw: Callable[[Pool | Keep], _Step[_Context]]) -> _Step[_Context]:
    bonus = sum(term.value for term in terms if isinstance(term, Constant))
    steps = [_compile(term, draw) for term in terms if not isinstance(term, Constant)]
    if len(steps) == 1:
        only = steps[0]
        return lambda context: only(context) + bonus
    if len(steps) == 2:
        first, second = steps
        return lambda context: first(context) + second(context) + bonus
    return lambda context: sum([step(context) for step in steps]) + bonus
