"""Measure games as WebAssembly: speed compared with OpenSpiel and generated Python, start-up time and size.

Method: `simulate`'s own shards including their counts, one process, processor time. OpenSpiel plays with
`evaluate_bots`, a loop in C++, and its uniform random bots. The sides alternate, with as many games as take about the
same time. The results are medians. Before the measurement, a shard must have the same counts as WebAssembly and as
generated Python. Start-up time is the time until a module can play: with an empty cache, and with the cache of an
earlier process, each in a new process, after imports and rules are loaded.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import process_time

from _environments import ensure
from _report import Ratio, report

ensure("pyspiel", "rulewright")

import pyspiel  # noqa: E402

from rulewright import load_ruleset  # noqa: E402
from rulewright.analysis.simulation import shard as shards  # noqa: E402
from rulewright.analysis.simulation.run_simulation import begin_run  # noqa: E402
from rulewright.engine.wasm_backend.module_assembly import assemble_module  # noqa: E402
from rulewright.ruleset.ruleset import Ruleset  # noqa: E402

CLASSICS = (
    ("pig/classic@1.0", "pig", {}, 3.0, 4_000),
    ("classics/tic-tac-toe@1.0", "tic_tac_toe", {}, 2.0, 8_000),
    ("classics/connect-four@1.0", "connect_four", {}, 1.0, 1_000),
    ("classics/yacht@1.0", "yacht", {}, 10.0, 200),
    ("classics/backgammon@1.0", "backgammon", {}, 3.0, 60),
)
LARGE = "fuzzy-knights/normal@1.0"
OPTIONS = {"max_days": "hundred"}
LARGE_TARGET = 40.0
THINKERS = (("greedy", 2, 100), ("mcts:20", 2, 20))
"""Search bots, with the number of games per measurement in Python and as WebAssembly."""

COLD, WARM = 600.0, 20.0
SIZE = 400.0

READY = """
import sys
from time import process_time
from rulewright import load_ruleset
import rulewright.engine.wasm_backend.bot_games as games
rules = load_ruleset(sys.argv[1])
start = process_time()
games.games(rules)
print((process_time() - start) * 1000)
"""


def player(
    rules: Ruleset, seats: int, options: dict[str, str], *, bot: str = "random", python: bool = False
) -> Callable[[int, int], object]:
    """Return a function that plays the games in a range of numbers."""
    shard = begin_run(rules, policies=[bot] * seats, options=options).shard

    def play(first: int, last: int) -> object:
        shards.is_available = lambda: not python
        return shards.play_games(rules, replace(shard, first=first, last=last)).counts.to_plain()

    return play


def timed(sides: dict[str, tuple[Callable[[int, int], object], int]], turns: int) -> dict[str, float]:
    """Return the median games per second of each side."""
    figures: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(turns):
        for name, (play, games) in sides.items():
            start = process_time()
            play(turn * games, (turn + 1) * games)
            figures[name].append(games / (process_time() - start))
    return {name: median(values) for name, values in figures.items()}


def beside_openspiel(
    rules: Ruleset, name: str, options: dict[str, str], games: int, turns: int, *, python: bool = True
) -> float:
    """Return the speed-up over OpenSpiel for random games. With `python`, also time generated Python."""
    game = pyspiel.load_game(name)
    seats = game.num_players() if rules.players[0] < game.num_players() <= rules.players[1] else rules.players[0]
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]

    def open_spiel(first: int, last: int) -> None:
        for number in range(first, last):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)

    inside, outside = player(rules, seats, options), player(rules, seats, options, python=True)
    few = max(games // 100, 2)
    if inside(0, few) != outside(0, few):
        raise SystemExit(f"{name}: the counts differ")
    sides = {"ours": (inside, games), "theirs": (open_spiel, max(games // 4, 2))}
    if python:
        sides["python"] = (outside, max(games // 20, 2))
    rates = timed(sides, turns)
    generated = f", generated Python {rates['python']:,.1f}" if python else ""
    print(f"{name}: {rates['ours']:,.0f} games a second, OpenSpiel {rates['theirs']:,.0f}{generated}")
    return rates["ours"] / rates["theirs"]


def ready(cache: str) -> float:
    """Return the milliseconds until the largest rules are ready to play, in a separate process."""
    done = subprocess.run(
        [sys.executable, "-c", READY, LARGE],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "RULEWRIGHT_CACHE": cache, "XDG_CACHE_HOME": cache, "HOME": cache},
    )
    return float(done.stdout)


def main() -> int:
    """Measure the games and print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    args = parser.parse_args()
    ratios = [
        Ratio(
            f"random games of {name} in WebAssembly, including all counts, compared with OpenSpiel's `evaluate_bots`",
            beside_openspiel(load_ruleset(reference), name, options, games, args.turns),
            at_least=target,
        )
        for reference, name, options, target, games in CLASSICS
    ]
    rules = load_ruleset(LARGE)
    inside, outside = player(rules, 2, OPTIONS), player(rules, 2, OPTIONS, python=True)
    if inside(0, 5) != outside(0, 5):
        raise SystemExit(f"{LARGE}: the counts differ")
    rates = timed({"inside": (inside, 200), "outside": (outside, 6)}, args.turns)
    print(f"{LARGE}: {rates['inside']:,.0f} games a second, generated Python {rates['outside']:,.1f}")
    ratios.append(
        Ratio(
            "random games of the largest rules in WebAssembly, compared with generated Python",
            rates["inside"] / rates["outside"],
            LARGE_TARGET,
        )
    )
    for bot, few, many in THINKERS:
        inside, outside = (player(rules, 2, OPTIONS, bot=bot, python=python) for python in (False, True))
        if inside(0, few) != outside(0, few):
            raise SystemExit(f"{LARGE}: the counts of {bot} differ")
        rates = timed({"inside": (inside, many), "outside": (outside, few)}, args.turns)
        ours, theirs = 1000 / rates["inside"], 1000 / rates["outside"]
        print(f"{LARGE} between {bot} players: {ours:.1f} ms a game, generated Python {theirs:,.0f} ms")
        ratios.append(
            Ratio(
                f"games of the largest rules between `{bot}` bots in WebAssembly, compared with generated Python",
                rates["inside"] / rates["outside"],
                at_least=20.0,
            )
        )
        if bot == "greedy":
            minute = 60 * rates["inside"] / 10_000
            ratios.append(
                Ratio(
                    "how often one core can play 10,000 games of the largest rules between `greedy` bots in a minute",
                    minute,
                    at_least=1.0,
                )
            )
    with tempfile.TemporaryDirectory() as cache:
        load = "from rulewright import load_ruleset; load_ruleset('" + LARGE + "')"
        subprocess.run([sys.executable, "-c", load], check=True, env={**os.environ, "RULEWRIGHT_CACHE": cache})
        cold = ready(cache)
        warm = median(ready(cache) for _ in range(5))
    size = len(assemble_module(rules).code) / 1000
    print(f"ready in {cold:.0f} ms cold, {warm:.1f} ms warm; the module has {size:.0f} kB")
    ratios += [
        Ratio(
            "the time until the largest rules are ready to play in WebAssembly, compared with 0.6 s",
            cold / COLD,
            at_most=1.0,
        ),
        Ratio("the same time with a warm cache, compared with 20 ms", warm / WARM, at_most=1.0),
        Ratio("the size of the module for the largest rules, compared with 400 kB", size / SIZE, at_most=1.0),
    ]
    return report(ratios)


if __name__ == "__main__":
    sys.exit(main())
