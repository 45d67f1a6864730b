"""Measure the waiting time for seven house rules, written in the studio and in a terminal.

The designer of `tests/studio/designer.py` writes each rule in an empty folder in headless Chromium. The designer makes
a mistake, fixes it with a suggestion, reads the rule, tries it and saves the run as an example, plays a little, and
releases the edition with its book. The clock runs while the script waits. Then the same rule is made with commands, one
process each: `new`, `check` with the mistake, `check` without it, `diff`, `run`, `play` up to its first decision,
`check --sign`, `release` and `book build`. The time to think or to find a command is not counted. Every command counts
once. The studio's waiting time counts whenever the script waits for it.

    .venv-bench/bin/python benchmarks/studio.py [RULE…]
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from _report import Ratio, report

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))  # the designer is one of the tests, and no package has those

from tests.studio.designer import (  # noqa: E402
    RULES,
    Effort,
    Rule,
    commands,
    design,
    designing,
    in_a_terminal,
    written,
)

PARTS = ("squiggle", "read", "try", "play", "release", "book")
"""The waiting times that both ways have, apart from the total."""


@dataclass
class Clock:
    """The waiting times in seconds, by reason."""

    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        start = perf_counter()
        yield
        self.seconds[what] += perf_counter() - start

    @property
    def whole(self) -> float:
        return sum(self.seconds.values())

    def add(self, other: Clock) -> None:
        for what, seconds in other.seconds.items():
            self.seconds[what] += seconds

    def __str__(self) -> str:
        return ", ".join(f"{what} {seconds:.1f}" for what, seconds in self.seconds.items())


def in_the_studio(rule: Rule) -> tuple[Clock, Effort]:
    """Return the waiting times for a rule in the studio."""
    clock = Clock()
    with designing(rule) as (designer, home):
        designer.waiting = clock.waiting
        effort = design(designer, rule, book=True)
        if not (home / "published" / "index.html").exists():
            raise SystemExit(f"{rule.name}: no book was built in the studio")
    return clock, effort


def by_commands(rule: Rule) -> Clock:
    """Return the waiting times for the same rule in a terminal."""
    clock = Clock()
    correct, typed = rule.slip
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder, rule.name, "rules.yaml")
        for what, lines in commands(rule).items():
            if what in ("squiggle", "check"):
                text = written(rule.name)
                rules.write_text(text.replace(correct, typed) if what == "squiggle" else text, encoding="utf-8")
            for line in lines:
                with clock.waiting(what):
                    finished = _run(shlex.split(line), folder)
                # The exit code shows a mistake. `run` fails for a procedure whose choices are not scripted.
                if finished.returncode != (1 if what == "squiggle" else 0) and what != "try":
                    raise SystemExit(f"{line}\n{finished.stdout}{finished.stderr}")
        if not Path(folder, f"{rule.name}-book", "index.html").exists():
            raise SystemExit(f"{rule.name}: no book was built in the terminal")
    return clock


def _run(line: list[str], folder: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT / "engine")}
    return subprocess.run(
        [sys.executable, "-m", *line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def main() -> int:
    """Write each rule in both ways."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="*", metavar="RULE", help="only these (default: all seven)")
    names = parser.parse_args().rules
    chosen = [rule for rule in RULES if not names or rule.name in names]
    if not chosen:
        parser.error(f"the house rules are {', '.join(rule.name for rule in RULES)}")
    studio, terminal = Clock(), Clock()
    keys = typed = 0
    print("rule              keys: studio  terminal  completed  offers  rounds  seconds: studio  terminal")
    for rule in chosen:
        here, effort = in_the_studio(rule)
        there = by_commands(rule)
        print(
            f"{rule.name:<17}{effort.keys:>13}{in_a_terminal(rule):>10}{effort.completed:>11}{effort.offered:>8}"
            f"{effort.rounds:>8}{here.whole:>17.1f}{there.whole:>10.1f}",
            flush=True,
        )
        print(f"  studio: {here}\n  terminal: {there}", flush=True)
        studio.add(here)
        terminal.add(there)
        keys += effort.keys
        typed += in_a_terminal(rule)
    ratios = [Ratio("the number of keystrokes in the studio, compared with a terminal", keys / typed)]
    ratios += [
        Ratio(
            f"the waiting time in the studio ({what}), compared with a terminal",
            studio.seconds[what] / terminal.seconds[what],
        )
        for what in PARTS
    ]
    whole = studio.whole / terminal.whole
    return report([*ratios, Ratio("the waiting time in the studio (total), compared with a terminal", whole)])


if __name__ == "__main__":
    raise SystemExit(main())
