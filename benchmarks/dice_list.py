"""Compare exact odds of a thousand different expressions with dyce's for the same list.

Method: one list, made with a fixed seed: sums of one to three pools of equal dice with a bonus, and the highest or
lowest few dice of a pool. The caches of each library are cleared before the list, but not within it. dyce reads no
notation and gets the operations, so ours is timed with parsed rolls, and in addition from the text. Where dyce
documents two ways to sum a pool, the faster one is used (`n @ H`). The sides alternate. The results are medians of
processor time. All answers are compared first.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from time import process_time

from _environments import ensure
from _report import Ratio, report

ensure("icepool", "dyce", "rulewright")

import dyce  # noqa: E402
from dice_odds import find_caches, probabilities  # noqa: E402

from rulewright.dice.ast import Roll  # noqa: E402
from rulewright.dice.exact.compute_distribution import compute_distribution  # noqa: E402
from rulewright.dice.parser.notation import parse  # noqa: E402

TARGET = 10.0
SIDES = (4, 6, 8, 10, 12, 20)


@dataclass(frozen=True)
class Expression:
    """Pools as (count, sides) and a bonus. With `keep`, the `keep` highest or lowest dice of the only pool."""

    pools: tuple[tuple[int, int], ...]
    bonus: int = 0
    keep: int = 0
    highest: bool = True

    @property
    def text(self) -> str:
        """Return the expression in our notation."""
        written = " + ".join(f"{count}d{sides}" for count, sides in self.pools)
        suffix = f"{'kh' if self.highest else 'kl'}{self.keep}" if self.keep else ""
        return written + suffix + (f" + {self.bonus}" if self.bonus else "")

    def dyce(self) -> object:
        """Return the expression as a dyce object."""
        if self.keep:
            count, sides = self.pools[0]
            which = slice(count - self.keep, None) if self.highest else slice(0, self.keep)
            return (count @ dyce.P(sides)).at(which) + self.bonus
        first, *others = (count @ dyce.H(sides) for count, sides in self.pools)
        for other in others:
            first = first + other
        return first + self.bonus


def expressions(count: int, seed: int) -> list[Expression]:
    """Return `count` different expressions."""
    random, results = Random(seed), {}
    while len(results) < count:
        bonus = random.choice((0, random.randint(1, 20)))
        if random.random() < 0.3:
            dice = random.randint(2, 6)
            pool = (dice, random.choice(SIDES))
            expression = Expression((pool,), bonus, random.randint(1, dice - 1), random.random() < 0.5)
        else:
            sides = random.sample(SIDES, random.randint(1, 3))
            expression = Expression(tuple((random.randint(1, 12), each) for each in sides), bonus)
        results[expression] = expression
    return list(results)


def read(listed: list[Expression]) -> list[Roll]:
    return [parse(each.text) for each in listed]


def ours(rolls: list[Roll]) -> list[dict[int, int]]:
    results = []
    for roll in rolls:
        odds = compute_distribution(roll)
        results.append(dict(zip(odds.outcomes, odds.counts, strict=True)))
    return results


def theirs(listed: list[Expression]) -> list[dict[int, int]]:
    return [dict(each.dyce()) for each in listed]  # type: ignore[call-overload]


def timed(work: Callable[[], object]) -> float:
    """Return the processor time of a call with empty caches, in seconds."""
    for clear in find_caches():
        clear()
    gc.collect()
    start = process_time()
    work()
    return process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5, help="turns of each (default: %(default)s)")
    parser.add_argument("--expressions", type=int, default=1_000, help="in the list (default: %(default)s)")
    args = parser.parse_args()
    listed = expressions(args.expressions, seed=1)
    for each, mine, other in zip(listed, ours(read(listed)), theirs(listed), strict=True):
        if probabilities(mine) != probabilities(other):
            raise SystemExit(f"dyce gives other odds for {each.text}")
    times: dict[str, list[float]] = {"rulewright": [], "from text": [], "dyce": []}
    gc.disable()
    for _ in range(args.turns):
        rolls = read(listed)
        times["rulewright"].append(timed(lambda rolls=rolls: ours(rolls)))  # type: ignore[misc]
        times["from text"].append(timed(lambda: ours(read(listed))))
        times["dyce"].append(timed(lambda: theirs(listed)))
    medians = {name: median(durations) for name, durations in times.items()}
    for name, seconds in medians.items():
        print(f"{name:<12} {seconds * 1e3:>9.1f} ms for {len(listed):,} expressions")
    what = f"the odds of {len(listed):,} different expressions, compared with dyce"
    return report(
        [
            Ratio(what, medians["dyce"] / medians["rulewright"], at_least=TARGET),
            Ratio("the same, including the time to parse the expressions", medians["dyce"] / medians["from text"]),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
