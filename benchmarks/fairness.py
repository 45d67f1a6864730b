"""How long `rulewright fair` takes at its default for the largest rules, beside the two minutes that one waits for it.

The whole process on two workers, from its start to its last answer: a thousand games of every kind that its questions
need, between `greedy` players mostly, watched step by step where a question asks what happened. The rules and their
module come from the cache, as they do for a designer who asks a second time.
"""

from __future__ import annotations

import argparse
from statistics import median

from _report import Ratio, report
from _waiting import seconds

PATIENCE = 120.0
REFERENCE = "fuzzy-knights/normal@1.0"


def main() -> int:
    """Ask a few times, and compare the median with what one waits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1, help="runs (default: %(default)s)")
    runs = parser.parse_args().runs
    asked = ["fair", REFERENCE, "--workers", "2"]
    seconds(*asked, "--games", "1")
    taken = [seconds(*asked) for _ in range(runs)]
    print(f"rulewright fair {REFERENCE} on two workers: {median(taken):.1f} s")
    return report(
        [
            Ratio(
                "the time of `rulewright fair` with its default settings, compared with two minutes",
                median(taken) / PATIENCE,
                at_most=1.0,
            )
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
