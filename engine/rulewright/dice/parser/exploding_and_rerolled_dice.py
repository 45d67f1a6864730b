"""Dice derived from dice: custom faces, explosions and rerolls, which every operation on dice accepts.

The result is a complete die, with a weight for each face. An exploding die is therefore a single roll, and its odds
cost as much as its faces, regardless of the number of ways to reach them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from math import gcd, log2

from rulewright.dice.ast import Die
from rulewright.dice.ast import build_die as ordinary
from rulewright.dice.dice_error import DiceError, limit_error
from rulewright.dice.limits import DiceLimits

EXPLOSIONS = 10
"""The default maximum number of explosions of a die."""

_NANOSECONDS = 200
_WRITTEN_OUT = 12
_BITS_PER_DIGIT = log2(10)


def build_weighted_die(counts: dict[int, int], name: str, made_of: Die | None = None) -> Die:
    """Return a die with these faces and weights, derived from another one."""
    faces = sorted(counts)
    shared = gcd(*counts.values())
    return Die(tuple(faces), name, tuple(counts[face] // shared for face in faces), made_of)


@lru_cache(maxsize=1024)
def build_exploding_die(die: Die, on: frozenset[int], most: int, name: str, limits: DiceLimits) -> Die:
    """Return `die`, rolled again and added whenever it shows one of `on`, at most `most` times.

    With E(0) the die itself, E(k + 1) is the die if it does not explode, and a face plus E(k) if it does. Raises
    DiceError if it has more faces or larger weights than `limits` allow.
    """
    start = die.count_ways()
    ways = die.ways
    span = (max(map(abs, start)) * (most + 1)) * 2 + 1
    faces = min(span, len(start) * (most + 1) if len(on) == 1 else span)
    if faces > limits.faces:
        raise limit_error(faces, f"faces of {name}", limits.faces)
    digits = int((most + 1) * log2(ways) / _BITS_PER_DIGIT)
    if digits > limits.digits:
        raise limit_error(digits, f"digits in the odds of {name}", limits.digits)
    work = most * len(on) * faces * _NANOSECONDS
    if work > limits.work:
        raise limit_error(work, f"steps of work for {name}", limits.work)
    result = start
    for depth in range(1, most + 1):
        scale = ways**depth
        after = {face: weight * scale for face, weight in start.items() if face not in on}
        for face in on:
            weight = start[face]
            for more, ways_there in result.items():
                after[face + more] = after.get(face + more, 0) + weight * ways_there
        result = after
    return build_weighted_die(result, name, die.made_of or die)


def explodes_as_usual(die: Die) -> bool:
    """Return whether `die` explodes as often as by default."""
    return _AS_USUAL.search(die.name) is not None


_AS_USUAL = re.compile(r"!(\{[^}]*\})?(?=$|r|!)")


@lru_cache(maxsize=1024)
def build_rerolled_die(die: Die, on: frozenset[int], most: int | None, name: str, limits: DiceLimits) -> Die:
    """Return `die`, rolled again whenever it shows one of `on`, at most `most` times (None: without limit).

    After the last reroll, any face counts. Raises `DiceError` if every face would be rerolled without limit, or if the
    weights with a limit are larger than `limits` allow.
    """
    start = die.count_ways()
    staying = {face: weight for face, weight in start.items() if face not in on}
    if most is None:
        if not staying:
            raise DiceError("dice-count", f"{name} would be rerolled forever: every face is rerolled")
        return build_weighted_die(staying, name, die.made_of or die)
    ways, again = die.ways, die.ways - sum(staying.values())
    digits = int((most + 1) * log2(ways) / _BITS_PER_DIGIT)
    if digits > limits.digits:
        raise limit_error(digits, f"digits in the odds of {name}", limits.digits)
    # k rerolls happen in again^k of ways^k ways; after the last possible reroll, any face counts.
    stays = sum(ways ** (most - times) * again**times for times in range(most))
    last = again**most
    counts = {face: weight * last + (weight * stays if face not in on else 0) for face, weight in start.items()}
    return build_weighted_die({face: count for face, count in counts.items() if count}, name, die.made_of or die)


def build_custom_die(counts: dict[int, int]) -> Die:
    """Return the die with these faces and weights, or the ordinary die if it is the same. Its name lists the faces."""
    die = build_weighted_die(counts, "")
    if die.weights is None and die.faces == range(1, len(die.faces) + 1):
        return ordinary(len(die.faces))
    if sum(die.weights or ()) <= _WRITTEN_OUT:
        listed = [face for face, weight in die.count_ways().items() for _ in range(weight)]
        inner = format_faces(listed) if die.weights is None else ", ".join(map(str, listed))
    else:
        inner = ", ".join(f"{face}: {weight}" if weight > 1 else str(face) for face, weight in die.count_ways().items())
    return Die(die.faces, f"d{{{inner}}}", die.weights)


def format_faces(faces: Iterable[int]) -> str:
    """Return faces as the notation lists them, in ascending order: `1, 3..5`."""
    runs: list[list[int]] = []
    for face in sorted(faces):
        if runs and face == runs[-1][1] + 1:
            runs[-1][1] = face
        else:
            runs.append([face, face])
    return ", ".join(
        str(first) if first == last else f"{first}, {last}" if last == first + 1 else f"{first}..{last}"
        for first, last in runs
    )
