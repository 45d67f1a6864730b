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
    matches = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)
    assert PROJECT["version"] in matches


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


WORKFLOWS = [
    *sorted((ROOT / ".github" / "workflows").glob("*.yml")),
    ROOT / "site" / "docs" / "publish" / "rulebook.yml",
]


def test_workflows_name_the_commit_of_each_action_and_all_the_same() -> None:
    pinned: dict[str, set[str]] = {}
    for path in WORKFLOWS:
        for line in re.findall(r"uses: (.*)", path.read_text("utf-8")):
            match = re.fullmatch(r"([\w./-]+)@([0-9a-f]{40})  # (v\d+\.\d+\.\d+)", line)
            assert match is not None, (path.name, line)
            pinned.setdefault(match[1], set()).add(f"{match[2]} {match[3]}")
    assert pinned
    assert {name: each for name, each in pinned.items() if len(each) > 1} == {}


def test_the_tools_that_make_a_release_are_locked_by_hash() -> None:
    folder = ROOT / ".github"
    matches = re.findall(r"^([a-z]+)", (folder / "release-tools.in").read_text("utf-8"), flags=re.MULTILINE)
    lock = re.sub(r"^#.*\n", "", (folder / "release-tools.txt").read_text("utf-8"), flags=re.MULTILINE)
    locked = {}
    for entry in lock.replace(" \\\n", " ").strip().splitlines():
        name, version = re.match(r"([a-z0-9-]+)==([\w.]+)", entry).groups()  # type: ignore[union-attr]
        locked[name] = version
        assert re.findall(r"--hash=sha256:[0-9a-f]{64}", entry), entry
        assert "://" not in entry
    assert set(matches) <= set(locked)
    steps = [step.get("run", "") for step in WORKFLOW["jobs"]["build"]["steps"]]
    installed = [line for run in steps for line in run.splitlines() if "pip install" in line]
    assert installed == ["python -m pip install --require-hashes --requirement .github/release-tools.txt"]
    assert "python -m build --no-isolation" in steps
    backend = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    assert [re.match(r"[a-z]+", each)[0] for each in backend] == ["hatchling"]  # type: ignore[index]


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
