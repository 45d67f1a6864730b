"""How far searching leads in the largest rules: every deal played twice, with seats swapped, against `greedy`.

What the better player wins is told of decided games, and beside it the share of deals in which the same seat won both
games, whoever sat there: half of that share is lost by each of the two, and was to be won by neither in these deals.
These are shares: four games of five are wanted of a rung against the one below. Where the documentation says that they
are not won yet, that is told, and no failure.
"""

from __future__ import annotations

import argparse
from collections import Counter

from _report import Ratio, report

from rulewright import load_ruleset
from rulewright.simulate.fairness.questions.skill import BETTER, LESSER, SEAT, deal
from rulewright.simulate.run import begun, steps
from rulewright.simulate.shard import Row

LOWER = "greedy"
WANTED = 0.8
PAIRS: tuple[tuple[str, str, int, bool], ...] = (
    ("fuzzy-knights/normal@1.0", "random", 200, True),
    ("fuzzy-knights/normal@1.0", "planner:16", 200, False),
    ("fuzzy-knights/normal@1.0", "mcts:200", 200, False),
    ("fuzzy-knights/medium@0.1", "planner:8", 10, True),
)
"""Rules, who plays them against `greedy`, how many deals, and whether the better one is held to what is wanted."""


def rows(reference: str, policies: list[str], games: int) -> list[Row]:
    """Games of two bots, one by one."""
    ruleset = load_ruleset(reference)
    run = begun(ruleset, policies=policies, seed=0, rows=True)
    return [row for told in steps(ruleset, run, games=games, workers=2) for row in told]


def main() -> int:
    """Play the deals, and tell what was won and what the seat decided."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    found = []
    for reference, bot, deals, held in PAIRS:
        better, worse = (LOWER, bot) if bot == "random" else (bot, LOWER)
        first, second = rows(reference, [better, worse], deals), rows(reference, [worse, better], deals)
        kinds = Counter(deal(one, other, better) for one, other in zip(first, second, strict=True))
        won = Counter(row.seats[row.winners[0]] for row in first + second if row.winners and len(row.winners) == 1)
        print(
            f"{reference}, {better} against {worse}: {won[better]} games won, {won[worse]} lost; "
            f"of {deals} deals {kinds[BETTER]} won twice, {kinds[SEAT]} by one seat, {kinds[LESSER]} lost twice"
        )
        name = f"{reference}, `{better}` against `{worse}`"
        share = won[better] / max(1, won.total())
        found.append(Ratio(f"{name}: share of decided games", share, at_least=WANTED, held=held))
        found.append(Ratio(f"{name}: share of deals that one seat won twice", kinds[SEAT] / deals))
    return report(found)


if __name__ == "__main__":
    raise SystemExit(main())
