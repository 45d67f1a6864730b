"""Measure `rulewright check` of all shipped rules, and of the largest edition alone.

A check runs after every change, so it must be fast. A check of all shipped rules is compared with
`python -c "import lark, yaml, jsonschema"`: the imports are the minimum for a program that reads rules with these
libraries. All are separate processes. The first check reads, merges and checks every edition from its files and runs
every example, without the cache. The second finds in the cache that nothing has changed.

The largest edition is checked in a copy of the checkout: with an empty cache, without a change, and after an edit of
one number, a different one each time. Its times are processor times.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

from _report import Ratio, report

TARGET = 20.0
NOTHING_CHANGED = 3.0
CHECKOUT = Path(__file__).parent.parent
CHECK = [str(Path(sys.executable).parent / "rulewright"), "check", "--rules", str(CHECKOUT / "rules")]
COMMANDS = {
    "rulewright check, cache off": ["env", "RULEWRIGHT_CACHE=off", *CHECK],
    "rulewright check, nothing changed": CHECK,
    'python -c "import lark, yaml, jsonschema"': [sys.executable, "-c", "import lark, yaml, jsonschema"],
}

LARGEST = "fuzzy-knights/normal@1.0"
COPIED = ("engine", "rules", "grammar", "docs_templates", "site")
"""The folders that a check reads. A copy of the rules alone would be a second edition of the same name."""

FILE = "rules/fuzzy-knights/normal-1.0/hero.yaml"
NUMBER = "hero_movement: {is: 15,"
STATES = {"an empty cache": 2.0, "nothing changed": 0.35, "one number changed": 0.6}
"""The maximum processor time of a check of the largest edition, in seconds."""

REACHED = ("nothing changed",)
"""The states in which the check must meet the limit."""


def seconds(command: list[str]) -> float:
    """Return the wall-clock time of a command, in seconds."""
    start = perf_counter()
    subprocess.run(command, cwd=CHECKOUT, env=environment(), stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - start


def environment() -> dict[str, str]:
    """Return the environment variables of a command, without those of Python and Rulewright."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RULEWRIGHT_RULES"))}


def check_largest(copy: Path, runs: int) -> dict[str, list[float]]:
    """Return the processor times of checks of the largest edition, in a copy of the checkout, by what has changed."""
    for folder in COPIED:
        shutil.copytree(CHECKOUT / folder, copy / folder)
    text = (copy / FILE).read_text(encoding="utf-8")
    assert NUMBER in text
    times: dict[str, list[float]] = {state: [] for state in STATES}
    for run in range(runs + 1):
        cache = copy / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        for state, durations in times.items():
            if state == "one number changed":
                edited = text.replace(NUMBER, f"hero_movement: {{is: {16 + run},")
                (copy / FILE).write_text(edited, encoding="utf-8")
            processor = check_in(copy, cache)
            if run:  # the first writes the compiled modules
                durations.append(processor)
        (copy / FILE).write_text(text, encoding="utf-8")
    return times


def check_in(copy: Path, cache: Path) -> float:
    """Return the processor time of one check of the largest edition in a copy of the checkout."""
    command = [sys.executable, "-m", "rulewright", "check", LARGEST]
    settings = {"PYTHONPATH": str(copy / "engine"), "RULEWRIGHT_CACHE": str(cache)}
    before = getrusage(RUSAGE_CHILDREN)
    # After an edit, examples fail.
    subprocess.run(command, cwd=copy, env={**environment(), **settings}, capture_output=True, check=False)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> int:
    """Run the commands alternately, so that other load slows all of them, and compare their medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=11, help="runs of each command (default: %(default)s)")
    runs = parser.parse_args().runs

    for command in COMMANDS.values():
        seconds(command)  # the first run writes the compiled modules
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, command in COMMANDS.items():
            times[name].append(seconds(command))
    with tempfile.TemporaryDirectory() as folder:
        largest = check_largest(Path(folder), runs)

    for name, durations in times.items():
        print(f"{name:<44} median {1_000 * median(durations):7.1f} ms   best {1_000 * min(durations):7.1f} ms")
    for state, durations in largest.items():
        print(
            f"{f'{LARGEST}, {state}':<44} median {1_000 * median(durations):7.1f} ms   "
            f"best {1_000 * min(durations):7.1f} ms"
        )
    cold, known, theirs = (median(durations) for durations in times.values())
    beside = 'compared with `python -c "import lark, yaml, jsonschema"`'
    return report(
        [
            Ratio(
                f"the time to check everything (`rulewright check`), {beside}",
                cold / theirs,
                at_most=TARGET,
                held=False,
            ),
            Ratio(f"the same when nothing has changed, {beside}", known / theirs, at_most=NOTHING_CHANGED),
            *(
                Ratio(
                    f"the processor time to check {LARGEST}, {state}, compared with {most:g} s",
                    median(largest[state]) / most,
                    at_most=1.0,
                    held=state in REACHED,
                )
                for state, most in STATES.items()
            ),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
