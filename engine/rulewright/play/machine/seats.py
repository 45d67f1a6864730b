"""The random numbers of whoever sits in a seat without being a person: a stream of their own, never the game's."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dice.generator import Generator
from rulewright.dice.lots import lots


def stream(seed: int | str, seat: int) -> Generator:
    """The random numbers of the bot in a seat."""
    return Generator(seed, stream_name(seat))


def drawn_by(seed: int | str, seat: int) -> Iterator[int]:
    """The lots of the bot in a seat."""
    return lots(seed, stream_name(seat))


def stream_name(seat: int) -> str:
    """The name of that stream, whatever it is made of."""
    return f"bot {seat}"
