"""Says of each ratio whether it meets its target, and keeps it for the page of results (`results.py`)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ratio:
    """What was measured, what it came to, and its target: the least or the most that is wanted, or none.

    A target that the documentation says is not reached yet is shown and not `held`: to miss it is no failure.
    """

    what: str
    value: float
    at_least: float | None = None
    at_most: float | None = None
    held: bool = True

    @property
    def is_met(self) -> bool:
        """Whether it is as wanted."""
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    @property
    def target(self) -> str:
        """What is wanted, in words."""
        if self.at_least is not None:
            most = "" if self.at_most is None else f", at most {self.at_most:g}"
            return f"at least {self.at_least:g}{most}"
        return "shown without a target" if self.at_most is None else f"at most {self.at_most:g}"


def report(ratios: Iterable[Ratio]) -> int:
    """Print them, and hand back the exit code: 1 where a target is missed that is held.

    Where $BENCHMARK_RESULTS names a folder, they are written there too, in a file named after the running script.
    """
    results = list(ratios)
    for ratio in results:
        missed = "" if ratio.met else ": MISSED" if ratio.held else ": not reached yet, as the documentation says"
        print(f"{ratio.what}: {ratio.value:.2f} ×; {ratio.target}{missed}")
    print(_summary(results))
    folder = os.environ.get("BENCHMARK_RESULTS")
    if folder:
        path = Path(folder) / f"{Path(sys.argv[0]).stem}.json"
        written = [{**asdict(ratio), "value": float(f"{ratio.value:.3g}")} for ratio in results]
        path.write_text(json.dumps(written), encoding="utf-8")
    return 0 if all(ratio.met or not ratio.held for ratio in results) else 1


def _summary(ratios: list[Ratio]) -> str:
    """How many targets are met, in a line: what the exit code comes from."""
    targets = [ratio for ratio in ratios if ratio.at_least is not None or ratio.at_most is not None]
    met_count = sum(ratio.met for ratio in targets)
    missed = sum(not ratio.met and ratio.held for ratio in targets)
    known = len(targets) - met_count - missed
    counts = [f"{met_count} of {len(targets)} targets met"]
    counts += [f"{known} not reached yet, as the documentation says"] if known else []
    counts += [f"{missed} MISSED"] if missed else []
    return "; ".join(counts)
