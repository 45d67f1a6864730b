"""Writes avrae.json: the exact odds of rolls by `d20`, the library of Avrae, from every way in which its dice can fall.

`d20` needs lark-parser, which takes the place of the lark that Rulewright needs: run this where
`benchmarks/requirements-d20.txt` is installed, as `.venv-bench-d20/bin/python tests/dice/other_tools/avrae.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

MOST_DICE = {"e": 7, "rr": 12}
"""Rolls by their operator that may go on for ever: ways that take more dice than this are the rest."""

ROLLS = (
    "1d6+5",
    "2d6kh1",
    "4d6kh3",
    "2d6rr<3",
    "2d6rr1",
    "4d6ro<3",
    "4d6ra1",
    "3d6ra>4",
    "3d6ra6+2",
    "3d6e6",
    "3d6e6kh2",
    "3d6e6pl1",
    "3d6e6ph1",
    "4d6mi2",
    "4d6ma5",
    "2d8kh1mi5",
    "4d6ph1",
    "4d6k>4",
    "4d6p<3",
)


class TooLongError(Exception):
    """More dice than are followed."""


def odds(roll: Callable[[Callable[[int], int]], int], most: int) -> tuple[dict[int, Fraction], Fraction]:
    """Return the chance of each total, and that of all ways in which `roll` takes more than `most` dice.

    `roll` is given what draws a number below another one.
    """
    counts: Counter[int] = Counter()
    rest = Fraction(0)
    way: list[list[int]] = []
    while True:
        taken = 0

        def below(number: int) -> int:
            nonlocal taken
            if taken == len(way):
                if taken == most:
                    raise TooLongError
                way.append([0, number])
            taken += 1
            return way[taken - 1][0]

        try:
            total = roll(below)
        except TooLongError:
            total = None
        chance = Fraction(1)
        for _, number in way:
            chance /= number
        if total is None:
            rest += chance
        else:
            counts[total] += chance
        while way and way[-1][0] == way[-1][1] - 1:
            way.pop()
        if not way:
            return dict(counts), rest
        way[-1][0] += 1


def main() -> None:
    import d20
    from d20 import expression

    by_text = {}
    for written in ROLLS:

        def rolled(below: Callable[[int], int], written: str = written) -> int:
            expression.random = SimpleNamespace(randrange=lambda *ends: range(*ends)[below(len(range(*ends)))])
            return d20.roll(written).total

        most = next((most for operator, most in MOST_DICE.items() if operator in written), 99)
        chances, rest = odds(rolled, most)
        by_text[written] = {"rest": str(rest), "odds": {str(total): str(chances[total]) for total in sorted(chances)}}
    data = {"library": f"d20 {version('d20')}", "rolls": by_text}
    Path(__file__).with_suffix(".json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
