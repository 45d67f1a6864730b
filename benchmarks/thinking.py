"""Compare the time of games between `mcts:200` and between `greedy` bots with their targets.

Two hundred games of the largest rules between bots with two hundred playouts per decision, and ten thousand between
bots that look one decision ahead. The command runs with two workers, and is timed from its start to its last game. Its
module comes from the cache.
"""

from __future__ import annotations

import argparse

from _report import Ratio, report
from _waiting import seconds

REFERENCE = "fuzzy-knights/normal@1.0"
WAITS = (("greedy", 10_000, 60.0), ("mcts:200", 200, 600.0))
"""The bots, each with the number of games and the target in seconds."""


def build_arguments(bot: str, games: int) -> list[str]:
    """Return the arguments of the command for games between two copies of a bot."""
    return ["simulate", REFERENCE, "--players", f"{bot},{bot}", "--games", str(games), "--workers", "2"]


def main() -> int:
    """Play each once, and compare the time with the target."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for bot, _, _ in WAITS:
        seconds(*build_arguments(bot, 2))
    results = []
    for bot, games, patience in WAITS:
        duration = seconds(*build_arguments(bot, games))
        print(f"{games:,} games of {REFERENCE} between {bot} on two workers: {duration:.1f} s")
        results.append(
            Ratio(
                f"{games:,} games between `{bot}`, compared with {patience:.0f} seconds",
                duration / patience,
                at_most=1.0,
            )
        )
    return report(results)


if __name__ == "__main__":
    raise SystemExit(main())
