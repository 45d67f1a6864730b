"""Measure the strength of trained bots, and the time of `rulewright train` with default settings.

The command runs with two workers, and is timed from its start until it writes the weights (target: five minutes), for
the largest rules and for one of the classics. Then bots with the trained weights play against the bot that evaluates
with the rules' own formula, equally often in both seats. The result is the share of decisive games won. The target is
four of five. For the largest rules, it is not reached yet according to the documentation, so it is printed, but not
enforced.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from _environments import ensure
from _report import Ratio, report
from _waiting import seconds

ensure("rulewright")

from rulewright import load_ruleset  # noqa: E402
from rulewright.analysis.simulation.tournament import play_tournament  # noqa: E402
from rulewright.ruleset.overlay import lay_over  # noqa: E402

PLANNER = "planner:16:trained"
PATIENCE = 300.0
WANTED = 0.8
LEARNERS = {"classics/oware@1.0": {"trained": True}, "fuzzy-knights/normal@1.0": {"trained": False, PLANNER: False}}
"""The bots that use the trained weights, and whether their target is enforced."""


def learned(reference: str, games: int, seed: int) -> tuple[float, dict[str, float]]:
    """Return the seconds of a training run, and each bot's share of decisive games won."""
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder) / "weights.yaml"
        duration = seconds("train", reference, "--output", str(into), "--workers", "2", "--seed", str(seed))
        ruleset = lay_over(load_ruleset(reference), into.read_text(encoding="utf-8"))
    pairs = [pair for bot in LEARNERS[reference] for pair in play_tournament(ruleset, [bot, "greedy"], games=games)]
    return duration, {pair.first: pair.wins / pair.decided for pair in pairs}


def main() -> int:
    """Train each ruleset once, and play with the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games after the training (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the training (default: %(default)s)")
    given = parser.parse_args()
    results = []
    for reference, learners in LEARNERS.items():
        duration, shares = learned(reference, given.games, given.seed)
        print(f"{reference}: trained for {duration:.1f} s on two workers")
        results.append(
            Ratio(
                f"the time to train bots for {reference}, compared with five minutes", duration / PATIENCE, at_most=1.0
            )
        )
        for bot, share in shares.items():
            print(f"  `{bot}` then won {share:.1%} of decided games")
            name = f"the share of decisive games of {reference} that `{bot}` wins"
            results.append(Ratio(name, share, at_least=WANTED, held=learners[bot]))
    return report(results)


if __name__ == "__main__":
    raise SystemExit(main())
