"""Compare ratios with their targets, and store them for the page of results (`_results.py`)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ratio:
    """A measured ratio with its target: a minimum, a maximum or none.

    A target that the documentation says is not reached yet is shown and not `held`: to miss it is no failure.
    """

    what: str
    value: float
    at_least: float | None = None
    at_most: float | None = None
    held: bool = True

    @property
    def is_met(self) -> bool:
        """Whether the ratio meets its target."""
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    @property
    def target(self) -> str:
        """The target as text."""
        if self.at_least is not None:
            most = "" if self.at_most is None else f", at most {self.at_most:g}"
            return f"at least {self.at_least:g}{most}"
        return "shown without a target" if self.at_most is None else f"at most {self.at_most:g}"


def report(ratios: Iterable[Ratio]) -> int:
    """Print the ratios and return the exit code: 1 if an enforced target is missed.

    Where $BENCHMARK_RESULTS names a folder, they are written there too, in a file named after the running script.
    """
    results = list(ratios)
    for ratio in results:
        missed = "" if ratio.is_met else ": MISSED" if ratio.held else ": not reached yet, as the documentation says"
        print(f"{ratio.what}: {ratio.value:.2f} ×; {ratio.target}{missed}")
    print(_summary(results))
    folder = os.environ.get("BENCHMARK_RESULTS")
    if folder:
        path = Path(folder) / f"{Path(sys.argv[0]).stem}.json"
        written = [{**asdict(ratio), "value": float(f"{ratio.value:.3g}")} for ratio in results]
        path.write_text(json.dumps(written), encoding="utf-8")
    return 0 if all(ratio.is_met or not ratio.held for ratio in results) else 1


def _summary(ratios: list[Ratio]) -> str:
    """Return a line with the number of targets that are met."""
    targets = [ratio for ratio in ratios if ratio.at_least is not None or ratio.at_most is not None]
    met_count = sum(ratio.is_met for ratio in targets)
    missed = sum(not ratio.is_met and ratio.held for ratio in targets)
    known = len(targets) - met_count - missed
    counts = [f"{met_count} of {len(targets)} targets met"]
    counts += [f"{known} not reached yet, as the documentation says"] if known else []
    counts += [f"{missed} MISSED"] if missed else []
    return "; ".join(counts)
