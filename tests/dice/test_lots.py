"""Lots: written again from their definition, and fair."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from itertools import islice

import pytest

from rulewright.dice.sampling.fast_rng import draw_below, draw_bytes


def test_the_bytes_are_those_of_the_definition() -> None:
    expected = b"".join(blake2b(b"rulewright:lots:1:2:i75:bot 1%d" % block).digest() for block in range(3))
    assert bytes(islice(draw_bytes(7, "bot 1"), 192)) == expected


def test_every_stream_is_its_own() -> None:
    streams = [(7, "bot 1"), ("7", "bot 1"), (7, "bot 2"), (71, "bot"), ("i7", "bot 1")]
    assert len({bytes(islice(draw_bytes(*each), 64)) for each in streams}) == len(streams)


@pytest.mark.parametrize("number", [1, 2, 3, 6, 97, 128, 255, 256])
def test_every_byte_that_is_taken_is_as_likely_as_any_other(number: int) -> None:
    counts: Counter[int] = Counter()
    for byte in range(256):
        drawn = iter((byte, 0))
        number_drawn = draw_below(number, drawn)
        if list(drawn):  # the byte was not refused
            assert number_drawn == byte % number
            counts[number_drawn] += 1
    assert set(counts) == set(range(number))
    assert len(set(counts.values())) == 1


@pytest.mark.parametrize("number", [257, 300, 65_536, 100_000])
def test_many_are_told_apart_by_several_bytes(number: int) -> None:
    size = 2 if number <= 65_536 else 3
    assert draw_below(number, iter((1, 1, 0)[:size])) == 257 % number
    refused = draw_below(number, iter([255] * size + [5] + [0] * (size - 1)))
    assert refused == (5 if 256**size % number else 256**size - 1)


@pytest.mark.parametrize("number", [0, -1])
def test_nothing_is_no_number_to_pick_from(number: int) -> None:
    with pytest.raises(ValueError, match="cannot draw a number"):
        draw_below(number, draw_bytes(1, "x"))
