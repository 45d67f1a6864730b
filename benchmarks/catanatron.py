"""Compare random games of fuzzy-knights/normal with Catanatron's, both in Python, by decisions per second.

Method: each side runs in its own process and environment. After a warm-up, it plays games between two random players
for a few seconds, and counts its decisions and its processor time. The processes alternate, and the results are
medians. Catanatron is a hand-written Settlers of Catan, made for simulations. Its decisions are the calls of
`RandomPlayer.decide`, and some have a single option, such as a mere roll. Ours have two or more options, because the
machine takes a single option automatically. Both list all legal options each time. The games differ, so the ratio only
compares the cost of a decision in games of this kind.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from statistics import median

from _environments import ensure, python
from _report import Ratio, report

ensure("rulewright")

TARGET = 1.0

OURS = """
import json, sys
from time import process_time
sys.path.insert(0, sys.argv[2])
from whole_games import OPTIONS, REFERENCE, compiled, load_ruleset, play
program = compiled(load_ruleset(REFERENCE), sampling=True)
for seed in range(3):
    play(program, seed)
games = decisions = 0
start = process_time()
while process_time() - start < float(sys.argv[1]):
    decisions += play(program, games)
    games += 1
print(json.dumps({"games": games, "decisions": decisions, "seconds": process_time() - start}))
"""

THEIRS = """
import json, random, sys
from time import process_time
from catanatron import Color, Game, RandomPlayer
class Counted(RandomPlayer):
    decisions = real = 0
    def decide(self, game, playable_actions):
        Counted.decisions += 1
        Counted.real += len(playable_actions) > 1
        return super().decide(game, playable_actions)
def play(seed):
    Game([Counted(Color.RED), Counted(Color.BLUE)], seed=seed + 1).play()
for seed in range(3):
    play(seed)
Counted.decisions = Counted.real = games = 0
start = process_time()
while process_time() - start < float(sys.argv[1]):
    play(games)
    games += 1
print(json.dumps({"games": games, "decisions": Counted.decisions, "real": Counted.real,
    "seconds": process_time() - start}))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5, help="turns of each (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=4.0, help="of a turn (default: %(default)s)")
    args = parser.parse_args()
    here = sys.path[0]
    commands = {
        "rulewright": [sys.executable, "-c", OURS, str(args.seconds), here],
        "Catanatron": [str(python("catanatron")), "-c", THEIRS, str(args.seconds)],
    }
    results: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
    for _ in range(args.turns):
        for name, command in commands.items():
            ran = subprocess.run(command, check=True, capture_output=True, text=True)
            results[name].append(json.loads(ran.stdout))
    rates = {}
    for name, turns in results.items():
        rates[name] = median(turn["decisions"] / turn["seconds"] for turn in turns)
        length = median(turn["decisions"] / turn["games"] for turn in turns)
        print(f"{name:<12} {rates[name]:>10,.0f} decisions/s, {length:,.0f} decisions a game")
    several = median(turn["real"] / turn["seconds"] for turn in results["Catanatron"])
    print(f"of Catanatron's, {several:,.0f} a second have two options or more")
    ratio = rates["rulewright"] / rates["Catanatron"]
    return report(
        [
            Ratio("decisions per second in random games, compared with Catanatron", ratio, at_least=TARGET),
            Ratio(
                "the same, counting only those of Catanatron's decisions that have at least two options",
                rates["rulewright"] / several,
            ),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
