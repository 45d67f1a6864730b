"""How long `rulewright fair` takes at its default for the largest rules, beside the two minutes that one waits for it.

The whole process on two workers, from its start to its last answer: a thousand games of every kind that its questions
need, between `greedy` players mostly, watched step by step where a question asks what happened. The rules and their
module come from the cache, as they do for a designer who asks a second time.

Then each shipped edition, between bots that are given, at a table of two and at one of four where it allows them: 90
seconds for both. Which games are played is decided by counts, and by no clock, so only the time differs from machine
to machine.
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
"""The editions that are not known to keep to it, and are shown only."""

TABLE = "ruleset: table/of-{players}\nversion: 0.1.0\nextends: {reference}\ntitle: A table\nplayers: {players}\n"


def measure_tables(references: list[str]) -> Iterator[Ratio]:
    """Yield the time of each edition at a table of two and one of four, compared with what was promised for both."""
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
    """Ask a few times, and compare the median with what one waits."""
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
