"""Exact counts of the highest dice of a pool, summed: packed products, cut at the face that decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

from rulewright.dice.exact.combine import estimate_multiplication_work
from rulewright.dice.exact.counts import field_width, unpack


def count_highest_dice(number: int, keep: int, faces: Sequence[tuple[int, int]]) -> list[int]:
    """Return the counts of the sum of the `keep` highest of `number` dice, with `keep` < `number`.

    `faces` are the positions of the faces, 0 first and ascending, each with how often the die has it. The counts
    start at position 0 and end at `keep` times the last position.
    """
    sides = sum(times for _, times in faces)
    width = field_width((sides**number).bit_length())
    length = keep * faces[-1][0] + 1
    packed = _drop_one(number, faces, width) if number - keep == 1 else _keep_some(number, keep, faces, width)
    return unpack(packed, length, width)


def estimate_keeping_work(number: int, keep: int, faces: int, length: int, bits: float) -> float:
    """Return the estimated work of keeping the `keep` highest of `number` dice, in nanoseconds.

    `faces` is the number of faces, `length` the number of counts in the result, and `bits` the size of the largest.
    """
    if number - keep == 1:
        # One power for each face, of the faces above it.
        return faces * estimate_multiplication_work(length * bits)
    # For each face, one product for each die above it: a growing packed integer times that of a single die.
    die_bits = (length / keep + 1) * bits
    return faces * ((keep - 1) * (keep - 2) // 2 * die_bits**2 / 4096 + keep * length * bits / 64)


def _drop_one(number: int, faces: Sequence[tuple[int, int]], width: int) -> int:
    """Return the packed counts if one die is dropped.

    Let f be the lowest face rolled. Seen from f, the dropped die adds 0, so the kept sum is the sum of all dice:
    (all faces from f)^n minus (all faces above f)^n, moved up by f for each die kept.
    """
    total = 0
    above = 0
    power_above = 0
    last = faces[-1][0]
    for position, times in reversed(faces):
        # Exponents are relative to the current face, so the step to a lower face shifts those above it up.
        gap = (last - position) * width
        above = (above << gap) + times
        power = above**number
        total += (power - (power_above << gap * number)) << position * (number - 1) * width
        power_above = power
        last = position
    return total


def _keep_some(number: int, keep: int, faces: Sequence[tuple[int, int]], width: int) -> int:
    """Return the packed counts if any number of dice is dropped.

    Let f be the lowest face kept: a < keep dice are above f, at most number - keep are below it, the others show it.
    Seen from f, kept dice that show it add 0, and the sum is that of the dice above: a term c[a] (all faces above f)^a
    for each a, moved up by f for each die kept.
    """
    total = 0
    above = 0
    below = sum(times for _, times in faces)
    last = faces[-1][0]
    dropped = number - keep
    # Both lists are ordered from the most dice above f to none.
    choices = [comb(number, high) for high in range(keep - 1, -1, -1)]
    borders = [comb(others, dropped) for others in range(dropped, number)]
    for position, times in reversed(faces):
        above <<= (last - position) * width
        last = position
        below -= times
        sums = 0
        # Horner's scheme: above the last face, only the last term remains.
        for choice, ways in zip(choices, _ways(dropped, below, times, borders), strict=True):
            sums = sums * above + choice * ways
        total += sums << position * keep * width
        above += times
    return total


def _ways(dropped: int, below: int, times: int, borders: Sequence[int]) -> Iterator[int]:
    """Yield in how many ways n dice show one of `times` faces, but at most `dropped` of them one of `below` others.

    For n from `dropped` + 1 on, by Pascal's rule: a die more has all faces, except that it cannot be one too many
    below. `borders` are the binomials n - 1 over `dropped`.
    """
    ways: int = (below + times) ** dropped
    too_many: int = below ** (dropped + 1)
    for border in borders:
        ways = ways * (below + times) - border * too_many
        too_many *= times
        yield ways
