"""`rulewright list` shows what there is, and what is broken does not hide the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.main import main
from rulewright.resources import resource


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEWRIGHT_RULES", raising=False)


def house(text: str = "ruleset: pig/house\nversion: 0.1.0\ntitle: Our pig ⚔\nextends: pig/classic@1\n") -> None:
    Path("house/pig").mkdir(parents=True)
    Path("house/pig/ruleset.yaml").write_text(text, encoding="utf-8")


def test_it_lists_what_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    line = next(line for line in out.splitlines() if line.startswith("pig/classic@1.0.0"))
    assert "released" in line
    assert str(resource("rules") / "pig" / "classic-1.0") in line
    assert line.endswith("Pig")


def test_data_has_a_key_for_everything(capsys: pytest.CaptureFixture[str]) -> None:
    house()
    assert main(["list", "--rules", "house", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {
        "ruleset": "pig/house",
        "game": "pig",
        "edition": "house",
        "version": "0.1.0",
        "status": "draft",
        "title": "Our pig ⚔",
        "extends": "pig/classic@1",
        "overlays": [],
        "folder": str(Path("house/pig")),
    } in listed
    assert {item["game"] for item in listed} >= {"pig", "fuzzy-knights"}


def test_a_broken_one_is_listed_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    house("ruleset: pig/house\nversion: 0.1.0\n")
    assert main(["list", "--rules", "house"]) == 1
    out, err = capsys.readouterr()
    assert "pig/house@0.1.0" in out
    assert "broken" in out
    assert "pig/classic@1.0.0" in out
    assert err.startswith("error[missing-key]: the file has no `title`, and needs it\n")


def test_a_broken_one_is_data_too(capsys: pytest.CaptureFixture[str]) -> None:
    house("[\n")
    assert main(["list", "--rules", "house", "--json"]) == 1
    (broken,) = [item for item in json.loads(capsys.readouterr().out) if item["status"] == "broken"]
    assert broken["ruleset"] is None
    assert broken["folder"] == str(Path("house/pig"))


def test_a_missing_folder_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--rules", "gone"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error[folder-missing]: the folder `gone` does not exist\n")
