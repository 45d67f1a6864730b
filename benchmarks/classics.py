"""Compare random games of the classics with OpenSpiel's C++ games, driven from Python by the same loop.

Method: one process. A game is played by listing the legal options, picking one at random and applying it. At a chance
event, the outcomes are listed with their probabilities, and one is sampled and applied. Both sides use the same kind of
random generator with the same two calls, `choice` and `choices`. They alternate after a few games, so that other load
slows both. The results are medians. `tests/rules/test_classics.py` tests that both play the same games. Two differences
remain: our machine takes a single option without a decision, and rolls the five dice of Yacht one by one, while
OpenSpiel lists the 7,776 outcomes of all five at once.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from statistics import median
from time import process_time

from _environments import ensure
from _report import Ratio, report

ensure("pyspiel", "rulewright")

import pyspiel  # noqa: E402
from pig_playouts import play_open_spiel, play_ours  # noqa: E402

from rulewright import load_ruleset  # noqa: E402
from rulewright.engine.python_backend.compiler import compile_ruleset  # noqa: E402

TARGET = 1.0
GAMES = {
    "classics/tic-tac-toe@1.0": ("tic_tac_toe", 300),
    "classics/connect-four@1.0": ("connect_four", 100),
    "classics/yacht@1.0": ("yacht", 4),
}
BEHIND = ("tic_tac_toe", "connect_four")
"""Games that do not meet their target yet. The documentation gives the reasons."""


def rates(reference: str, name: str, games: int, turns: int) -> tuple[float, float]:
    """Return the median games per second of processor time, ours and OpenSpiel's."""
    machine, game = compile_ruleset(load_ruleset(reference)), pyspiel.load_game(name)
    ours, theirs = [], []
    for turn in range(turns):
        random = Random(turn)
        start = process_time()
        for _ in range(games):
            play_ours(machine, random)
        between = process_time()
        for _ in range(games):
            play_open_spiel(game, random)
        ours.append(games / (between - start))
        theirs.append(games / (process_time() - between))
    return median(ours), median(theirs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=21, help="turns of each side (default: %(default)s)")
    turns = parser.parse_args().turns
    ratios = []
    for reference, (name, games) in GAMES.items():
        ours, theirs = rates(reference, name, games, turns)
        print(f"{reference:<28} {ours:>10,.0f} games/s   OpenSpiel {theirs:>10,.0f} games/s   {ours / theirs:.2f} ×")
        ratios.append(
            Ratio(
                f"random games of {name}, compared with OpenSpiel",
                ours / theirs,
                at_least=TARGET,
                held=name not in BEHIND,
            )
        )
    return report(ratios)


if __name__ == "__main__":
    sys.exit(main())
