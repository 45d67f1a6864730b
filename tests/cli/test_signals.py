"""Every command stops soon where it is told to end, at any moment: also in the middle of a game that has no end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import pytest

from rulewright import load_ruleset
from rulewright.analysis.simulation.run_simulation import begin_run, iterate_steps, simulate
from rulewright.engine.wasm_backend.bot_games import games
from rulewright.engine.wasm_backend.interrupts import stop_on_signals
from tests.breadth import some
from tests.fuzz.worst import write

ENDLESS = """\
ruleset: worst/{name}
version: 1.0.0
title: Without end
status: draft
rounding: truncate
players: 2
start: game
evaluate: standing
"""
RULES = """\
state: {player: {type: player, means: Who is asked.}}
kinds: {player: {fields: {coin: {type: int, means: It.}}}}
formulas: {standing: {given: {who: player}, is: who.coin, means: It.}}
procedures:
  game:
    title: A game
    means: It goes on.
    steps:
      - id: turns
        repeat:
          steps:
            - {id: move, choose: {who: player, from: [go, on]}, ask: What now?}
            - {id: luck, roll: 2d6}
            - {id: odd, if: luck > 7, then: [{id: more, gain: {who: player, coin: 1}}]}
"""

# A thread of the program sends the signal: at a moment that nobody can foresee, and whatever the others do.
PROGRAM = """
import os, sys, threading, time
number, delay, without, arguments = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == "without", sys.argv[4:]
if without:
    from rulewright.engine.wasm_backend import availability
    availability.is_available = lambda: False
def end():
    time.sleep(delay)
    os.kill(os.getpid(), number)
from rulewright.cli.main import main
threading.Thread(target=end, daemon=True).start()
sys.exit(main(arguments))
"""

MANY = "100000000"
COMMANDS = {
    "simulate": ["simulate", "worst/endless", "--games", MANY],
    "simulate, slow moves": ["simulate", "worst/long-moves", "--games", MANY],
    "simulate, bots": ["simulate", "worst/endless", "--games", MANY, "--players", "greedy,planner:64"],
    "simulate, searching": ["simulate", "worst/endless", "--games", MANY, "--players", "mcts:100000,rollout:64"],
    "simulate, watched": ["simulate", "worst/endless", "--games", MANY, "--coverage"],
    "simulate, kept": ["simulate", "worst/endless", "--games", MANY, "--resume", "run.json"],
    "simulate, rows": ["simulate", "worst/endless", "--games", MANY, "--output", "games.csv"],
    "simulate, workers": ["simulate", "worst/endless", "--games", MANY, "--workers", "2"],
    "simulate, generated Python": ["without", "simulate", "worst/endless", "--games", MANY],
    "compare": ["simulate", "worst/endless", "--games", MANY, "--compare", "worst/endless"],
    "sweep": ["simulate", "pig/classic", "--games", MANY, "--sweep", "numbers.goal=50,100"],
    "playouts": ["check", "worst/long-moves", "--fuzz", "1000000", "--workers", "1"],
    "fair": ["fair", "worst/endless", "--games", MANY],
    "ladder": ["ladder", "worst/endless", "--games", MANY, "--players", "greedy,random"],
    "train": ["train", "pig/classic", "--generations", "1000000", "--output", "weights.yaml"],
    "odds": ["odds", "fuzzy-knights/normal", "game", "--most", "300000"],
    "solving": ["simulate", "classics/connect-four", "--games", MANY, "--players", "solved:100000000,random"],
    "book": ["book", "build", "--output", "book"],
    "check": ["check"],
}
EVERY = [(name, number) for name in COMMANDS for number in ("SIGINT", "SIGTERM")]
QUICK = [pair for place, pair in enumerate(EVERY) if place % 4 in (0, 3)]
"""Each command with one of the signals, by turns."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    write(folder / "long", "long_moves", 0.3)
    (folder / "endless").mkdir()
    (folder / "endless" / "ruleset.yaml").write_text(ENDLESS.format(name="endless"))
    (folder / "endless" / "rules.yaml").write_text(RULES)
    return folder


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
@pytest.mark.parametrize(("name", "number"), some(EVERY, QUICK), ids=str)
def test_a_command_stops_when_it_is_told_to(name: str, number: str, folder: Path, tmp_path: Path) -> None:
    """It would go on for hours: that it ends is enough, and with which code it does."""
    arguments = COMMANDS[name]
    without = "without" if arguments[0] == "without" else "-"
    arguments = [*arguments[arguments[0] == "without" :], "--rules", str(folder)]
    signalled = getattr(signal, number)
    delay = Random(f"{name} {number}").uniform(0.2, 2.0)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(int(signalled)), str(delay), without, *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    # Before it has begun, the system ends it.
    assert done.returncode in (128 + signalled, -signalled), done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.rglob("*.part")) == []
    if (kept := tmp_path / "run.json").exists():
        assert json.loads(kept.read_text())["counts"]["games"] > 0


LOSING = """
import os, sys
from rulewright.cli import command_runner as verbs
from rulewright.cli.commands import list as command

class Losing:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))
        for _ in range(1_000):
            pass  # here, its exception is raised, and Python ignores it

def run(args):
    Losing()
    while True:
        pass

command.run = run
from rulewright.cli.main import main
sys.exit(main(["list"]))
"""


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_signal_whose_exception_is_ignored_is_heard_all_the_same(number: str) -> None:
    signalled = getattr(signal, number)
    done = subprocess.run(
        [sys.executable, "-c", LOSING, str(int(signalled))], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (128 + signalled, "")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
@pytest.mark.parametrize("policies", [(), ("greedy", "random")], ids=str)
def test_a_program_is_interrupted_within_a_game_and_plays_on(policies: tuple[str, ...], folder: Path) -> None:
    """As somebody does at a prompt: what plays afterwards is whole, and so are the counts."""
    rules = load_ruleset("worst/endless", rules=folder)
    pig = load_ruleset("pig/classic@1.0")
    expected = simulate(pig, games=20).to_plain()
    before = games(rules)
    run = begin_run(rules, policies=policies)
    ready = threading.Event()

    def interrupt() -> None:
        ready.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()

    def play() -> None:
        ready.set()
        for _ in iterate_steps(rules, run, games=10**9):
            pass

    with pytest.raises(KeyboardInterrupt):
        play()
    for _ in range(20):  # nothing of the signal is left for what is played next
        assert simulate(pig, games=20).to_plain() == expected
    again = games(rules)
    assert again is before or before.host.stopped
    assert not again.host.stopped


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_stops_a_module_before_python_hears_of_it(number: str) -> None:
    stopped = threading.Event()
    signalled = getattr(signal, number)
    before = signal.signal(signalled, lambda *_: None)
    try:
        with stop_on_signals(stopped.set):
            os.kill(os.getpid(), signalled)
            assert stopped.wait(60)
    finally:
        signal.signal(signalled, before)


def test_a_stopped_module_counts_nothing(folder: Path) -> None:
    rules = load_ruleset("worst/endless", rules=folder)
    inside = games(rules)
    inside.stop()
    with pytest.raises(KeyboardInterrupt):
        inside.host.call("counts_rows")
    assert games(rules) is not inside


def test_a_command_collects_no_garbage_when_it_ends() -> None:
    # The function that is registered first runs last.
    code = "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 0))"
    code += "; from rulewright.cli.main import main; main(['list'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True"
