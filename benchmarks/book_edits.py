"""Measure the processor time of `rulewright book build` of all shipped rules: from nothing and after an edit.

Each build is a whole process, and its processor time is counted with that of its children. The first build has an
empty cache and no site. Then builds in which nothing has changed alternate with builds after an edit, which changes a
word on a page of the largest edition and is never taken back.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from _report import Ratio, report

RULES = Path(__file__).resolve().parents[1] / "rules"
PAGE = Path("fuzzy-knights") / "normal-1.0" / "book" / "items.yaml"
WORD = "faster"
NOTHING_CHANGED = 0.035
A_WORD = 0.14


def build(rules: Path, work: Path) -> float:
    """Build the site of all rules, and return the seconds of processor time of the process and its children."""
    environment = {**os.environ, "RULEWRIGHT_CACHE": str(work / "cache"), "RULEWRIGHT_RULES": ""}
    command = [sys.executable, "-m", "rulewright", "book", "build", "--rules", str(rules), "--output", "site"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=work, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Build from nothing, and then alternately without and after an edit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=5, help="number of edits (default: %(default)s)")
    edits = parser.parse_args().edits
    nothing, words = list[float](), list[float]()
    with tempfile.TemporaryDirectory(prefix="rulewright-benchmark-") as folder:
        work = Path(folder)
        rules = Path(shutil.copytree(RULES, work / "all-rules"))
        text = (rules / PAGE).read_text(encoding="utf-8")
        whole = build(rules, work)
        print(f"{'from nothing':<18} {whole:6.2f} s")
        for number in range(edits):
            nothing.append(build(rules, work))
            # Words without digits, because a number in a text is reported.
            (rules / PAGE).write_text(text.replace(WORD, f"{WORD}{'er' * (number + 1)}"), encoding="utf-8")
            words.append(build(rules, work))
    for name, durations in {"nothing changed": nothing, "a word changed": words}.items():
        print(f"{name:<18} {median(durations):6.2f} s, {min(durations):.2f} to {max(durations):.2f}")
    return report(
        [
            Ratio(
                "a build where nothing changed, compared with one from nothing",
                median(nothing) / whole,
                at_most=NOTHING_CHANGED,
            ),
            Ratio(
                "a build after an edit of a word, compared with one from nothing",
                median(words) / whole,
                at_most=A_WORD,
            ),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
