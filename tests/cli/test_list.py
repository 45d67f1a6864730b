"""`rulewright list` shows what there is, and what is broken does not hide the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.base.resources import find_resource
from rulewright.cli.main import main


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
    assert str(find_resource("rules") / "pig" / "classic-1.0") in line
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
    assert err.startswith("error[missing-key]: the file has no `title`, but needs it\n")


def test_a_broken_one_is_data_too(capsys: pytest.CaptureFixture[str]) -> None:
    house("[\n")
    assert main(["list", "--rules", "house", "--json"]) == 1
    (broken,) = [item for item in json.loads(capsys.readouterr().out) if item["status"] == "broken"]
    assert broken["ruleset"] is None
    assert broken["folder"] == str(Path("house/pig"))


@pytest.mark.parametrize("arguments", [["list", "--rules", "house"], ["check", "house"], ["show", "./house"]], ids=str)
def test_a_folder_without_a_manifest_is_told_what_it_lacks(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("house").mkdir()
    Path("house/rules.yaml").write_text("numbers: {goal: 100}\n")
    assert main(arguments) == 1
    err = capsys.readouterr().err
    assert err.startswith("error[no-rules-here]: there is no ruleset in `house`\n")
    assert "there is no `ruleset.yaml` beside `house/rules.yaml`" in err


@pytest.mark.parametrize("arguments", [["check", "house"], ["show", "./house"], ["book", "build", "house"]], ids=str)
def test_a_folder_where_a_reference_belongs_is_told_what_to_write(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    house()
    assert main(arguments) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"error[bad-reference]: `{arguments[-1]}` is a folder, ")
    assert f"write `pig/house --rules {arguments[-1]}`" in err


def test_a_missing_folder_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--rules", "gone"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error[folder-missing]: the folder `gone` does not exist\n")
