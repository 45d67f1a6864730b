"""Run the scripts that you name, or all of them, and store their results for the page of results.

    .venv-bench/bin/python benchmarks/_results.py [SCRIPT…]

For each script, `results.json` in this folder holds the date, the number of processors, how busy the machine was, and
the ratios with their targets. The documentation shows them unchanged.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"


def main() -> int:
    names = sys.argv[1:] or sorted(path.stem for path in HERE.glob("[a-z]*.py"))
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    missed = False
    for name in names:
        print(f"\n== {name}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "BENCHMARK_RESULTS": folder}
            load = os.getloadavg()[0]
            ran = subprocess.run([sys.executable, str(HERE / f"{name}.py")], env=environment, check=False)
            missed |= ran.returncode != 0
            written = Path(folder) / f"{name}.json"
            if written.exists():
                results[name] = {
                    "date": date.today().isoformat(),
                    "python": platform.python_version(),
                    "processors": os.cpu_count(),
                    "load": round(load, 1),
                    "ratios": json.loads(written.read_text(encoding="utf-8")),
                }
    text = json.dumps(dict(sorted(results.items())), indent=2, ensure_ascii=False)
    RESULTS.write_text(text + "\n", encoding="utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
