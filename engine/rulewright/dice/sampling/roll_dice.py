"""Rolling: a tree and a generator make a result with a trace of every die, or the total alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from rulewright.dice.ast import Constant, Either, Group, Named, Pool, Roll, Several, Sum, list_parts
from rulewright.dice.bounds import compute_maximum, compute_minimum
from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.format_notation import format_roll
from rulewright.dice.limits import DEFAULT, DiceLimits
from rulewright.dice.sampling.pools import FaceScript, RolledPool, build_group_drawer
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.samplers import RECORD, SCRIPT, TOTAL, build_results_drawer, compile_roll

_Trace = list[RolledPool]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a roll: the roll, its total, and the dice of each pool in the order in which they were rolled."""

    roll: Roll
    total: int
    trace: tuple[RolledPool, ...]

    @property
    def apart(self) -> tuple[int, ...]:
        """The results side by side, the highest first. Of a roll that is one result there are none."""
        return ()


@dataclass(frozen=True, slots=True)
class GroupResult(Result):
    """The result of a `Group` with its separate `results`, highest first."""

    results: tuple[int, ...]

    @property
    def apart(self) -> tuple[int, ...]:
        """The results side by side, the highest first."""
        return self.results


def roll(tree: Roll, generator: Generator) -> Result:
    """Roll `tree`, with a record of every die.

    A group gives a `GroupResult`. Advances the generator. Raises `DiceError` for a division by 0, or a name without a
    value.

    >>> from rulewright.dice.parser.notation import parse
    >>> result = roll(parse("2d6 +6"), Generator(7))
    >>> result.total, list_faces(result)
    (16, [[4, 6]])
    """
    trace: _Trace = []
    if type(tree) is Group:
        apart = sorted(_split_tree(tree)((generator, trace)), reverse=True)
        return GroupResult(tree, sum(apart), tuple(trace), tuple(apart))
    total = _tracer(tree)((generator, trace))
    return Result(tree, total, tuple(trace))


def build_outcome_drawer(tree: Roll, make: Callable[[int, tuple[tuple[int, ...], ...]], T]) -> Callable[[Generator], T]:
    """Return a function that rolls `tree` and returns `make(total, faces)`, with the faces by pool.

    It rolls as `roll` does with the same generator. If one group of dice decides the roll, `make` is called once for
    each outcome, so what it returns must not change.
    """
    trace_roll = _tracer(tree)

    def draw(generator: Generator) -> T:
        trace: _Trace = []
        total = trace_roll((generator, trace))
        return make(total, tuple([rolled.faces for rolled in trace]))

    def replay(faces: tuple[int, ...]) -> T:
        result = read_result_from_faces(tree, faces)
        return make(result.total, tuple([rolled.faces for rolled in result.trace]))

    pools = list_pools(tree) if _dice_are_known(tree) else []
    return (build_group_drawer(pools[0], replay) if len(pools) == 1 else None) or draw


def total(tree: Roll, generator: Generator) -> int:
    """Return only the total: the same as `roll` with the same generator, but several times faster.

    Advances the generator. Raises `DiceError` for a division by 0, or a name without a value.
    """
    try:
        sample = tree._sampler
    except AttributeError:
        sample = build_sampler(tree)
    return sample(generator)


def build_sampler(tree: Roll) -> Callable[[Generator], int]:
    """Return the function that `total` uses for `tree`: generator in, total out. Equal trees share one."""
    sample = _total_sampler(tree)
    # Also cached on the node, so that rolling the same tree again need not hash it.
    object.__setattr__(tree, "_sampler", sample)
    return sample


def list_faces(result: Result) -> list[list[int]]:
    """Return the faces of every die, a list for each pool, in the order they were rolled."""
    return [list(rolled.faces) for rolled in result.trace]


