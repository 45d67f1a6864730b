"""Measure the wall-clock time of a command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter

CHECKOUT = Path(__file__).parent.parent
RULEWRIGHT = [str(Path(sys.executable).parent / "rulewright")]


def seconds(*arguments: str) -> float:
    """Return the time that `rulewright` takes with the rules of this checkout, from start to end of its process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    start = perf_counter()
    subprocess.run(
        [*RULEWRIGHT, *arguments, "--rules", str(CHECKOUT / "rules")],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return perf_counter() - start
