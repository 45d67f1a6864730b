"""How the dice of one pool are drawn from a generator's words.

Definition, which the recorded games depend on: the dice of a pool are drawn in order, in groups of k dice, the last
group smaller if need be. There, k is the greatest number with faces**k ≤ 1296 (four d6), at least 1. A group is one
number `below(faces**k)`. Its first die is the least significant digit, in base faces, and a digit is the position of a
face on the die. So most rolls cost one word and one look into a table. Dice whose faces have weights are drawn one by
one: `below(the sum of the weights)` is the number of a way, counted through the faces in order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest, nsmallest
from itertools import accumulate, chain
from typing import TypeVar

from rulewright.dice.ast import Die, Keep, Pool, Trim
from rulewright.dice.dice_error import DiceError
from rulewright.dice.sampling.random_generator import WORD_VALUES, Generator

T = TypeVar("T")

Rolled = Pool | Keep | Trim
"""A roll of one pool of dice. A `Trim` must be of a pool, not of a group."""

GROUP_OUTCOMES = 1296
"""The maximum number of outcomes of a group of several dice, and so the size of its table."""


@dataclass(frozen=True, slots=True)
class RolledPool:
    """The result of one pool: its node, the faces in order, which of them are kept, and their total."""

    roll: Rolled
    faces: tuple[int, ...]
    kept: tuple[bool, ...]
    total: int

    @property
    def pool(self) -> Pool:
        """The pool that was rolled."""
        return find_pool(self.roll)


def find_selected_places(values: Sequence[int], low: int, high: int) -> set[int]:
    """Return the positions of the results that remain without the `low` lowest and `high` highest.

    Of equal results, the first are the first to be dropped as highest, and the last to be dropped as lowest.
    """
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    return set(order[high : len(values) - low])


def record_pool(roll: Rolled, faces: tuple[int, ...]) -> RolledPool:
    """Return the record of a roll that shows `faces`. Of equal dice, those rolled first are kept.

    Only a `Trim` that drops the highest dice drops the first of equal ones.
    """
    if isinstance(roll, Pool):
        return RolledPool(roll, faces, (True,) * len(faces), sum(faces))
    if isinstance(roll, Trim):
        chosen = find_selected_places(faces, roll.low, roll.high)
    else:
        order = sorted(range(len(faces)), key=faces.__getitem__, reverse=roll.highest)
        chosen = set(order[: roll.number])
    saved = tuple(position in chosen for position in range(len(faces)))
    return RolledPool(roll, faces, saved, sum(faces[position] for position in chosen))


def find_pool(roll: Rolled) -> Pool:
    """Return the dice of `roll`."""
    if isinstance(roll, Pool):
        return roll
    assert isinstance(roll.pool, Pool)  # each member of a group is rolled separately
    return roll.pool


def total_selected(roll: Rolled, faces: tuple[int, ...]) -> int:
    """Return the value of `roll` when its dice show `faces`."""
    if isinstance(roll, Pool):
        return sum(faces)
    if isinstance(roll, Trim):
        return sum(sorted(faces)[roll.low : len(faces) - roll.high])
    return sum((nlargest if roll.highest else nsmallest)(roll.number, faces))


@lru_cache(maxsize=256)
def _ladder(die: Die) -> list[int]:
    """Return for each face of a die with weights, how many of its ways lead to it or to one before it."""
    return [*accumulate(die.weights or ())]


def _one_face(die: Die, generator: Generator) -> int:
    """Return the face of a single die."""
    if die.weights is None:
        return die.faces[generator.draw_below(len(die.faces))]
    ladder = _ladder(die)
    return die.faces[bisect_right(ladder, generator.draw_below(ladder[-1]))]


def _size(die: Die) -> int:
    """Return how many dice of a kind are drawn together. Those with weights are drawn one by one."""
    return 1 if die.weights is not None else group_size(len(die.faces))


@lru_cache(maxsize=256)
def group_size(faces: int) -> int:
    """Return the number of dice with this many faces that are drawn together."""
    size = 1
    while faces > 1 and faces ** (size + 1) <= GROUP_OUTCOMES:
        size += 1
    return size


@lru_cache(maxsize=256)
def _faces_table(die: Die, size: int) -> list[tuple[int, ...]]:
    """Return the faces of each outcome of a group of `size` dice."""
    table: list[tuple[int, ...]] = [()]
    for _ in range(size):
        table = [(*before, face) for face in die.faces for before in table]
    return table


@lru_cache(maxsize=256)
def _sum_table(die: Die, size: int) -> list[int]:
    """Return the sum of each outcome of a group of `size` dice."""
    table = [0]
    for _ in range(size):
        table = [before + face for face in die.faces for before in table]
    return table


@lru_cache(maxsize=64)
def _total_table(roll: Rolled) -> list[int]:
    """Return the value of each outcome of a roll whose dice are one group."""
    pool = find_pool(roll)
    if isinstance(roll, Pool):
        return _sum_table(pool.die, pool.count)
    return [total_selected(roll, faces) for faces in _faces_table(pool.die, pool.count)]


@lru_cache(maxsize=64)
def _record_table(roll: Rolled) -> list[RolledPool | None]:
    """Return the records of a roll whose dice are one group, made when they first come up."""
    pool = find_pool(roll)
    return [None] * len(pool.die.faces) ** pool.count


def draw_faces(pool: Pool, generator: Generator) -> tuple[int, ...]:
    """Return the faces of all dice of `pool`, in order."""
    faces = pool.die.faces
    if pool.die.weights is not None:
        ladder = _ladder(pool.die)
        return tuple([faces[bisect_right(ladder, way)] for way in generator.draw_several_below(ladder[-1], pool.count)])
    size = group_size(len(faces))
    if size == 1:
        return tuple([faces[place] for place in generator.draw_several_below(len(faces), pool.count)])
    groups, rest = divmod(pool.count, size)
    table = _faces_table(pool.die, size)
    drawn = [table[place] for place in generator.draw_several_below(len(table), groups)]
    if rest:
        table = _faces_table(pool.die, rest)
        drawn.append(table[generator.draw_below(len(table))])
    return tuple(chain.from_iterable(drawn))


# The functions below inline `Generator.draw_below`: the call would cost as much as everything else they do.


def total_drawer(roll: Rolled) -> Callable[[Generator], int]:
    """Return a function that draws the dice of `roll` and returns only its value."""
    pool = find_pool(roll)
    sides = len(pool.die.faces)
    if pool.die.weights is not None:
        die = pool.die
        if pool.count == 1:
            return lambda generator: _one_face(die, generator)
        return lambda generator: total_selected(roll, draw_faces(pool, generator))
    if pool.count > group_size(sides):
        if isinstance(roll, Pool):
            return _groups_drawer(roll)
        return lambda generator: total_selected(roll, draw_faces(pool, generator))
    if sides > GROUP_OUTCOMES:
        faces = pool.die.faces
        return lambda generator: faces[generator.draw_below(sides)]
    table = _total_table(roll)
    outcomes = len(table)
    limit = WORD_VALUES - WORD_VALUES % outcomes

    def draw(generator: Generator) -> int:
        word = (generator._words or generator._fill()).pop()
        while word >= limit:
            word = generator.draw_word()
        return table[word % outcomes]

    return draw


def _groups_drawer(pool: Pool) -> Callable[[Generator], int]:
    """Return a function that draws a sum of more dice than one group holds."""
    size = group_size(len(pool.die.faces))
    groups, rest = divmod(pool.count, size)
    faces = pool.die.faces
    # For a die too large for a table, the group is a single die, so its faces serve as the table.
    table = _sum_table(pool.die, size) if len(faces) <= GROUP_OUTCOMES else faces
    outcomes = len(table)
    last = total_drawer(Pool(rest, pool.die)) if rest else None

    def draw(generator: Generator) -> int:
        below = generator.draw_below
        total = 0
        for _ in range(groups):
            total += table[below(outcomes)]
        return total + last(generator) if last is not None else total

    return draw


def record_drawer(roll: Rolled) -> Callable[[tuple[Generator, list[RolledPool]]], int]:
    """Return a function that draws the dice of `roll`, appends their record to the trace and gives the value."""
    pool = find_pool(roll)
    sides = len(pool.die.faces)
    if pool.count > _size(pool.die) or sides > GROUP_OUTCOMES or pool.die.weights is not None:

        def draw_many(context: tuple[Generator, list[RolledPool]]) -> int:
            generator, trace = context
            record = record_pool(roll, draw_faces(pool, generator))
            trace.append(record)
            return record.total

        return draw_many
    faces = _faces_table(pool.die, pool.count)
    table = _record_table(roll)
    outcomes = len(table)
    limit = WORD_VALUES - WORD_VALUES % outcomes

    def draw(context: tuple[Generator, list[RolledPool]]) -> int:
        generator, trace = context
        word = (generator._words or generator._fill()).pop()
        while word >= limit:
            word = generator.draw_word()
        record = table[word % outcomes]
        if record is None:
            record = table[word % outcomes] = record_pool(roll, faces[word % outcomes])
        trace.append(record)
        return record.total

    return draw


def build_group_drawer(pool: Pool, make: Callable[[tuple[int, ...]], T]) -> Callable[[Generator], T] | None:
    """Return a function that draws the dice of `pool` and returns `make(faces)`, which is made once for each outcome.

    The result is None if the dice are more than one group.
    """
    if pool.die.weights is not None or pool.count > _size(pool.die) or len(pool.die.faces) > GROUP_OUTCOMES:
        return None
    faces = _faces_table(pool.die, pool.count)
    outcomes = len(faces)
    limit = WORD_VALUES - WORD_VALUES % outcomes
    table: list[T | None] = [None] * outcomes

    def draw(generator: Generator) -> T:
        word = (generator._words or generator._fill()).pop()
        while word >= limit:
            word = generator.draw_word()
        outcome = table[word % outcomes]
        if outcome is None:
            outcome = table[word % outcomes] = make(faces[word % outcomes])
        return outcome

    return draw


class FaceScript:
    """Faces to be taken in order, each checked against the die that it is given to."""

    def __init__(self, faces: Sequence[int]) -> None:
        self.faces = faces
        self.taken = 0

    def draw_face(self, die: Die) -> int:
        """Return the next face.

        Raises DiceError (`dice-scripted`) if there is none, or one that `die` does not have.
        """
        if self.taken >= len(self.faces):
            raise DiceError("dice-scripted", f"more dice are rolled than the {len(self.faces)} given")
        face = self.faces[self.taken]
        self.taken += 1
        # In Python, 6.0 equals 6 and True equals 1, so check the type as well.
        if type(face) is not int or face not in die.faces:
            raise DiceError("dice-scripted", f"{face} is not a face of {die.name}")
        return face


def build_scripted_drawer(roll: Rolled) -> Callable[[tuple[FaceScript, list[RolledPool]]], int]:
    """Return a function that takes the faces of `roll` from a script, records them in the trace and gives the value.

    It raises `DiceError` if the script ends too early or has a face that the die does not have.
    """
    pool = find_pool(roll)

    def draw(context: tuple[FaceScript, list[RolledPool]]) -> int:
        script, trace = context
        record = record_pool(roll, tuple([script.draw_face(pool.die) for _ in range(pool.count)]))
        trace.append(record)
        return record.total

    return draw
