"""Binary deltas: bytes as copies from other bytes and the differences in between.

A game's rules have about 300,000 bytes, and one changed number changes a few of them. A link only needs these.
"""

from __future__ import annotations

Delta = list[int | str]
"""A pair of numbers is an offset in the old bytes and a length to copy. A string has new bytes as Latin-1
characters.
"""

_GRAM = 12
"""The minimum length of a copy, because shorter ones take as much space as the bytes."""


def compute_delta(there: bytes, expected: bytes) -> Delta:
    """Return the delta from `there` to `expected`. The same bytes always give the same delta."""
    places: dict[bytes, int] = {}
    for at in range(len(there) - _GRAM, -1, -1):
        places[there[at : at + _GRAM]] = at
    results: Delta = []
    emitted = at = shift = 0
    while at <= len(expected) - _GRAM:
        gram = expected[at : at + _GRAM]
        # If several places have the same bytes, the continuation of the previous copy is the most likely match.
        place = at + shift
        if place < 0 or there[place : place + _GRAM] != gram:
            first = places.get(gram)
            if first is None:
                at += 1
                continue
            place = first
        while at > emitted and place > 0 and expected[at - 1] == there[place - 1]:
            at, place = at - 1, place - 1
        length = _alike(there, place, expected, at)
        if at > emitted:
            results.append(expected[emitted:at].decode("latin-1"))
        results += [place, length]
        at += length
        emitted, shift = at, place + length - at
    if emitted < len(expected):
        results.append(expected[emitted:].decode("latin-1"))
    return results


def _alike(there: bytes, place: int, expected: bytes, at: int) -> int:
    """Return how many bytes are the same in `there` from `place` on, and in `expected` from `at` on."""
    length, step = 0, 1 << 16
    while step:
        piece = expected[at + length : at + length + step]
        if len(piece) == step and there[place + length : place + length + step] == piece:
            length += step
        else:
            step >>= 1
    return length
