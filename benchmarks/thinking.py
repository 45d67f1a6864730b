"""How long one waits for players who think: games of `mcts:200` and of `greedy`, beside what one waits for them.

Two hundred games of the largest rules between players who search two hundred times before each decision, and ten
thousand between players who look one decision ahead: the whole process on two workers, from its start to its last
game, its module from the cache.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from _report import Ratio, report

REFERENCE = "fuzzy-knights/normal@1.0"
CHECKOUT = Path(__file__).parent.parent
RULEWRIGHT = [str(Path(sys.executable).parent / "rulewright")]
WAITS = (("greedy", 10_000, 60.0), ("mcts:200", 200, 600.0))
"""Who plays, how many games, and the seconds that one waits for them."""


def seconds(bot: str, games: int) -> float:
    """The time that games between two of a bot take, from start to end of the process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    asked = ["--players", f"{bot},{bot}", "--games", str(games), "--workers", "2"]
    start = perf_counter()
    subprocess.run(
        [*RULEWRIGHT, "simulate", REFERENCE, "--rules", str(CHECKOUT / "rules"), *asked],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return perf_counter() - start


def main() -> int:
    """Play each once, and compare the time with what one waits."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    seconds("greedy", 2)
    found = []
    for bot, games, patience in WAITS:
        taken = seconds(bot, games)
        print(f"{games:,} games of {REFERENCE} between {bot} on two workers: {taken:.1f} s")
        found.append(
            Ratio(f"{games:,} games between `{bot}`, beside {patience:.0f} seconds", taken / patience, at_most=1.0)
        )
    return report(found)


if __name__ == "__main__":
    raise SystemExit(main())
