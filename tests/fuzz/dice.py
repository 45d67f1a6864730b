"""Dice notation: an error with a place, or a roll that can be made."""

from __future__ import annotations

from random import Random

from rulewright.dice.distribution import distribution
from rulewright.dice.errors import DiceError
from rulewright.dice.generator import Generator
from rulewright.dice.parse import parse
from rulewright.dice.roll import roll
from tests.fuzz.mutate import harmed, main

SOUND = ("4d6kh3", "5d6 +15", "2*(1d8+2d4) -3", "max(2d6, 1d20, 7)", "3d10kl1 + 2d6!", "d%", "1d{1,1,2,6}")


def trial(random: Random) -> None:
    """One expression."""
    text = harmed(random.choice(SOUND), random)
    try:
        read = parse(text)
        roll(read, Generator(1, "dice"))
        distribution(read)
    except DiceError as error:
        assert len(str(error)) < 2_000


if __name__ == "__main__":
    main("dice", trial)
