"""Measure whole random games of fuzzy-knights/normal: both back ends, recording, two workers, and saves.

Method: one process and one ruleset. Two random players play games that end at the day limit, with the same list of
seeds on every side. The compiled machine rolls immediately (`sampling`), and the plain interpreter one by one, because
it knows no other way. Both have the same generator. The sides alternate after a few games, so that other load slows
both. The results are medians of processor time. The two workers are processes that have loaded the rules and played a
warm-up before the clock starts. A save is written and read back at pause points of one game, and compared with
`json.dumps` and `json.loads` of the same text. The cost of undo is measured with moves that have a savepoint each,
compared with the same machine without the log.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

from _environments import ensure
from _report import Ratio, report

ensure("rulewright")

from rulewright import Game, load_ruleset  # noqa: E402
from rulewright.analysis.simulation.run_simulation import simulate  # noqa: E402
from rulewright.analysis.simulation.shard import split_into_chunks  # noqa: E402
from rulewright.dice.sampling.random_generator import Generator  # noqa: E402
from rulewright.engine.game.script import draw_outcome  # noqa: E402
from rulewright.engine.python_backend.compiler import compile_ruleset  # noqa: E402
from rulewright.engine.state.game_state import CHANCE, DECISION, OVER  # noqa: E402
from rulewright.engine.state.machine import Machine  # noqa: E402
from rulewright.engine.state.savepoint import Savepoint  # noqa: E402
from rulewright.engine.state.tree_interpreter import Interpreter  # noqa: E402
from rulewright.engine.wasm_backend.bot_games import Series, exhaust_pieces, games  # noqa: E402

SPEED_TARGET = 10.0
RECORDING_TARGET = 1.35
UNDO_TARGET = 1.15
WORKERS_TARGET = 1.7
WORKERS_GAMES = 4_000
"""A game takes a third of a millisecond. Sending two games to a worker takes longer than playing them."""
SAVES_TARGET = 10.0
STOPPABLE_TARGET = 1.05
REFERENCE = "fuzzy-knights/normal@1.0"
OPTIONS = {"max_days": "hundred"}


def play(machine: Machine, seed: int, *, recording: bool = False) -> int:
    """Play a random game. Return its number of decisions."""
    state = machine.empty(2, options=OPTIONS)
    dice, choices = Generator(seed, "dice"), Generator(seed, "choices")
    state.generator = dice
    state.events = [] if recording else None
    machine.begin(state, machine.ruleset.start or "", ())
    decisions = 0
    while state.mode != OVER:
        if state.mode == CHANCE:
            state.apply_outcome(draw_outcome(state.roll, dice).value)
        else:
            state.apply(choices.draw_below(len(state.options)))
            decisions += 1
    return decisions


def play_by_moves(machine: Machine, seed: int) -> None:
    """Play a random game through `Game`. A move is a choice with the rolls up to the next, and can be undone."""
    state = machine.empty(2, options=OPTIONS)
    dice, choices = Generator(seed, "dice"), Generator(seed, "choices")
    state.events = []
    machine.begin(state, machine.ruleset.start or "", ())
    while state.mode != OVER:
        savepoint = Savepoint(state) if machine.undoable else None
        if state.mode == DECISION:
            state.apply(choices.draw_below(len(state.options)))
        while state.mode == CHANCE:
            state.apply_outcome(draw_outcome(state.roll, dice).value)
        if savepoint is not None:
            savepoint.release()


def rates(sides: dict, turns: int, games: int) -> dict[str, float]:
    """Return the games per second of each side, measured alternately with the same seeds."""
    figures: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(turns):
        for name, call in sides.items():
            started = process_time()
            for seed in range(turn * games, (turn + 1) * games):
                call(seed)
            figures[name].append(games / (process_time() - started))
    return {name: median(values) for name, values in figures.items()}


def two_workers(rules, games: int) -> float:
    """Return the speed-up of two workers over one. Both pools are warm before the clock starts."""
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as one,
        ProcessPoolExecutor(2, mp_context=get_context("spawn")) as two,
    ):
        for pool, workers in ((one, 1), (two, 2)):
            simulate(rules, games=8, options=OPTIONS, executor=pool, workers=workers)
        ratios = []
        for seed in range(3):
            seconds = []
            for pool, workers in ((one, 1), (two, 2)):
                started = perf_counter()
                simulate(rules, games=games, options=OPTIONS, executor=pool, workers=workers, seed=seed)
                seconds.append(perf_counter() - started)
            ratios.append(seconds[0] / seconds[1])
        return median(ratios)


def stoppable(rules) -> float:
    """Return the slow-down of games in a module that a signal can stop. Both sides play the same games."""
    inside, ratios = games(rules), []
    for seed in range(9):
        seconds = []
        sides = [
            lambda pieces: exhaust_pieces(pieces),
            lambda pieces: exhaust_pieces(split_into_chunks(pieces, inside)),
        ]
        for side in sides if seed % 2 else reversed(sides):
            counting = inside.open_counting(Series(str(seed), 2, OPTIONS, 10**6, ()))
            started = process_time()
            side(counting.run(0, 200))
            seconds.append(process_time() - started)
        plain, watched = seconds if seed % 2 else reversed(seconds)
        ratios.append(watched / plain)
    return median(ratios)


def saves(rules) -> tuple[float, float]:
    """Return the times to write and read a save, as multiples of the time of `json` for the same text."""
    game, random = Game(rules, players=2, seed=1, options=OPTIONS), Random(1)
    written, opened = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "save.json"
        for stop in range(400):
            if game.decision is None:
                break
            game.choose(random.choice(game.decision.options))
            if stop % 40 != 39:
                continue
            game.save(path)
            text = path.read_text()
            data = json.loads(text)
            written.append(_best(game.save, path) / _best(json.dumps, data))
            opened.append(_best(Game.load, path, rules) / _best(json.loads, text))
    return median(written), median(opened)


def _best(call, *arguments) -> float:
    """Return the minimum processor time of five calls, in seconds.

    How long the disk takes to confirm is its own affair.
    """
    times = []
    for _ in range(5):
        started = process_time()
        call(*arguments)
        times.append(process_time() - started)
    return min(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--games", type=int, default=4, help="games a turn")
    args = parser.parse_args()
    rules = load_ruleset(REFERENCE)
    fast, recorded, plain = (
        compile_ruleset(rules, sampling=True),
        compile_ruleset(rules, sampling=True, recording=True),
        Interpreter(rules),
    )
    for seed in range(3):
        assert play(fast, seed) == play(plain, seed) == play(recorded, seed, recording=True), "the back ends disagree"
    recorded_by_moves, undoable = (
        compile_ruleset(rules, recording=True),
        compile_ruleset(rules, recording=True, undoable=True),
    )
    figures = rates(
        {
            "by moves": lambda seed: play_by_moves(recorded_by_moves, seed),
            "by moves, undoable": lambda seed: play_by_moves(undoable, seed),
            "compiled": lambda seed: play(fast, seed),
            "compiled, recording": lambda seed: play(recorded, seed, recording=True),
            "plain interpreter": lambda seed: play(plain, seed),
        },
        args.turns,
        args.games,
    )
    print(f"{'random games of two':<24}{'games/s':>10}{'× plain':>10}")
    for name, rate in figures.items():
        print(f"{name:<24}{rate:>10.1f}{rate / figures['plain interpreter']:>10.2f}")
    speed = figures["compiled"] / figures["plain interpreter"]
    recording = figures["compiled"] / figures["compiled, recording"] - 1
    undo = figures["by moves"] / figures["by moves, undoable"]
    workers = two_workers(rules, WORKERS_GAMES)
    stopping = stoppable(rules)
    write, read = saves(rules)
    print(f"\nrecording costs {recording:.0%}; undoing moves {undo - 1:.1%}; two workers {workers:.2f} × one", end="; ")
    print(f"signals are heard at {stopping:.3f} ×")
    print(f"a save is written in {write:.1f} ×, read back in {read:.1f} × the time of json")
    return report(
        [
            Ratio(
                "random games of fuzzy-knights/normal, compared with the plain interpreter",
                speed,
                at_least=SPEED_TARGET,
            ),
            Ratio(
                "the cost of games with a record, compared with games without one",
                1 + recording,
                at_most=RECORDING_TARGET,
            ),
            Ratio("the cost of moves that can be undone, compared with moves that cannot", undo, at_most=UNDO_TARGET),
            Ratio("games on two workers, compared with one worker", workers, at_least=WORKERS_TARGET),
            Ratio("games that a signal can stop, compared with such as none can", stopping, at_most=STOPPABLE_TARGET),
            Ratio(
                "the time to write a save, compared with writing the same text with `json`", write, at_most=SAVES_TARGET
            ),
            Ratio(
                "the time to read a save, compared with reading the same text with `json`", read, at_most=SAVES_TARGET
            ),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
