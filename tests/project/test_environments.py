"""The new machines that both README commands are tried on: whoever asks for them gets all that the script knows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tests" / "project" / "environments.sh"
JOB: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "environments.yml").read_text("utf-8"))["jobs"]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MACHINES: list[str] = JOB["try"]["strategy"]["matrix"]["machine"]


def test_the_workflow_tries_every_machine_that_the_script_has() -> None:
    listed = re.search(r"^ALL=\((.*)\)$", SCRIPT.read_text("utf-8"), flags=re.MULTILINE)
    assert listed is not None
    assert listed[1].split() == MACHINES


def test_every_python_that_is_promised_is_tried() -> None:
    named = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name)]
    assert [name.removeprefix("python") for name in MACHINES if name.startswith("python")] == named


def distributions(extra: str) -> set[str]:
    """Return what an extra of the project installs, with all that each of them needs."""
    left = [Requirement(f"rulewright[{extra}]")]
    knowns: set[tuple[str, str]] = set()
    while left:
        expected = left.pop()
        for each in expected.extras or {""}:
            if (known := (canonicalize_name(expected.name), each)) in knowns:
                continue
            knowns.add(known)
            if expected.name == PROJECT["name"]:
                left += map(Requirement, PROJECT["optional-dependencies"][each] if each else PROJECT["dependencies"])
                left += [Requirement(PROJECT["name"])] if each else []
                continue
            needed = [Requirement(line) for line in metadata.requires(expected.name) or ()]
            left += [one for one in needed if one.marker is None or one.marker.evaluate({"extra": each})]
    return {name for name, _ in knowns}


def modules_from_elsewhere() -> Iterator[str]:
    """Yield what modules of the engine import as they are imported, and neither Python nor the engine holds."""
    for path in (ROOT / "engine" / "rulewright").rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            for inner in node.body if isinstance(node, ast.Try) else [node]:
                if isinstance(inner, ast.Import):
                    yield from (alias.name.partition(".")[0] for alias in inner.names)
                elif isinstance(inner, ast.ImportFrom) and inner.module:
                    yield inner.module.partition(".")[0]


def test_make_docs_installs_all_that_the_engine_imports() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^docs: \$\(VENV\)/\.docs .*$", makefile, flags=re.MULTILINE)
    assert re.search(r"^\$\(VENV\)/\.docs: .*\n.*--editable '\.\[docs\]'$", makefile, flags=re.MULTILINE)
    installed, homes = distributions("docs"), metadata.packages_distributions()
    elsewhere = set(modules_from_elsewhere()) - sys.stdlib_module_names - {"rulewright"}
    assert {"gymnasium", "mkdocs", "starlette"} <= elsewhere
    assert {name for name in elsewhere if not {canonicalize_name(each) for each in homes[name]} & installed} == set()


def test_make_demo_installs_what_the_commands_of_the_readme_need() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    needed = {"studio": "studio", "lsp": "studio", "train": "train", "book build": "book"}
    assert all(f"rulewright {command}" in readme for command in needed)
    makefile = (ROOT / "Makefile").read_text("utf-8")
    match = re.search(r"^\$\(VENV\)/\.demo: .*\n.*--editable '\.\[(.*)\]'$", makefile, flags=re.MULTILINE)
    assert match is not None
    installed = set().union(*(distributions(extra) for extra in match[1].split(",")))
    for extra in needed.values():
        assert distributions(extra) <= installed, extra


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
