"""Compare fifty small rolls, from the text to the odds, with dyce, which gets them as operations.

Method: every roll is parsed and computed with empty caches of both libraries. dyce has no notation, so its side begins
with the operations that its documentation gives for the roll, and with the faster ones where there are two. The sides
alternate roll by roll. The result is the sum of the median processor times. Answers are compared first.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from statistics import median
from time import process_time_ns

from _environments import ensure
from _report import Ratio, report

ensure("icepool", "dyce", "rulewright")

from dice_odds import find_caches, probabilities  # noqa: E402
from dyce import H, P  # noqa: E402

from rulewright.dice.exact.compute_distribution import compute_distribution  # noqa: E402
from rulewright.dice.parser.notation import parse  # noqa: E402

TARGET = 2.0


def summed(count: int, sides: int, bonus: int = 0) -> Callable[[], H]:
    return lambda: count @ H(sides) + bonus if bonus else count @ H(sides)


def keep_dice(count: int, sides: int, chosen: slice) -> Callable[[], H]:
    return lambda: (count @ P(sides)).at(chosen)


def highest(count: int, sides: int, keep: int) -> Callable[[], H]:
    return keep_dice(count, sides, slice(count - keep, None))


def lowest(count: int, sides: int, keep: int) -> Callable[[], H]:
    return keep_dice(count, sides, slice(0, keep))


SUMS = (
    (1, 6, 0),
    (2, 6, 0),
    (2, 6, 3),
    (3, 6, 0),
    (1, 20, 5),
    (1, 20, -1),
    (1, 8, 3),
    (1, 4, 1),
    (1, 12, 0),
    (1, 100, 0),
)
SUMS += (
    (2, 6, 6),
    (8, 6, 0),
    (10, 6, 0),
    (2, 8, 4),
    (2, 10, 0),
    (1, 10, 2),
    (3, 8, 0),
    (4, 4, 4),
    (5, 6, 15),
    (2, 20, 0),
)
SUMS += ((3, 4, 2), (2, 12, 0), (3, 10, 3), (4, 6, 0), (6, 6, 0), (1, 20, 11))
HIGHEST = ((4, 6, 3), (2, 20, 1), (3, 6, 2), (3, 20, 1), (5, 6, 3), (2, 6, 1), (4, 10, 2), (3, 8, 1))
LOWEST = ((2, 20, 1), (3, 6, 1), (4, 6, 3))

ROLLS: dict[str, Callable[[], H]] = {
    **{f"{n}d{s}{b:+}" if b else f"{n}d{s}": summed(n, s, b) for n, s, b in SUMS},
    **{f"{n}d{s}kh{k}": highest(n, s, k) for n, s, k in HIGHEST},
    **{f"{n}d{s}kl{k}": lowest(n, s, k) for n, s, k in LOWEST},
    "1d20 > 1d12": lambda: H(20).gt(H(12)),
    "1d20+5 >= 15": lambda: (H(20) + 5).ge(15),
    "2d6 > 7": lambda: (2 @ H(6)).gt(7),
    "1d6 == 6": lambda: H(6).eq(6),
    "3d6 <= 11": lambda: (3 @ H(6)).le(11),
    "2d6 > 1d12": lambda: (2 @ H(6)).gt(H(12)),
    "1d8+1d6": lambda: H(8) + H(6),
    "2d6+1d4": lambda: 2 @ H(6) + H(4),
    "1d20+1d4": lambda: H(20) + H(4),
    "1d6-1d6": lambda: H(6) - H(6),
    "2*1d6": lambda: H(6) * 2,
    "1d20+1d6+3": lambda: H(20) + H(6) + 3,
    "max(1d8, 1d6)": lambda: P(8, 6).at(-1),
}


def ours(text: str) -> Callable[[], dict[int, int]]:
    def ask() -> dict[int, int]:
        odds = compute_distribution(parse(text))
        return dict(zip(odds.outcomes, odds.counts, strict=True))

    return ask


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=101, help="turns of each roll (default: %(default)s)")
    args = parser.parse_args()
    sides = {text: (ours(text), other) for text, other in ROLLS.items()}
    for text, (mine, other) in sides.items():
        if probabilities(mine()) != probabilities(other()):
            raise SystemExit(f"dyce gives other odds for {text}")
    # Reading the grammar's tables is not among them: it is paid once for a whole program.
    clears = find_caches()
    gc.disable()
    totals = [0.0, 0.0]
    for pair in sides.values():
        durations: tuple[list[int], list[int]] = ([], [])
        for _ in range(args.turns):
            for ask, times in zip(pair, durations, strict=True):
                for clear in clears:
                    clear()
                start = process_time_ns()
                ask()
                times.append(process_time_ns() - start)
        for place, times in enumerate(durations):
            totals[place] += median(times)
    for name, total in zip(("rulewright, from text", "dyce, as operations"), totals, strict=True):
        print(f"{name:<22} {total / 1e3:>9.1f} µs for {len(sides)} rolls")
    what = f"{len(sides)} small rolls, from text to odds, compared with dyce's operations"
    return report([Ratio(what, totals[1] / totals[0], at_least=TARGET)])


if __name__ == "__main__":
    sys.exit(main())
