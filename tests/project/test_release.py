"""What is released: the version is one, the changelog tells of it, the workflow needs no secret, and nothing warns."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

EVERY_MODULE = """
import importlib, pkgutil, rulewright
for module in pkgutil.walk_packages(rulewright.__path__, "rulewright."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def test_the_changelog_tells_of_this_version() -> None:
    told = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)
    assert PROJECT["version"] in told


def test_only_the_last_job_may_speak_for_the_project() -> None:
    jobs = WORKFLOW["jobs"]
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert {name: job.get("permissions") for name, job in jobs.items() if "permissions" in job} == {
        "publish": {"id-token": "write"}
    }
    assert "secrets." not in (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")


def test_nothing_is_published_that_was_not_tested_and_tried() -> None:
    jobs = WORKFLOW["jobs"]
    assert set(jobs["publish"]["needs"]) == {"test", "try"}
    assert jobs["try"]["needs"] == "build"
    assert [step["run"] for step in jobs["test"]["steps"] if "run" in step] == [".ci/run"]


def test_the_wheel_is_tried_with_every_python_that_it_names() -> None:
    tried = WORKFLOW["jobs"]["try"]["strategy"]["matrix"]["python"]
    assert f">={tried[0]}" == PROJECT["requires-python"]
    named = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name)]
    assert tried == named


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["-c", EVERY_MODULE], id="importing every module"),
        pytest.param(["-m", "rulewright", "check", "pig/classic"], id="check"),
        pytest.param(["-m", "rulewright", "simulate", "pig/classic", "--games", "4", "--workers", "2"], id="simulate"),
    ],
)
def test_nothing_warns(arguments: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