def list_pools(tree: Roll) -> list[Pool]:
    """Return the pools of `tree`, in the order they are rolled.

    This includes pools that depend on a condition, or are alternatives of which only one is rolled. The pools of a roll
    that is repeated a rolled number of times are listed once.
    """
    if isinstance(tree, Pool):
        return [tree]
    if isinstance(tree, Group):
        pools = []
        for times, roll in tree.members:
            together = isinstance(roll, Pool) and roll.count == 1
            pools += [Pool(times, roll.die)] if isinstance(roll, Pool) and together else list_pools(roll) * times
        return pools
    return [pool for each in list_parts(tree) for pool in list_pools(each)]


def _dice_are_known(tree: Roll) -> bool:
    """Return whether the same dice are rolled each time."""
    return not isinstance(tree, Either | Named | Several) and all(map(_dice_are_known, list_parts(tree)))


def read_result_from_faces(tree: Roll, faces: Sequence[int]) -> Result:
    """Return the result when the dice of `tree`, in the order they are rolled, show `faces`.

    A group gives a plain `Result` as well. Raises DiceError (`dice-scripted`) for too few faces, too many, or one that
    its die does not have. Raises DiceError with other codes as `roll` does.
    """
    if _dice_are_known(tree):
        expected = sum(pool.count for pool in list_pools(tree))
        if len(faces) != expected:
            needs = "1 die" if expected == 1 else f"{expected} dice"
            raise DiceError("dice-scripted", f"{format_roll(tree)} rolls {needs}, but {len(faces)} faces are given")
    trace: _Trace = []
    script = FaceScript(faces)
    try:
        total = _build_scripted(tree)((script, trace))
    except DiceError as error:
        if error.code != "dice-scripted":
            raise
        raise DiceError("dice-scripted", f"{error.message} for the roll {format_roll(tree)}") from None
    if script.taken < len(faces):
        message = f"{len(faces)} faces are given, but with them {format_roll(tree)} rolls only {script.taken} dice"
        raise DiceError("dice-scripted", message)
    return Result(tree, total, tuple(trace))


def total_from_faces(tree: Roll, faces: Sequence[int]) -> int:
    """Return the total when the dice of `tree`, in the order they are rolled, show `faces`.

    Raises the same errors as `read_result_from_faces`.
    """
    return read_result_from_faces(tree, faces).total


def is_reachable(tree: Roll, total: int, *, limits: DiceLimits = DEFAULT) -> bool:
    """Return whether `total` is a possible result of `tree`. Raises DiceError if that needs odds beyond `limits`."""
    if not compute_minimum(tree, limits=limits) <= total <= compute_maximum(tree, limits=limits):
        return False
    return compute_distribution(tree, limits=limits).count(total) > 0


def find_dice_bonus(tree: Roll) -> int | None:
    """Return the constant that `tree` adds to the sum of its dice, or None if its total has another form."""
    if isinstance(tree, Pool):
        return 0
    if isinstance(tree, Constant):
        return tree.value
    if isinstance(tree, Sum):
        bonuses = [find_dice_bonus(term) for term in tree.terms]
        return None if None in bonuses else sum(bonus for bonus in bonuses if bonus is not None)
    return None


def find_dice_sum_bounds(tree: Roll) -> tuple[int, int] | None:
    """Return the minimum and maximum sum of the dice of `tree`, before its bonus.

    The result is None if the sum does not determine the total, because dice are dropped, multiplied or compared.
    """
    bonus = find_dice_bonus(tree)
    return None if bonus is None else (compute_minimum(tree) - bonus, compute_maximum(tree) - bonus)


@lru_cache(maxsize=4096)
def _total_sampler(tree: Roll) -> Callable[[Generator], int]:
    return compile_roll(tree, TOTAL)


@lru_cache(maxsize=1024)
def _tracer(tree: Roll) -> Callable[[tuple[Generator, _Trace]], int]:
    return compile_roll(tree, RECORD)


@lru_cache(maxsize=256)
def _split_tree(tree: Group) -> Callable[[tuple[Generator, _Trace]], list[int]]:
    return build_results_drawer(tree, RECORD)


@lru_cache(maxsize=1024)
def _build_scripted(tree: Roll) -> Callable[[tuple[FaceScript, _Trace]], int]:
    return compile_roll(tree, SCRIPT)
