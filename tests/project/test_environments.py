"""The new machines that both README commands are tried on: whoever asks for them gets all that the script knows."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tests" / "project" / "environments.sh"
JOB: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "environments.yml").read_text("utf-8"))["jobs"]
MACHINES: list[str] = JOB["try"]["strategy"]["matrix"]["machine"]


def test_the_workflow_tries_every_machine_that_the_script_has() -> None:
    listed = re.search(r"^ALL=\((.*)\)$", SCRIPT.read_text("utf-8"), flags=re.MULTILINE)
    assert listed is not None
    assert listed[1].split() == MACHINES


def test_every_python_that_is_promised_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [name.rpartition(" ")[2] for name in project["classifiers"] if re.search(r":: 3\.\d+$", name)]
    assert [name.removeprefix("python") for name in MACHINES if name.startswith("python")] == named


def test_a_machine_that_is_none_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [SCRIPT, "toaster"],
        env={"PATH": "/usr/bin:/bin", "WORK": str(tmp_path)},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.startswith("there is no machine toaster\nFAILS toaster")
