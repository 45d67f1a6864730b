"""Exact counts of outcomes as plain integers: equal dice, and sums of independent parts.

Counts are lists without a denominator: how many of the equally likely ways lead to each outcome, from the least
outcome on in equal steps. Two tools do all of the work, both in integers, never in floats or fractions:

- a recurrence for n equal dice, in a time proportional to the outcomes;
- packing: counts side by side in the bits of one big integer, in fields wide enough that nothing carries over, so
  that one multiplication of integers is the convolution of two lists (Kronecker substitution).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

_PACKED_BITS = 16_384
"""The size of a result in bits up to which raising a packed die to a power is faster than the recurrence."""

# The `memoryview` format for each width of a field in bits. Other widths are unpacked one by one.
_CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}


def field_width(bits: int) -> int:
    """Return the width of the fields for counts of at most `bits` bits."""
    if bits <= 16:
        return 8 if bits <= 8 else 16
    return 32 if bits <= 32 else -(-bits // 64) * 64


def pack(counts: Sequence[int], width: int) -> int:
    """Return `counts` side by side in one integer, the first in the lowest `width` bits.

    Each must fit in `width` bits, which is a multiple of 8.
    """
    code = _CODES.get(width)
    if code is not None and sys.byteorder == "little":
        return int.from_bytes(array(code, counts).tobytes(), "little")
    size = width // 8
    return int.from_bytes(b"".join([count.to_bytes(size, "little") for count in counts]), "little")


def unpack(packed: int, length: int, width: int) -> list[int]:
    """Return the `length` counts of `packed`, the inverse of `pack`."""
    size = width // 8
    raw = packed.to_bytes(length * size, "little")
    code = _CODES.get(width)
    if code is not None and sys.byteorder == "little":
        return memoryview(raw).cast(code).tolist()  # type: ignore[call-overload,no-any-return]
    read = int.from_bytes
    return [read(raw[start : start + size], "little") for start in range(0, length * size, size)]


def equal_dice(number: int, sides: int) -> list[int]:
    """Return the counts of the sums of `number` dice of `sides` sides each, from the least sum to the greatest."""
    if number == 1 or sides == 1:
        return [1] * sides
    length = number * (sides - 1) + 1
    bits = (sides**number).bit_length() if number < 64 else 64 * sides
    if bits <= 64:
        width = field_width(bits)
        if length * width <= _PACKED_BITS:
            # A single die has a 1 in each field: (2**(w s) - 1) / (2**w - 1).
            one = ((1 << width * sides) - 1) // ((1 << width) - 1)
            return unpack(one**number, length, width)
    return _equal_dice_recurrence(number, sides, length)


def _equal_dice_recurrence(number: int, sides: int, length: int) -> list[int]:
    """Return the same as `equal_dice` by recurrence. `length` is the number of sums, of which symmetry saves half.

    From P = ((1 - x^s) / (1 - x))^n follows (1 - x)(1 - x^s) P' = n (1 - x^s - s x^(s-1) (1 - x)) P. Comparing the
    coefficients of x^(k-1) gives k c[k] from c[k-1], c[k-s] and c[k-s-1].
    """
    half = (length + 1) // 2
    counts = [1]
    # While no die could exceed s, the counts are binomials: c[k] = c[k-1] (n + k - 1) / k.
    count = 1
    for k in range(1, min(half, sides)):
        count = count * (number + k - 1) // k
        counts.append(count)
    append = counts.append
    spread = number * sides
    if half > sides:
        # Here k - s - 1 is -1, so the last term of the recurrence is missing.
        count = (count * (number + sides - 1) - spread) // sides
        append(count)
    for k in range(sides + 1, half):
        count = (
            count * (number + k - 1)
            + counts[k - sides] * (k - sides - spread)
            - counts[k - sides - 1] * (k - sides - 1 + number - spread)
        ) // k
        append(count)
    return counts + counts[: length - half][::-1]


def power(counts: Sequence[int], number: int) -> list[int]:
    """Return the counts of the sum of `number` equal dice with these counts, the first and the last of which are not 0.

    From P = Q^n follows Q P' = n Q' P. Comparing coefficients gives k q[0] c[k] as the sum of
    (j (n + 1) - k) q[j] c[k - j] over j. So each count takes a step for each face.
    """
    first = counts[0]
    faces = [(place, count) for place, count in enumerate(counts) if count and place]
    results = [first**number]
    length = (len(counts) - 1) * number + 1
    more = number + 1
    for k in range(1, length):
        total = 0
        for place, count in faces:
            if place > k:
                break
            total += (place * more - k) * count * results[k - place]
        results.append(total // (k * first))
    return results


def spread_out(counts: Sequence[int], stride: int) -> list[int]:
    """Return `counts` with `stride` - 1 zeros between each two."""
    if stride == 1:
        return list(counts)
    wide = [0] * ((len(counts) - 1) * stride + 1)
    wide[::stride] = counts
    return wide


def convolve(parts: Sequence[tuple[Sequence[int], int]], bits: int) -> list[int]:
    """Return the counts of the sum of independent parts, all in equal steps. There must be at least one.

    Each part is its counts and how many times it is taken. `bits` is the size of the greatest possible count.
    """
    width = field_width(bits)
    packed = [pack(counts, width) ** times for counts, times in parts]
    length = sum((len(counts) - 1) * times for counts, times in parts) + 1
    # Always multiply the two smallest factors first, because the work grows with the size of both.
    heapify(packed)
    while len(packed) > 1:
        heappush(packed, heappop(packed) * heappop(packed))
    return unpack(packed[0], length, width)


def convolve_sparse(parts: Sequence[dict[int, int]]) -> dict[int, int]:
    """Return the counts of the sum of independent parts by outcome, for outcomes with large gaps.

    `parts` have counts by outcome. Each pair of outcomes takes a step.
    """
    total = {0: 1}
    for part in parts:
        joined: dict[int, int] = {}
        get = joined.get
        for left, left_count in total.items():
            for right, right_count in part.items():
                outcome = left + right
                joined[outcome] = get(outcome, 0) + left_count * right_count
        total = joined
    return total
