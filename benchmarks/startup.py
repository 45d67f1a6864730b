"""How long `rulewright --help` takes beside `python -c "import lark, yaml"`, as whole processes.

The help must come quickly, so it may not import what only the work needs. The bare imports stand for that need:
a tool that imported all of it at the start would take at least as long before its first word.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

TARGET = 3.0
COMMANDS = {
    "rulewright --help": [str(Path(sys.executable).parent / "rulewright"), "--help"],
    'python -c "import lark, yaml"': [sys.executable, "-c", "import lark, yaml"],
    'python -c "pass"': [sys.executable, "-c", "pass"],
}


def seconds(command: list[str]) -> float:
    """The time that one run of a command takes, from start to end of its process."""
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

    for name, taken in times.items():
        print(f"{name:<32} median {1_000 * median(taken):7.1f} ms   best {1_000 * min(taken):7.1f} ms")
    ours, theirs, _ = times.values()
    ratio = median(ours) / median(theirs)
    print(f"ratio {ratio:.2f}; the target is under {TARGET:g}: {'met' if ratio < TARGET else 'MISSED'}")
    return 0 if ratio < TARGET else 1


if __name__ == "__main__":
    raise SystemExit(main())
