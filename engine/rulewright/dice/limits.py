"""The limits for the cost of a roll. Every limit is checked before the work that it limits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceLimits:
    """The most a roll may ask for; pass another one to any function that takes `limits`.

    `length` is in characters of the text, `nesting` in open parentheses, `dice` in dice of the whole roll,
    `rolled_dice` in those of a roll that rolls how many there are, `faces` in sides of one die, `constant` is the
    greatest absolute value of a number in the text. The odds have three limits more: `outcomes` is the number of
    values (steps from the least to the greatest), `digits` the decimal digits of the common denominator (Python
    itself refuses to print above 4,300), and `bits` the product of both in bits, the memory and, with its power 1.6,
    the time that the odds need. Equal dice, whose counts are worked out one by one, may have eight times as many.
    `work` is an estimate, in nanoseconds or so, of the arithmetic for the odds of everything in the roll together.
    """

    length: int = 20_000
    nesting: int = 64
    dice: int = 10_000
    rolled_dice: int = 10_000
    faces: int = 100_000
    constant: int = 1_000_000_000_000
    outcomes: int = 1_000_000
    digits: int = 4_000
    bits: int = 1 << 24
    work: int = 1 << 32


SPARSE = 64
"""The maximum number of gaps per outcome of a sum that is stored as a dense array."""

ALONE = DiceLimits(rolled_dice=100_000)
"""The limits for a single roll outside of games and rules."""

DEFAULT = DiceLimits()
"""The default limits."""
