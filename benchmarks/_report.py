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
    def met(self) -> bool:
        """Whether it is as wanted."""
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    @property
    def target(self) -> str:
        """What is wanted, in words."""
        if self.at_least is not None:
            return f"at least {self.at_least:g}"
        return "shown without a target" if self.at_most is None else f"at most {self.at_most:g}"


def report(ratios: Iterable[Ratio]) -> int:
    """Print them, and hand back the exit code: 1 where a target is missed that is held.

    Where $BENCHMARK_RESULTS names a folder, they are written there too, in a file named after the running script.
    """
    found = list(ratios)
    for ratio in found:
        missed = "" if ratio.met else ": MISSED" if ratio.held else ": not reached, as the documentation says"
        print(f"{ratio.what}: {ratio.value:.2f} ×; {ratio.target}{missed}")
    folder = os.environ.get("BENCHMARK_RESULTS")
    if folder:
        path = Path(folder) / f"{Path(sys.argv[0]).stem}.json"
        written = [{**asdict(ratio), "value": float(f"{ratio.value:.3g}")} for ratio in found]
        path.write_text(json.dumps(written), encoding="utf-8")
    return 0 if all(ratio.met or not ratio.held for ratio in found) else 1
