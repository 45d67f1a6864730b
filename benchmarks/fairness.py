"""How long `rulewright fair` takes at its default for the largest rules, beside the two minutes that one waits for it.

The whole process on two workers, from its start to its last answer: a thousand games of every kind that its questions
need, between `greedy` players mostly, watched step by step where a question asks what happened. The rules and their
module come from the cache, as they do for a designer who asks a second time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from _report import Ratio, report

PATIENCE = 120.0
REFERENCE = "fuzzy-knights/normal@1.0"
CHECKOUT = Path(__file__).parent.parent
RULEWRIGHT = [str(Path(sys.executable).parent / "rulewright")]


def seconds(*arguments: str) -> float:
    """The time that one run takes, from start to end of its process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    start = perf_counter()
    subprocess.run(
        [*RULEWRIGHT, "fair", REFERENCE, "--rules", str(CHECKOUT / "rules"), "--workers", "2", *arguments],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return perf_counter() - start


def main() -> int:
    """Ask a few times, and compare the median with what one waits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1, help="runs (default: %(default)s)")
    runs = parser.parse_args().runs
    seconds("--games", "1")
    taken = [seconds() for _ in range(runs)]
    print(f"rulewright fair {REFERENCE} on two workers: {median(taken):.1f} s")
    return report(
        [Ratio("`rulewright fair` at its default, beside two minutes", median(taken) / PATIENCE, at_most=1.0)]
    )


if __name__ == "__main__":
    raise SystemExit(main())
