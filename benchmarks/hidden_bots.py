"""Compare the decision time of bots with hidden information with that of the same game without it.

The game is a deck builder (`deck_builder/`) for two players. No player sees a pile, and only the owner sees a hand. The
open game has the same rules without `seen_by`. Both are simulated alternately by one worker, after a warm-up game. The
results are medians of processor time per decision, because bots that see more play other games. A second result is the
processor time of a game between `greedy` bots, with a target of a twentieth of a second.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from _report import Ratio, report

from rulewright import Ruleset, load_ruleset
from rulewright.analysis.simulation.run_simulation import simulate

RULES = Path(__file__).parent / "deck_builder"
REFERENCE = "benchmarks/deck-builder"
BOTS = {"greedy": 20, "planner:8": 8, "mcts:50": 4}
"""The bots, each with the number of games per run."""
AT_MOST = 3.0
PATIENCE = 0.05
_HIDES = re.compile(r",? *\bseen_by: (?:\"[^\"]*\"\n|\w+)")


def open_rules(folder: Path) -> Ruleset:
    """Write the rules without hidden information to a folder. Return the folder."""
    for path in RULES.glob("*.yaml"):
        (folder / path.name).write_text(_HIDES.sub("", path.read_text(encoding="utf-8")), encoding="utf-8")
    return load_ruleset(REFERENCE, rules=(folder,))


def time_games(ruleset: Ruleset, bot: str, games: int, seed: int) -> tuple[float, float]:
    """Return the processor time of a game and of a decision, in seconds."""
    start = process_time()
    counts = simulate(ruleset, policies=[bot, bot], games=games, seed=seed, workers=1)
    duration = process_time() - start
    return duration / counts.games, duration / counts.decisions


def main() -> int:
    """Time every bot alternately in both games, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs of each, of which the median counts (default: 5)")
    runs = parser.parse_args().runs
    results = []
    with TemporaryDirectory() as folder:
        sides = {"hidden": load_ruleset(REFERENCE, rules=(RULES,)), "open": open_rules(Path(folder))}
        for bot, games in BOTS.items():
            durations: dict[str, list[tuple[float, float]]] = {side: [] for side in sides}
            for seed in range(-1, runs):
                for side, ruleset in sides.items():
                    each = time_games(ruleset, bot, games if seed >= 0 else 1, seed)
                    if seed >= 0:
                        durations[side].append(each)
            game = {side: median(each for each, _ in times) for side, times in durations.items()}
            decision = {side: median(each for _, each in times) for side, times in durations.items()}
            for side in sides:
                print(f"{bot}, {side}: {1 / game[side]:,.1f} games a second, {1e6 * decision[side]:,.0f} µs a decision")
            what = f"a decision of `{bot}` with hidden information, compared with one without"
            results.append(Ratio(what, decision["hidden"] / decision["open"], at_most=AT_MOST))
            if bot == "greedy":
                patience = f"a game between `greedy` with hidden information, compared with {PATIENCE:g} seconds"
                results.append(Ratio(patience, game["hidden"] / PATIENCE, at_most=1.0))
    return report(results)


if __name__ == "__main__":
    raise SystemExit(main())
