"""How well bots play that learned, and how long they learn: `rulewright train` at its default, beside five minutes.

The whole process on two workers, from its start to the weights that it writes, for the largest rules and for one of the
classics; then games between `trained` and the bot that judges by the rules' own formula, each in both seats as often.
What counts is the share of decided games that were won: four of five are wanted. The documentation says that so many
are not won yet, so that it is told, and no failure.
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
from rulewright.ruleset.authoring.overlay import laid_over  # noqa: E402
from rulewright.simulate.ladder import ladder  # noqa: E402

PATIENCE = 300.0
REFERENCES = ("fuzzy-knights/normal@1.0", "classics/oware@1.0")


def learned(reference: str, games: int, seed: int) -> tuple[float, float]:
    """The seconds that a training took, and the share of decided games that was won then."""
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder) / "weights.yaml"
        taken = seconds("train", reference, "--into", str(into), "--workers", "2", "--seed", str(seed))
        ruleset = laid_over(load_ruleset(reference), into.read_text(encoding="utf-8"))
    [pair] = ladder(ruleset, ["trained", "greedy"], games=games)
    return taken, pair.wins / pair.decided


def main() -> int:
    """Train each once, and let it play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games after the training (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the training (default: %(default)s)")
    given = parser.parse_args()
    found = []
    for reference in REFERENCES:
        taken, share = learned(reference, given.games, given.seed)
        print(f"{reference}: trained for {taken:.1f} s on two workers, then won {share:.1%} of decided games")
        found.append(Ratio(f"Training for {reference}, beside five minutes", taken / PATIENCE, at_most=1.0))
        name = f"Share of decided games that `trained` wins of {reference}"
        found.append(Ratio(name, share, at_least=0.8, held=False))
    return report(found)


if __name__ == "__main__":
    raise SystemExit(main())
