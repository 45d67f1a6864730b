"""Random games of chess and euchre as WebAssembly, beside OpenSpiel's own in C++.

Both are written in YAML alone: chess is shipped, and euchre is one of the proof games in `tests/rules/proof_games`.
Method: as in `webassembly.py`, on whose functions this is built. Generated Python comes to the same counts before
anything is timed, and is not timed itself.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from _environments import ensure
from _report import Ratio, report

ensure("pyspiel", "rulewright")

from webassembly import beside_openspiel  # noqa: E402

from rulewright import load_ruleset  # noqa: E402

ROOT = Path(__file__).parent.parent
TARGET = 0.2
GAMES = (
    ("classics/chess", "chess", 40),
    ("proofs/euchre", "euchre", 4_000),
)
"""The rules, the name of the game in OpenSpiel, and how many games make a turn."""


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    turns = parser.parse_args().turns
    return report(
        [
            Ratio(
                f"random games of {name} (rules in YAML, in WebAssembly), compared with OpenSpiel's `evaluate_bots`",
                beside_openspiel(
                    load_ruleset(reference, rules=[ROOT / "rules", ROOT / "tests" / "rules" / "proof_games"]),
                    name,
                    {},
                    games,
                    turns,
                    python=False,
                ),
                at_least=TARGET,
            )
            for reference, name, games in GAMES
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
