"""Start a benchmark in the virtual environment that it needs. The Makefile creates the environments."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def python(name: str = "") -> Path:
    """Return the Python of an environment, `requirements-NAME.txt` or `requirements.txt`. Create it if missing."""
    folder = f".venv-bench-{name}" if name else ".venv-bench"
    subprocess.run(["make", "--silent", f"{folder}/.ready"], cwd=ROOT, check=True, stdout=sys.stderr)
    return ROOT / folder / "bin" / "python"


def ensure(*modules: str) -> None:
    """Restart this script in the main environment if any of `modules` is missing from the current one."""
    if all(find_spec(module) for module in modules):
        return
    interpreter = str(python())
    if Path(sys.executable) == Path(interpreter):
        raise SystemExit(f"{interpreter} has none of {', '.join(modules)}: remove its folder and run again")
    os.execv(interpreter, [interpreter, *sys.argv])
