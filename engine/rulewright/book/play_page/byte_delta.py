"""Bytes told by other bytes: what is taken over from them, and what stands between.

A game's rules come to three hundred thousand bytes, of which one changed figure changes a few. Whoever has the others
can be told the rest in a link.
"""

from __future__ import annotations

Delta = list[int | str]
"""A number and the one after it are a place in the bytes that there are, and how many are taken over from it; a text
stands for bytes of its own, a letter of Latin-1 for each."""

_GRAM = 12
"""Bytes that two places must share to be looked at: what is told of a shorter piece is as long as the piece."""


def compute_delta(there: bytes, wanted: bytes) -> Delta:
    """Return how `wanted` is made of what is `there`. The same bytes make the same delta."""
    places: dict[bytes, int] = {}
    for at in range(len(there) - _GRAM, -1, -1):
        places[there[at : at + _GRAM]] = at
    found: Delta = []
    told = at = shift = 0
    while at <= len(wanted) - _GRAM:
        gram = wanted[at : at + _GRAM]
        # What goes on as before, past what was changed, is the likeliest of several places with the same bytes.
        place = at + shift
        if place < 0 or there[place : place + _GRAM] != gram:
            first = places.get(gram)
            if first is None:
                at += 1
                continue
            place = first
        while at > told and place > 0 and wanted[at - 1] == there[place - 1]:
            at, place = at - 1, place - 1
        length = _alike(there, place, wanted, at)
        if at > told:
            found.append(wanted[told:at].decode("latin-1"))
        found += [place, length]
        at += length
        told, shift = at, place + length - at
    if told < len(wanted):
        found.append(wanted[told:].decode("latin-1"))
    return found


def _alike(there: bytes, place: int, wanted: bytes, at: int) -> int:
    """Return how many bytes from two places on are the same."""
    length, step = 0, 1 << 16
    while step:
        piece = wanted[at + length : at + length + step]
        if len(piece) == step and there[place + length : place + length + step] == piece:
            length += step
        else:
            step >>= 1
    return length
