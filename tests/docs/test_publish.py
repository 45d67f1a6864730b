"""The workflow that publishers copy: what it runs are commands there are, with flags they have."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.cli.main import main

PAGES = Path(__file__).resolve().parents[2] / "site" / "docs" / "publish"
WORKFLOW = PAGES / "rulebook.yml"


def jobs() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    return found


def commands() -> list[str]:
    page = [
        line
        for file in sorted(PAGES.glob("*.md"))
        for block in re.findall(r"^```sh\n(.*?)^```$", file.read_text(encoding="utf-8"), re.M | re.S)
        for line in block.splitlines()
    ]
    steps = [step["run"] for job in jobs().values() for step in job["steps"] if "run" in step]
    return [line for line in (*page, *steps) if line.startswith("rulewright ")]


@pytest.mark.parametrize("command", commands())
def test_every_flag_is_one_there_is(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command.replace('"$ADDRESS"', "https://games.example/rules/"))[1:]
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--no-such-flag"])
    said = capsys.readouterr().err
    assert "--no-such-flag" in said
    assert not any(word in said.rpartition("unrecognized")[2] for word in words if word.startswith("--"))


def test_what_is_shown_is_what_was_checked_and_built() -> None:
    check, publish = jobs()["check"], jobs()["publish"]
    assert publish["needs"] == "check"
    assert any(step.get("run", "").startswith("rulewright check") for step in check["steps"])
    uploaded = next(step for step in publish["steps"] if step.get("uses", "").startswith("actions/upload-pages"))
    built = next(step["run"] for step in publish["steps"] if "book build" in step.get("run", ""))
    assert f"--output {uploaded['with']['path']}" in built


def test_only_the_job_that_publishes_may_write() -> None:
    assert "permissions" not in jobs()["check"]
    assert jobs()["publish"]["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    assert yaml.safe_load(WORKFLOW.read_text())["permissions"] == {"contents": "read"}
