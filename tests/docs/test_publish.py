"""The workflow that publishers copy: what it runs are commands there are, with flags they have."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from rulewright.cli.main import main

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = Path(__file__).resolve().parents[2] / "site" / "docs" / "publish"
WORKFLOW = PAGES / "rulebook.yml"


def jobs() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    return data


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
    error_text = capsys.readouterr().err
    assert "--no-such-flag" in error_text
    assert not any(word in error_text.rpartition("unrecognized")[2] for word in words if word.startswith("--"))


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


@pytest.mark.browser
def test_a_game_is_played_in_a_frame_of_another_site(
    page: Page, tmp_path: Path, site_server: Callable[[Path], str]
) -> None:
    (frame,) = re.findall(r"<iframe .*</iframe>", (PAGES / "play.md").read_text(encoding="utf-8"))
    assert main(["book", "build", "pig/classic@1.0", "--output", str(tmp_path / "rules")]) == 0
    (tmp_path / "blog").mkdir()
    books = site_server(tmp_path / "rules")  # another port is another origin
    (tmp_path / "blog" / "index.html").write_text(
        f"<!doctype html><title>Blog</title>{frame.replace('https://games.example/rules/', books)}", encoding="utf-8"
    )
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(site_server(tmp_path / "blog"))
    inside = page.frame_locator("iframe")
    inside.get_by_role("button", name="Begin").click()
    inside.get_by_role("button", name="Roll").first.click()
    inside.get_by_text("Player 1 chooses: Roll").first.wait_for()
    assert faults == []
