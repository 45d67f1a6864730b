"""Compare rolling dice with `dice` and d20: with a trace of every die, and for the total alone.

Method: each library parses once and rolls the parsed form, since all of them can; its fastest documented way counts.
A roll with a trace ends with an object that holds every die; the total alone ends with an integer. d20 rolls only with
a trace, and `dice` gives no trace of a sum, but their times count for both. Warm: a game rolls the same dice again
and again. Libraries take turns, a batch of calls each; the figures are medians over the batches. d20 needs an older
lark, so it runs in an environment and a process of its own, and answers over a pipe with the time of each batch.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

from _environments import ensure, python
from _report import Ratio, report

ensure("dice", "rulewright")

import dice as dice_library  # noqa: E402

from rulewright.dice.parser.notation import parse  # noqa: E402
from rulewright.dice.sampling.random_generator import Generator  # noqa: E402
from rulewright.dice.sampling.roll_dice import roll, total  # noqa: E402

TRACE_TARGET, TOTAL_TARGET = 3.0, 8.0
# The roll as d20 and Rulewright write it, and as `dice` does.
ROLLS = {"2d6+6": "2d6+6", "4d6kh3": "4d6^3", "1d100": "1d100", "(2d6+3)*2": "(2d6+3)*2"}

D20 = """
import json, sys
from time import perf_counter
import d20
roller, parsed = d20.Roller(), {}
for line in sys.stdin:
    text, calls, alone = json.loads(line)
    if text not in parsed:
        parsed[text] = roller.parse(text)
    tree, times = parsed[text], range(calls)
    start = perf_counter()
    if alone:
        for _ in times: roller.roll(tree).total
    else:
        for _ in times: roller.roll(tree)
    print(json.dumps((perf_counter() - start) / calls), flush=True)
"""


def timed(call: Callable[[], object], calls: int) -> float:
    """Return the seconds of one call."""
    start = perf_counter()
    for _ in range(calls):
        call()
    return (perf_counter() - start) / calls


def batches(text: str, other: str, process: subprocess.Popen[str], *, alone: bool, rounds: int) -> dict[str, float]:
    """Return the median seconds of one roll for each library. With `alone`, roll only the total."""
    generator, tree = Generator(7), parse(text)
    rolled = dice_library.parse_expression(other)[0]
    ours = (lambda: total(tree, generator)) if alone else (lambda: roll(tree, generator))
    rates: dict[str, list[float]] = {"rulewright": [], "d20": [], "dice": []}
    for _ in range(rounds):
        rates["rulewright"].append(timed(ours, 20_000))
        rates["dice"].append(timed(rolled.evaluate, 500))
        assert process.stdin is not None
        assert process.stdout is not None
        print(json.dumps([text, 1_000, alone]), file=process.stdin, flush=True)
        rates["d20"].append(json.loads(process.stdout.readline()))
    return {name: median(values) for name, values in rates.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=21, help="batches of each (default: %(default)s)")
    rounds = parser.parse_args().rounds

    command = [str(python("d20")), "-c", D20]
    ratios = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for alone, target in ((False, TRACE_TARGET), (True, TOTAL_TARGET)):
            title = "only the total" if alone else "with a trace"
            print(f"{title:18} {'rulewright':>12} {'d20':>12} {'dice':>12} {'ratio':>9}  (target {target:.0f} ×)")
            least = float("inf")
            for text, other in ROLLS.items():
                times = batches(text, other, process, alone=alone, rounds=rounds)
                ratio = min(times["d20"], times["dice"]) / times["rulewright"]
                least = min(least, ratio)
                figures = "".join(f" {seconds * 1e6:>9.2f} µs" for seconds in times.values())
                print(f"{text:18}{figures} {ratio:>7.1f} ×")
            what = f"four rolls, {title}: the lowest ratio, compared with the faster of d20 and dice"
            ratios.append(Ratio(what, least, at_least=target))
        assert process.stdin is not None
        process.stdin.close()
    return report(ratios)


if __name__ == "__main__":
    sys.exit(main())
