"""How long `rulewright check` of everything shipped takes beside `python -c "import lark, yaml, jsonschema"`.

A designer checks after every change, so checking must feel like nothing. The bare imports are the least that any
program pays that reads rules with these libraries. Both are whole processes. The first check reads, merges and checks
every edition from its files and runs every example; the cache is off. The second finds in the cache that nothing has
changed since the last one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
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


def seconds(command: list[str]) -> float:
    """Return the time that one run of a command takes, from start to end of its process."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RULEWRIGHT_RULES"))
    }
    start = perf_counter()
    subprocess.run(command, cwd=CHECKOUT, env=environment, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - start


def main() -> int:
    """Run the commands in turn, so that what slows the machine slows both, and compare their medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=11, help="runs of each command (default: %(default)s)")
    runs = parser.parse_args().runs

    for command in COMMANDS.values():
        seconds(command)  # the first run writes the compiled modules
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, command in COMMANDS.items():
            times[name].append(seconds(command))

    for name, taken in times.items():
        print(f"{name:<44} median {1_000 * median(taken):7.1f} ms   best {1_000 * min(taken):7.1f} ms")
    cold, known, theirs = (median(taken) for taken in times.values())
    beside = 'compared with `python -c "import lark, yaml, jsonschema"`'
    return report(
        [
            Ratio(f"the time to check everything (`rulewright check`), {beside}", cold / theirs, at_most=TARGET),
            Ratio(f"the same when nothing has changed, {beside}", known / theirs, at_most=NOTHING_CHANGED),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
