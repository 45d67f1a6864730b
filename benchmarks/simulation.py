"""Measure large simulations of Pig: two workers, many games, and random games compared with OpenSpiel.

Method: `simulate` is called from Python, each time in a new process, which reports its wall-clock time, its processor
time, and the peak memory of itself and its workers. Short runs surround the long ones. The start-up of workers counts.
Before the measurement, one worker, two workers and single decisions must have the same counts. The speed-up of two
workers depends on wall-clock time and on other load, so the speed-up by processor time, with a processor for each
worker, is shown too. Random games are compared with OpenSpiel's `evaluate_bots`, a loop in C++, alternately in one
process and by processor time. The limit of Python itself is measured with a hand-written function for Pig that counts
nothing and keeps no state: once with our random streams, once with `random`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter, process_time

from _environments import ensure
from _report import Ratio, report

ensure("pyspiel", "rulewright")

import pyspiel  # noqa: E402

from rulewright import load_ruleset  # noqa: E402
from rulewright.analysis.simulation import shard as shards  # noqa: E402
from rulewright.analysis.simulation.run_simulation import begin_run, simulate  # noqa: E402
from rulewright.dice.sampling.fast_rng import draw_bytes  # noqa: E402
from rulewright.dice.sampling.random_generator import Generator  # noqa: E402

WORKERS_TARGET = 1.85
COST_TARGET = 1.15
MEMORY_TARGET = 1.25
FUSED_TARGET = 3.0
NATIVE_TARGET = 0.8
RULES = "pig/classic@1.0"

MEASURE = """
import json, resource, sys
from time import perf_counter, process_time
from rulewright import load_ruleset
from rulewright.analysis.simulation.run_simulation import simulate
if __name__ == "__main__":
    games, workers = map(int, sys.argv[1:])
    rules = load_ruleset("pig/classic@1.0")
    simulate(rules, games=10)
    before, start = process_time(), perf_counter()
    counts = simulate(rules, games=games, workers=workers)
    seconds, own = perf_counter() - start, process_time() - before
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    busy = max(own, (used[1].ru_utime + used[1].ru_stime) / workers)
    most = max(each.ru_maxrss for each in used) / 1024
    print(json.dumps({"seconds": seconds, "busy": busy, "megabytes": most, "decisions": counts.decisions}))
"""


def measured(games: int, workers: int) -> dict[str, float]:
    """Return the result of a run in a separate process."""
    command = [sys.executable, "-c", MEASURE, str(games), str(workers)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def agree(games: int) -> None:
    """Raise `AssertionError` unless all ways of playing have the same counts."""
    rules = load_ruleset(RULES)
    one = simulate(rules, games=games).to_plain()
    assert simulate(rules, games=games, workers=2).to_plain() == one
    shards.ANY = "nobody"
    assert simulate(rules, games=games).to_plain() == one
    shards.ANY = "random"


def rates(turns: int) -> dict[str, float]:
    """Return the random games per second of processor time: ours fused, ours step by step, and OpenSpiel's C++."""
    rules = load_ruleset(RULES)
    game = pyspiel.load_game("pig", {"horizon": 1_000_000})
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in (0, 1)]

    def ours(first: int, last: int) -> None:
        from dataclasses import replace

        shards.play_games(rules, replace(begin_run(rules).shard, first=first, last=last))

    def one_by_one(first: int, last: int) -> None:
        shards.ANY = "nobody"
        ours(first, last)
        shards.ANY = "random"

    def open_spiel(first: int, last: int) -> None:
        for number in range(first, last):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)

    def with_streams(first: int, last: int) -> None:
        for number in range(first, last):
            dice = Generator(f"0/{number}", "dice")
            by_hand(dice, [draw_bytes(f"0/{number}", f"bot {seat}").__next__ for seat in (1, 2)])

    def with_random(first: int, last: int) -> None:
        number = Random(first).random
        for _ in range(first, last):
            by_hand_at_random(number)

    players = {"rulewright, in one go": (ours, 2_000), "rulewright, decision by decision": (one_by_one, 400)}
    players["by hand, our streams"] = (with_streams, 2_000)
    players["by hand, random.random"] = (with_random, 2_000)
    players["OpenSpiel, evaluate_bots"] = (open_spiel, 10_000)
    figures: dict[str, list[float]] = {name: [] for name in players}
    for turn in range(turns):
        for name, (play, games) in players.items():
            start = process_time()
            play(turn * games, (turn + 1) * games)
            figures[name].append(games / (process_time() - start))
    return {name: median(values) for name, values in figures.items()}


