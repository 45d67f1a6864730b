"""Compare exact odds with icepool and dyce in one process, with empty caches.

Method: every library answers every question from nothing: its dice and rolls are built inside the timed call,
and every cache that any of its modules holds, found by looking through them, is cleared before. An answer is complete
when every outcome has its count: Rulewright's range of outcomes is turned into the same kind of dictionary that the
others hold. Reading notation is no part of it, since the others have none. Where a library documents several ways to
ask, each is tried and the fastest counts. Libraries take turns of a millisecond (at least one call), so that what
slows the machine slows them all; the figures are medians of single calls. Answers are compared first.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter_ns
from types import ModuleType

from _environments import ensure
from _report import Ratio, report

ensure("icepool", "dyce", "rulewright")

import dyce  # noqa: E402
import icepool  # noqa: E402

from rulewright.dice.ast import Comparison, Constant, Keep, Pool, Roll, Sum, build_die  # noqa: E402
from rulewright.dice.exact.compute_distribution import compute_distribution  # noqa: E402

TARGET = 10.0
TURN = 1_000_000  # nanoseconds
Question = Callable[[], object]


def pool(count: int, sides: int) -> Pool:
    return Pool(count, build_die(sides))


def ours(build: Callable[[], Roll]) -> Question:
    def ask() -> dict[int, int]:
        odds = compute_distribution(build())
        return dict(zip(odds.outcomes, odds.counts, strict=True))

    return ask


def ice(count: int, sides: int) -> icepool.Die[int]:
    return count @ icepool.d(sides)


def ice_pool(count: int, sides: int) -> icepool.Die[int]:
    return icepool.d(sides).pool(count).sum()


def ways(sides_of: list[tuple[int, int]], bonus: int = 0) -> dict[str, list[Question]]:
    """Return the questions for a sum of pools, given as (count, sides), and a bonus."""

    def summed(part: Callable[[int, int], object]) -> Question:
        def ask() -> object:
            total = part(*sides_of[0])
            for each in sides_of[1:]:
                total = total + part(*each)  # type: ignore[operator]
            return total + bonus if bonus else total  # type: ignore[operator]

        return ask

    terms = [Constant(bonus)] if bonus else []

    def build() -> Roll:
        pools: list[Roll] = [pool(*each) for each in sides_of]
        return Sum((*pools, *terms)) if len(pools) + len(terms) > 1 else pools[0]

    return {
        "rulewright": [ours(build)],
        "icepool": [summed(ice), summed(ice_pool)],
        "dyce": [summed(lambda count, sides: count @ dyce.H(sides)), summed(lambda c, s: (c @ dyce.P(s)).h())],
    }


def build_keep_questions(count: int, sides: int, keep: int) -> dict[str, list[Question]]:
    return {
        "rulewright": [ours(lambda: Keep(pool(count, sides), keep, True))],
        "icepool": [
            lambda: icepool.d(sides).pool(count).highest(keep).sum(),
            lambda: icepool.d(sides).highest(count, keep),
            lambda: icepool.d(sides).keep(count, [0] * (count - keep) + [1] * keep),
        ],
        "dyce": [lambda: (count @ dyce.P(sides)).at(slice(count - keep, None))],
    }


CASES: dict[str, dict[str, list[Question]]] = {
    "5d6+15": ways([(5, 6)], 15),
    "40d6": ways([(40, 6)]),
    "200d6": ways([(200, 6)]),
    "4d6kh3": build_keep_questions(4, 6, 3),
    "10d10kh5": build_keep_questions(10, 10, 5),
    "20d6+10d8+5d12": ways([(20, 6), (10, 8), (5, 12)]),
    "5d6+15 > 7d6+21": {
        "rulewright": [
            ours(lambda: Comparison(">", Sum((pool(5, 6), Constant(15))), Sum((pool(7, 6), Constant(21))))),
        ],
        "icepool": [lambda: ice(5, 6) + 15 > ice(7, 6) + 21, lambda: ice_pool(5, 6) + 15 > ice_pool(7, 6) + 21],
        "dyce": [lambda: (5 @ dyce.H(6) + 15).gt(7 @ dyce.H(6) + 21)],
    },
}


def find_caches() -> list[Callable[[], None]]:
    """Return the functions that clear the caches of the three libraries.

    Three kinds are found: `functools` caches in modules and classes, dictionaries named as caches in modules, and
    such dictionaries in objects that a module holds (icepool's evaluators remember their answers there).
    """
    clears: dict[int, Callable[[], None]] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in ("icepool", "dyce", "rulewright"):
            continue
        for key, value in list(vars(module).items()):
            # The values of a class, or of an object; a module's own are looked at one by one.
            held = list(getattr(value, "__dict__", {}).items()) if not isinstance(value, ModuleType) else []
            for inner, each in [(key, value), *held]:
                function = getattr(each, "__func__", each)
                if callable(getattr(function, "cache_clear", None)):
                    clears[id(function)] = function.cache_clear
                elif isinstance(each, dict) and inner.rstrip("_").endswith("_cache"):
                    clears[id(each)] = each.clear
    return list(clears.values())


def probabilities(answer: object) -> dict[int, float]:
    counts = {int(outcome): count for outcome, count in dict(answer).items()}  # type: ignore[call-overload]
    total = sum(counts.values())
    return {outcome: count / total for outcome, count in counts.items() if count}


def medians(questions: dict[str, list[Question]], rounds: int, budget: float) -> dict[str, float]:
    """Return the nanoseconds of each library's fastest way. Stop after `budget` seconds, but not before 3 rounds."""
    caches = find_caches()
    times: dict[tuple[str, int], list[int]] = {}
    start = perf_counter_ns()
    for number in range(rounds):
        if number >= 3 and perf_counter_ns() - start > budget * 1e9:
            break
        for name, asks in questions.items():
            for way, ask in enumerate(asks):
                # A slow call has the machine to itself for long enough; quick ones share a turn.
                turn = perf_counter_ns() + TURN
                while True:
                    for clear in caches:
                        clear()
                    before = perf_counter_ns()
                    ask()
                    after = perf_counter_ns()
                    times.setdefault((name, way), []).append(after - before)
                    if after > turn:
                        break
    by_question = {key: median(values) for key, values in times.items()}
    return {name: min(by_question[name, way] for way in range(len(asks))) for name, asks in questions.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=101, help="turns of each (default: %(default)s)")
    parser.add_argument("--budget", type=float, default=6.0, help="seconds for each roll (default: %(default)s)")
    args = parser.parse_args()

    for name, questions in CASES.items():
        expected = probabilities(questions["rulewright"][0]())
        for library, asks in questions.items():
            for ask in asks:
                if probabilities(ask()) != expected:
                    raise SystemExit(f"{library} gives other odds for {name}")

    gc.disable()
    print(f"{'exact odds, cold':18} {'rulewright':>12} {'icepool':>12} {'dyce':>12} {'ratio':>9}")
    worst = float("inf")
    for name, questions in CASES.items():
        times = medians(questions, args.rounds, args.budget)
        ratio = min(times["icepool"], times["dyce"]) / times["rulewright"]
        worst = min(worst, ratio)
        figures = "".join(f" {times[library] / 1000:>9.1f} µs" for library in ("rulewright", "icepool", "dyce"))
        print(f"{name:18}{figures} {ratio:>7.1f} ×")
        gc.collect()
    return report(
        [
            Ratio(
                "exact odds of seven rolls: the lowest ratio, compared with the faster of icepool and dyce",
                worst,
                TARGET,
            )
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
