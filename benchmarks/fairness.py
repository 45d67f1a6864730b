"""Compare the time of `rulewright fair` for the largest rules, with default settings, with a target of two minutes.

The command runs with two workers, and is timed from its start to its last answer. It plays a thousand games of every
kind that its questions need, mostly between `greedy` players. The rules and their module come from the cache, as they
do for a second run.

Then each shipped edition is measured with given bots, with two players and with four if the edition allows them. The
target for both is 90 seconds. The number of games never depends on time, so only the time differs between machines.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from _report import Ratio, report
from _waiting import CHECKOUT, seconds

from rulewright import load_ruleset
from rulewright.analysis.fairness.game_cache import choose_players
from rulewright.ruleset.editions.catalogue import Catalogue

PATIENCE = 120.0
REFERENCE = "fuzzy-knights/normal@1.0"

BOTH_TABLES = 90.0
SHIPPED = [each.id for each in Catalogue([CHECKOUT / "rules"]).list_editions() if each.status != "abstract"]
SLOW = ("classics/backgammon", "classics/hex", "classics/yacht", "fuzzy-knights")
"""The editions whose target is not enforced."""

TABLE = "ruleset: table/of-{players}\nversion: 0.1.0\nextends: {reference}\ntitle: A table\nplayers: {players}\n"


def measure_tables(references: list[str]) -> Iterator[Ratio]:
    """Yield the time of each edition with two and with four players, compared with its target."""
    for reference in references:
        ruleset = load_ruleset(reference, rules=[CHECKOUT / "rules"])
        fewest, most = ruleset.players
        duration = 0.0
        for players in (each for each in (2, 4) if fewest <= each <= most):
            with TemporaryDirectory() as folder:
                Path(folder, "ruleset.yaml").write_text(TABLE.format(players=players, reference=reference))
                arguments = [f"table/of-{players}", "--players", ",".join(choose_players(ruleset)), "--rules", folder]
                seconds("fair", *arguments, "--games", "1")
                duration += seconds("fair", *arguments, "--workers", "2")
        what = f"the time of `rulewright fair {reference}` with two and four players, compared with 90 seconds"
        yield Ratio(what, duration / BOTH_TABLES, at_most=1.0, held=not reference.startswith(SLOW))


def main() -> int:
    """Run the command a few times, and compare the median with the target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1, help="runs (default: %(default)s)")
    parser.add_argument("editions", nargs="*", help="editions to ask about at two tables (default: all shipped ones)")
    given = parser.parse_args()
    runs = given.runs
    arguments = ["fair", REFERENCE, "--workers", "2"]
    seconds(*arguments, "--games", "1")
    durations = [seconds(*arguments) for _ in range(runs)]
    print(f"rulewright fair {REFERENCE} on two workers: {median(durations):.1f} s")
    return report(
        [
            Ratio(
                "the time of `rulewright fair` with its default settings, compared with two minutes",
                median(durations) / PATIENCE,
                at_most=1.0,
            ),
            *measure_tables(given.editions or SHIPPED),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
