"""Build the scale of luck and skill: measure well-known games as `rulewright fair` does.

With `--keep`, the results become the scale with which `fair` compares a game (`rules/skill_scale.json`). The file also
holds the commit, the random seed, the number of pairs between each two bots, and the 95 % intervals.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _environments import ROOT
from _report import Ratio, report

from rulewright import Ruleset, load_ruleset
from rulewright.analysis.fairness.game_cache import GameCache
from rulewright.analysis.fairness.skill_scale import BOTS, EQUALS, FILE, measure_skill
from rulewright.analysis.simulation.metrics import Metric
from rulewright.analysis.simulation.workers import Helpers

COIN = Path(__file__).parent / "coin_flip"
GAMES = (
    "benchmark/coin-flip@1.0",
    "pig/classic@1.0",
    "classics/yacht@1.0",
    "classics/backgammon@1.0",
    "classics/connect-four@1.0",
    "classics/checkers@1.0",
)
SEED = 0


def measure_game(ruleset: Ruleset, pairs: int) -> list[Metric]:
    """Return the measures of the scale."""
    with Helpers(1) as helpers:
        table = GameCache(ruleset, *EQUALS, pairs, SEED, {}, [COIN], helpers, lambda: None)
        return measure_skill(table, pairs)


def find_commit() -> str:
    """Return the commit, with a `+` if there are changes."""
    described = ["git", "describe", "--always", "--exclude=*", "--dirty=+"]
    return subprocess.run(described, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def build_data(measured: list[tuple[Ruleset, list[Metric]]], pairs: int, commit: str) -> dict[str, Any]:
    """Return the scale as JSON data."""
    return {
        "commit": commit,
        "seed": SEED,
        "pairs": pairs,
        "bots": [*BOTS],
        "equals": [*EQUALS],
        "games": [
            {
                "ruleset": ruleset.reference,
                "title": ruleset.title,
                "digest": ruleset.digest,
                "metrics": {
                    each.id: {
                        "value": round(each.value, 4),
                        "interval": [round(end, 4) for end in each.interval],
                        "share": each.share,
                    }
                    for each in metrics
                },
            }
            for ruleset, metrics in measured
        ],
    }


def compare(ruleset: Ruleset, metrics: list[Metric]) -> Iterator[Ratio]:
    """Yield each measure of a game."""
    for each in metrics:
        low, high = each.interval
        print(f"{ruleset.title}, {each.title}: {each.value:.3f} ({low:.3f} to {high:.3f})", flush=True)
        yield Ratio(f"{ruleset.title}: {each.title}", each.value)


def main() -> int:
    """Measure the games, print the results, and keep them as the scale if requested."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=200, help="pairs between each two bots (default: %(default)s)")
    parser.add_argument("--keep", action="store_true", help=f"write the results to {FILE.relative_to(ROOT)}")
    given = parser.parse_args()
    commit = find_commit()
    measured: list[tuple[Ruleset, list[Metric]]] = []
    results: list[Ratio] = []
    for reference in GAMES:
        ruleset = load_ruleset(reference, rules=[COIN])
        measured.append((ruleset, measure_game(ruleset, given.pairs)))
        results += compare(*measured[-1])
    if given.keep:
        data = build_data(measured, given.pairs, commit)
        FILE.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return report(results)


if __name__ == "__main__":
    raise SystemExit(main())
