"""Helps a script into the environment it needs: the Makefile makes them, and this asks for them."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def python(name: str = "") -> Path:
    """Return the Python of the environment for `requirements-NAME.txt`, or `requirements.txt`; made if need be."""
    folder = f".venv-bench-{name}" if name else ".venv-bench"
    subprocess.run(["make", "--silent", f"{folder}/.ready"], cwd=ROOT, check=True, stdout=sys.stderr)
    return ROOT / folder / "bin" / "python"


def ensure(*modules: str) -> None:
    """Start the running script again in the main environment, if any of `modules` is missing from this one."""
    if all(find_spec(module) for module in modules):
        return
    interpreter = str(python())
    if Path(sys.executable) == Path(interpreter):
        raise SystemExit(f"{interpreter} has none of {', '.join(modules)}: remove its folder and run again")
    os.execv(interpreter, [interpreter, *sys.argv])
