"""How long the first answers take: help, a roll, and a ruleset that was loaded before.

`rulewright --help` and `rulewright roll 2d6` are timed as whole processes, beside the bare imports that stand for what
they might need: a tool that imported all of it at the start would take at least as long before its first word.

A ruleset is loaded in a fresh process from its rules, and from the cache that another process filled; the clock runs
from before the call of `load_ruleset` to after it, the imports it makes included. `pig/classic@1.0` is as shipped,
fuzzy-knights/normal@1.0 a copy that `rulewright release` has locked.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from _report import Ratio, report

BIN = Path(sys.executable).parent
RULES = Path(__file__).resolve().parents[1] / "rules"
HELP_TARGET = 3.0
ROLL_TARGET = 3.0
CACHE_TARGET = 5.0
COMMANDS = {
    "rulewright --help": [str(BIN / "rulewright"), "--help"],
    "rulewright roll 2d6": [str(BIN / "rulewright"), "roll", "2d6"],
    'python -c "import lark, yaml"': [sys.executable, "-c", "import lark, yaml"],
    'python -c "import lark"': [sys.executable, "-c", "import lark"],
    'python -c "pass"': [sys.executable, "-c", "pass"],
}
RELEASED = ("pig/classic@1.0", "fuzzy-knights/normal@1.0")
LOAD = """
import sys
from time import perf_counter
from rulewright import load_ruleset
load_ruleset
started = perf_counter()
load_ruleset(sys.argv[1], rules=[sys.argv[2]])
print(perf_counter() - started)
"""


def seconds(command: list[str]) -> float:
    """Return the time that one run of a command takes, from start to end of its process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    start = perf_counter()
    subprocess.run(command, cwd=Path(__file__).parent, env=environment, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - start


def main() -> int:
    """Run the commands in turn, so that what slows the machine slows them all, and compare their medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=31, help="runs of each command (default: %(default)s)")
    runs = parser.parse_args().runs

    for command in COMMANDS.values():
        seconds(command)  # the first run writes the compiled modules
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, command in COMMANDS.items():
            times[name].append(seconds(command))
    for name, durations in times.items():
        print(f"{name:<32} median {1_000 * median(durations):7.1f} ms   best {1_000 * min(durations):7.1f} ms")
    help_, roll, both, lark, _ = map(median, times.values())
    ratios = [
        Ratio(
            'the time of `rulewright --help`, compared with `python -c "import lark, yaml"`',
            help_ / both,
            at_most=HELP_TARGET,
        ),
        Ratio(
            'the time of `rulewright roll 2d6`, compared with `python -c "import lark"`',
            roll / lark,
            at_most=ROLL_TARGET,
        ),
    ]
    with tempfile.TemporaryDirectory() as folder:
        rules = released(Path(folder))
        for reference in RELEASED:
            fresh, cached = loads(reference, rules, Path(folder) / "cache", runs)
            ratio = fresh / cached
            print(f"{reference}: from its rules {1_000 * fresh:.1f} ms, from the cache {1_000 * cached:.1f} ms")
            ratios.append(
                Ratio(
                    f"loading {reference} from the cache, compared with loading its rules files",
                    ratio,
                    at_least=CACHE_TARGET,
                    held=False,
                )
            )
    return report(ratios)


def released(folder: Path) -> Path:
    """Return a copy of the rules in which both editions are released."""
    shutil.copytree(RULES, folder / "rules")
    command = [str(BIN / "rulewright"), "release", "--rules", str(folder / "rules"), RELEASED[1]]
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return folder / "rules"


def loads(reference: str, rules: Path, cache: Path, runs: int) -> tuple[float, float]:
    """Return the median times to load a ruleset from its rules and from the cache, each in a new process."""
    times: dict[str, list[float]] = {"off": [], str(cache): []}
    for turn in range(runs + 1):
        for setting, durations in times.items():
            environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            environment["RULEWRIGHT_CACHE"] = setting
            command = [sys.executable, "-c", LOAD, reference, str(rules)]
            ran = subprocess.run(command, cwd=rules.parent, env=environment, capture_output=True, check=True)
            if turn:  # the first fills the cache
                durations.append(float(ran.stdout))
    fresh, cached = map(median, times.values())
    return fresh, cached


if __name__ == "__main__":
    raise SystemExit(main())
