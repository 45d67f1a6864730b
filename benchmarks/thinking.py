"""How long one waits for players who think: games of `mcts:200` and of `greedy`, beside what one waits for them.

Two hundred games of the largest rules between players who search two hundred times before each decision, and ten
thousand between players who look one decision ahead: the whole process on two workers, from its start to its last
game, its module from the cache.
"""

from __future__ import annotations

import argparse

from _report import Ratio, report
from _waiting import seconds

REFERENCE = "fuzzy-knights/normal@1.0"
WAITS = (("greedy", 10_000, 60.0), ("mcts:200", 200, 600.0))
"""Who plays, how many games, and the seconds that one waits for them."""


def asked(bot: str, games: int) -> list[str]:
    """Return what is typed for games between two of a bot."""
    return ["simulate", REFERENCE, "--players", f"{bot},{bot}", "--games", str(games), "--workers", "2"]


def main() -> int:
    """Play each once, and compare the time with what one waits."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for bot, _, _ in WAITS:
        seconds(*asked(bot, 2))
    results = []
    for bot, games, patience in WAITS:
        duration = seconds(*asked(bot, games))
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