def by_hand(dice: Generator, picks: list[Callable[[], int]]) -> None:
    """Play a random game of Pig with our random streams, which are read as in generated programs."""
    player, pot, scores = 0, 0, [0, 0]
    words, fill = dice._words, dice._fill
    while True:
        if not picks[player]() & 1:
            rolled = (words or fill()).pop()
            while rolled >= 4294967292:
                rolled = dice.draw_word()
            face = rolled % 6 + 1
            if face == 1:
                pot, player = 0, 1 - player
            else:
                pot += face
        else:
            scores[player] += pot
            if scores[player] >= 100:
                return
            pot, player = 0, 1 - player


def by_hand_at_random(number: Callable[[], float]) -> None:
    """Play a random game of Pig with Python's `random`."""
    player, pot, scores = 0, 0, [0, 0]
    while True:
        if number() < 0.5:
            face = int(number() * 6) + 1
            if face == 1:
                pot, player = 0, 1 - player
            else:
                pot += face
        else:
            scores[player] += pot
            if scores[player] >= 100:
                return
            pot, player = 0, 1 - player


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000_000, help="games of the long runs")
    parser.add_argument("--turns", type=int, default=7, help="turns of whole games for each side")
    args = parser.parse_args()
    print(f"load of the machine when it began: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    agree(600)

    short = [measured(1_000, 1) for _ in range(3)]
    start = perf_counter()
    one, two = measured(args.games, 1), measured(args.games, 2)
    short += [measured(1_000, 1) for _ in range(3)]
    assert one["decisions"] == two["decisions"]
    few = median(each["busy"] for each in short) / 1_000
    many = one["busy"] / args.games
    speedup = one["seconds"] / two["seconds"]
    alone = one["busy"] / two["busy"]
    memory = one["megabytes"] / median(each["megabytes"] for each in short)
    print(f"{args.games:,} games, one worker: {one['seconds']:.1f} s; two: {two['seconds']:.1f} s: {speedup:.2f} ×")
    print(f"by processor time: {one['busy']:.1f} s; each of two: {two['busy']:.1f} s: {alone:.2f} ×")
    print(f"a game of 1,000: {few * 1e6:.1f} µs; of {args.games:,}: {many * 1e6:.1f} µs: {many / few:.2f} ×")
    print(f"most memory, 1,000 games against {args.games:,}: {one['megabytes']:.0f} MB, {memory:.2f} ×")
    print(f"({perf_counter() - start:.0f} s; load at the end {os.getloadavg()[0]:.1f})\n")

    figures = rates(args.turns)
    theirs = figures["OpenSpiel, evaluate_bots"]
    print(f"{'whole random games':<36}{'games/s':>10}{'× OpenSpiel':>14}")
    for name, rate in figures.items():
        print(f"{name:<36}{rate:>10,.0f}{rate / theirs:>14.2f}")
    fused = figures["rulewright, in one go"] / figures["rulewright, decision by decision"]
    print(f"in one go: {fused:.1f} × decision by decision\n")

    games = f"{args.games:,} games of pig"
    return report(
        [
            Ratio(
                f"{games} on two workers, compared with one worker (less on a busy machine)",
                speedup,
                at_least=WORKERS_TARGET,
            ),
            Ratio("the same, by processor time", alone),
            Ratio(
                f"the cost per game of {args.games:,} games, compared with 1,000 games", many / few, at_most=COST_TARGET
            ),
            Ratio(f"the peak memory of {args.games:,} games, compared with 1,000 games", memory, at_most=MEMORY_TARGET),
            Ratio("random games in one go, compared with decision by decision", fused, at_least=FUSED_TARGET),
            Ratio(
                "random games in one go, compared with OpenSpiel's `evaluate_bots` in C++",
                figures["rulewright, in one go"] / theirs,
                at_least=NATIVE_TARGET,
            ),
            Ratio(
                "pig handwritten in Python, with Rulewright's random numbers, compared with `evaluate_bots`",
                figures["by hand, our streams"] / theirs,
            ),
            Ratio(
                "pig handwritten in Python, with `random.random`, compared with `evaluate_bots`",
                figures["by hand, random.random"] / theirs,
            ),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
