"""Compare random games of eight games in YAML, as WebAssembly, with those of OpenSpiel.

The games show what the language can hold: five are shipped, three belong to the tests.
Method: as in `webassembly.py`, on whose functions this is built. Generated Python comes to the same counts before
anything is timed, and is not timed itself. OpenSpiel's games are in C++, except for dominoes, which is in Python there.
Under half of OpenSpiel's speed: see `site/docs/contributing/performance.md`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from _environments import ensure
from _report import Ratio, report

ensure("pyspiel", "rulewright")

from open_spiel.python.games import block_dominoes  # noqa: E402
from webassembly import beside_openspiel  # noqa: E402

from rulewright import load_ruleset  # noqa: E402

TARGET = 0.2
PROOF_GAMES = Path(__file__).parents[1] / "tests" / "rules" / "proof_games"
DOMINOES = block_dominoes.BlockDominoesGame().get_type().short_name
"""OpenSpiel registers a Python game when its module is imported."""
GAMES = (
    ("classics/chess", "chess", {}, 40),
    ("classics/reversi", "othello", {}, 300),
    ("classics/nine-mens-morris", "nine_mens_morris", {}, 2_000),
    ("classics/dominoes", DOMINOES, {}, 8_000),
    ("proofs/battleship", "battleship", {"repeats": "allowed"}, 2_000),
    ("proofs/gin-rummy", "gin_rummy", {}, 500),
    ("classics/euchre", "euchre", {"length": "one_deal"}, 4_000),
    ("proofs/cribbage", "cribbage", {}, 1_500),
)
"""The rules, the OpenSpiel name, our settings and the number of games per measurement."""


def main() -> int:
    """Measure the games and print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    turns = parser.parse_args().turns
    ratios = []
    for reference, name, options, games in GAMES:
        rules = load_ruleset(reference, rules=[PROOF_GAMES])
        what = f"random games of {name} (rules in YAML, in WebAssembly), compared with OpenSpiel's `evaluate_bots`"
        ratio = beside_openspiel(rules, name, options, games, turns, python=False)
        ratios.append(Ratio(what, ratio, at_least=TARGET))
    return report(ratios)


if __name__ == "__main__":
    sys.exit(main())
