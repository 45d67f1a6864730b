"""Dice notation: an error with a place, or a roll that can be made."""

from __future__ import annotations

from random import Random

from rulewright.dice.dice_error import DiceError
from rulewright.dice.exact.compute_distribution import compute_distribution
from rulewright.dice.parser.notation import parse
from rulewright.dice.sampling.random_generator import Generator
from rulewright.dice.sampling.roll_dice import roll
from tests.fuzz.mutate import harmed, main

SOUND = ("4d6kh3", "5d6 +15", "2*(1d8+2d4) -3", "max(2d6, 1d20, 7)", "3d10kl1 + 2d6!", "d%", "1d{1,1,2,6}")
SOUND += (
    "4d6!{>=5}x3",
    "2d20ro<3",
    "3d6rr{1, 2..3}x2",
    "d{0: 3, 1..4}",
    "{4d6 + 2d8}kh3",
    "{2d6+3, 1d20}kl1",
    "(1d4)d6",
)
SOUND += ("6 times 4d6kh3", "count(6d10 >= 7)", "alike(5d6) + run({2d6+1d8})", "sets(5d6, 2)", "7d6/2", "up(1d6*1d8/3)")
SOUND += (
    "1d20 as x: 2 * 1d8 if x == 20 else x",
    "3d6 as a, b, c: a - c",
    "abs(1d6-1d8)",
    "5d6dl1dh1",
    "[highest 3 of 4d6]",
)
SOUND += ("sum largest 3 4d6", "6d10cs>=7", "4d6e6", "/r 2d6 [fire]")


def trial(random: Random) -> None:
    """One expression."""
    text = harmed(random.choice(SOUND), random)
    try:
        read = parse(text)
        roll(read, Generator(1, "dice"))
        compute_distribution(read)
    except DiceError as error:
        assert len(str(error)) < 2_000


if __name__ == "__main__":
    main("dice", trial)
