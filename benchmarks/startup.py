"""Measure start-up: help, a roll, and a cached ruleset.

`rulewright --help` and `rulewright roll 2d6` are timed as separate processes, and compared with the imports that they
might need: a program that imported all of these at the start would take at least as long before its first output.

A ruleset is loaded in a new process from its rules, and from the cache that another process filled. The clock runs
during the call of `load_ruleset`, including its imports. `pig/classic@1.0` is as shipped, fuzzy-knights/normal@1.0 a
copy that `rulewright release` has locked.
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
    """Return the wall-clock time of a command, in seconds."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    start = perf_counter()
    subprocess.run(command, cwd=Path(__file__).parent, env=environment, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - start


def main() -> int:
    """Run the commands alternately, so that other load slows all of them, and compare their medians."""
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
