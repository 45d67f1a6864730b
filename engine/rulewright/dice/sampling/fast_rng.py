"""A fast random generator for choices that are made millions of times. Dice are never rolled with it.

Its definition is complete enough to implement it in another language:

- A *key* is that of `random_generator`, except for its prefix, which is `rulewright:lots:1:`.
- *Block* b is the 64 bytes of BLAKE2b (RFC 7693, no key, no salt) of that key.
- *below(n)* for n ≤ 256 takes bytes until one is less than the greatest multiple of n that is ≤ 256, and gives it
  modulo n: every outcome is exactly equally likely. For greater n it does the same with the fewest k bytes with
  n ≤ 256**k, joined with the first byte taken as the least significant.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain
from operator import length_hint

from rulewright.dice.sampling.random_generator import build_key_prefix

BYTE_VALUES = 256

BLOCK = 64
"""The number of bytes in a block."""


class ByteStream:
    """A stream of random bytes, all of it determined by (seed, stream, index). `drawn` iterates over it."""

    __slots__ = ("_block", "_current", "_key", "drawn")

    def __init__(self, seed: int | str, stream: str) -> None:
        self._key = build_key_prefix(b"rulewright:lots:1:", seed, stream)
        self.index = 0

    @property
    def index(self) -> int:
        """How many bytes have been used. Setting it replaces `drawn`. Raises ValueError below 0."""
        return self._block * BLOCK - length_hint(self._current)

    @index.setter
    def index(self, index: int) -> None:
        if index < 0:
            raise ValueError(f"an index must be 0 or more, not {index}")
        self._block, used = divmod(index, BLOCK)
        self._current = iter(b"")
        # Chained in C code, so that drawing a byte is fast.
        self.drawn = chain.from_iterable(self._blocks())
        for _ in range(used):
            next(self.drawn)

    def _blocks(self) -> Iterator[Iterator[int]]:
        while True:
            self._current = iter(blake2b(self._key + b"%d" % self._block).digest())
            self._block += 1
            yield self._current


def draw_bytes(seed: int | str, stream: str) -> Iterator[int]:
    """Return an endless iterator over the bytes of a stream. Equal seeds and streams give equal bytes."""
    return ByteStream(seed, stream).drawn


def draw_below(number: int, drawn: Iterator[int]) -> int:
    """Return one of 0 to `number` - 1, each exactly equally likely, from the bytes `drawn`.

    Raises ValueError below 1.
    """
    if not 1 <= number <= BYTE_VALUES:
        return _draw_below_large(number, drawn)
    result = next(drawn)
    # Only bytes from here on can be rejected, so the exact limit is computed only for these.
    if result >= BYTE_VALUES - number:
        limit = BYTE_VALUES - BYTE_VALUES % number
        while result >= limit:
            result = next(drawn)
    return result % number


def _draw_below_large(number: int, drawn: Iterator[int]) -> int:
    """Return one of 0 to `number` - 1, from as many bytes at a time as needed. Raises ValueError below 1."""
    if number < 1:
        raise ValueError(f"cannot draw a number from 0 to {number - 1}")
    size = -(-(number - 1).bit_length() // 8)
    limit = BYTE_VALUES**size - BYTE_VALUES**size % number
    while True:
        result = int.from_bytes([next(drawn) for _ in range(size)], "little")
        if result < limit:
            return result % number
