"""How the dice of one pool are drawn from a generator's words.

Definition, which the recorded games depend on: the dice of a pool are drawn in order, in groups of k dice, the last
group smaller if need be; k is the greatest number with faces**k ≤ 1296 (four d6), at least 1. A group is one number
`below(faces**k)`; its first die is the least significant digit, in base faces, and a digit is the position of the
face on the die. So most rolls cost one word and one look into a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest, nsmallest
from itertools import chain

from rulewright.dice.generator import Generator
from rulewright.dice.tree import Die, Keep, Pool

GROUP_OUTCOMES = 1296
"""The most outcomes that a group of more than one die may have: the size of its table."""

_WORD_VALUES = 1 << 32


@dataclass(frozen=True, slots=True)
class RolledPool:
    """The dice of one pool as they fell: the node they belong to, faces in order, which are kept, their total."""

    roll: Pool | Keep
    faces: tuple[int, ...]
    kept: tuple[bool, ...]
    total: int

    @property
    def pool(self) -> Pool:
        """The pool that was rolled."""
        return self.roll.pool if isinstance(self.roll, Keep) else self.roll


def rolled_pool(roll: Pool | Keep, faces: tuple[int, ...]) -> RolledPool:
    """The record of `faces`. Of equal dice the first rolled is the one that is kept."""
    if isinstance(roll, Pool):
        return RolledPool(roll, faces, (True,) * len(faces), sum(faces))
    order = sorted(range(len(faces)), key=faces.__getitem__, reverse=roll.highest)
    chosen = set(order[: roll.number])
    kept = tuple(position in chosen for position in range(len(faces)))
    return RolledPool(roll, faces, kept, sum(faces[position] for position in chosen))


def _pool(roll: Pool | Keep) -> Pool:
    return roll.pool if isinstance(roll, Keep) else roll


def kept_total(roll: Pool | Keep, faces: tuple[int, ...]) -> int:
    """The value of `roll` when its dice show `faces`."""
    if isinstance(roll, Pool):
        return sum(faces)
    return sum((nlargest if roll.highest else nsmallest)(roll.number, faces))


@lru_cache(maxsize=256)
def _group_size(faces: int) -> int:
    size = 1
    while faces > 1 and faces ** (size + 1) <= GROUP_OUTCOMES:
        size += 1
    return size


@lru_cache(maxsize=256)
def _faces_table(die: Die, size: int) -> list[tuple[int, ...]]:
    """The faces of each outcome of a group of `size` dice."""
    table: list[tuple[int, ...]] = [()]
    for _ in range(size):
        table = [(*before, face) for face in die.faces for before in table]
    return table


@lru_cache(maxsize=256)
def _sum_table(die: Die, size: int) -> list[int]:
    """The sum of each outcome of a group of `size` dice."""
    table = [0]
    for _ in range(size):
        table = [before + face for face in die.faces for before in table]
    return table


@lru_cache(maxsize=64)
def _total_table(roll: Pool | Keep) -> list[int]:
    """The value of each outcome of a roll whose dice are one group."""
    pool = _pool(roll)
    if isinstance(roll, Pool):
        return _sum_table(pool.die, pool.count)
    return [kept_total(roll, faces) for faces in _faces_table(pool.die, pool.count)]


@lru_cache(maxsize=64)
def _record_table(roll: Pool | Keep) -> list[RolledPool | None]:
    """The records of a roll whose dice are one group, made when they first come up."""
    pool = _pool(roll)
    return [None] * len(pool.die.faces) ** pool.count


def draw_faces(pool: Pool, generator: Generator) -> tuple[int, ...]:
    """The faces of all dice of `pool`, in order."""
    faces = pool.die.faces
    size = _group_size(len(faces))
    if size == 1:
        return tuple([faces[generator.below(len(faces))] for _ in range(pool.count)])
    groups, rest = divmod(pool.count, size)
    table = _faces_table(pool.die, size)
    drawn = [table[generator.below(len(table))] for _ in range(groups)]
    if rest:
        table = _faces_table(pool.die, rest)
        drawn.append(table[generator.below(len(table))])
    return tuple(chain.from_iterable(drawn))


# The two functions below inline `Generator.below`: the call would cost as much as everything else they do.


def total_drawer(roll: Pool | Keep) -> Callable[[Generator], int]:
    """A function that draws the dice of `roll` and gives its value alone."""
    pool = _pool(roll)
    sides = len(pool.die.faces)
    if pool.count > _group_size(sides):
        if isinstance(roll, Pool):
            return _groups_drawer(roll)
        return lambda generator: kept_total(roll, draw_faces(pool, generator))
    if sides > GROUP_OUTCOMES:
        faces = pool.die.faces
        return lambda generator: faces[generator.below(sides)]
    table = _total_table(roll)
    outcomes = len(table)
    limit = _WORD_VALUES - _WORD_VALUES % outcomes

    def draw(generator: Generator) -> int:
        word = (generator._words or generator._fill()).pop()
        while word >= limit:
            word = generator.word()
        return table[word % outcomes]

    return draw


def _groups_drawer(pool: Pool) -> Callable[[Generator], int]:
    """A function that draws a sum of more dice than one group holds."""
    size = _group_size(len(pool.die.faces))
    groups, rest = divmod(pool.count, size)
    faces = pool.die.faces
    # A die too large for a table is its own: its faces.
    table = _sum_table(pool.die, size) if len(faces) <= GROUP_OUTCOMES else faces
    outcomes = len(table)
    last = total_drawer(Pool(rest, pool.die)) if rest else None

    def draw(generator: Generator) -> int:
        below = generator.below
        total = 0
        for _ in range(groups):
            total += table[below(outcomes)]
        return total + last(generator) if last is not None else total

    return draw


def record_drawer(roll: Pool | Keep) -> Callable[[tuple[Generator, list[RolledPool]]], int]:
    """A function that draws the dice of `roll`, appends their record to the trace and gives the value."""
    pool = _pool(roll)
    sides = len(pool.die.faces)
    if pool.count > _group_size(sides) or sides > GROUP_OUTCOMES:

        def draw_many(context: tuple[Generator, list[RolledPool]]) -> int:
            generator, trace = context
            record = rolled_pool(roll, draw_faces(pool, generator))
            trace.append(record)
            return record.total

        return draw_many
    faces = _faces_table(pool.die, pool.count)
    table = _record_table(roll)
    outcomes = len(table)
    limit = _WORD_VALUES - _WORD_VALUES % outcomes

    def draw(context: tuple[Generator, list[RolledPool]]) -> int:
        generator, trace = context
        word = (generator._words or generator._fill()).pop()
        while word >= limit:
            word = generator.word()
        record = table[word % outcomes]
        if record is None:
            record = table[word % outcomes] = rolled_pool(roll, faces[word % outcomes])
        trace.append(record)
        return record.total

    return draw


def scripted_drawer(roll: Pool | Keep) -> Callable[[tuple[Iterator[int], list[RolledPool]]], int]:
    """A function that takes the faces of `roll` from an iterator, unchecked, and appends their record to the trace."""
    pool = _pool(roll)

    def draw(context: tuple[Iterator[int], list[RolledPool]]) -> int:
        script, trace = context
        record = rolled_pool(roll, tuple([next(script) for _ in range(pool.count)]))
        trace.append(record)
        return record.total

    return draw
