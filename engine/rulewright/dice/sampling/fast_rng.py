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
from itertools import chain, count

from rulewright.dice.sampling.random_generator import build_key_prefix

BYTE_VALUES = 256


def draw_bytes(seed: int | str, stream: str) -> Iterator[int]:
    """Return an endless iterator over the bytes of a stream. Equal seeds and streams give equal bytes."""
    key = build_key_prefix(b"rulewright:lots:1:", seed, stream)

    def block(number: int) -> bytes:
        return blake2b(key + b"%d" % number).digest()

    # Chained in C code, so that drawing a byte is fast.
    return chain.from_iterable(map(block, count()))


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
